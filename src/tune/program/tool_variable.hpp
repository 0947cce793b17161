#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace hypermile::tune {

/// A variable of the MPI library that is a whole number, through the tools interface (MPI_T).
class ToolVariable {
public:
  /// MPI_T_init_thread() has been called. Throws std::runtime_error where there is none of that
  /// name.
  explicit ToolVariable(const std::string& name) {
    int index = 0;
    if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS)
      throw std::runtime_error("this MPI library has no variable " + name);
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count) != MPI_SUCCESS)
      throw std::runtime_error("cannot open the variable " + name);
    name_ = name;
  }
  ~ToolVariable() { MPI_T_cvar_handle_free(&handle_); }
  ToolVariable(const ToolVariable&) = delete;
  ToolVariable& operator=(const ToolVariable&) = delete;

  void write(int value) const {
    if (MPI_T_cvar_write(handle_, &value) != MPI_SUCCESS)
      throw std::runtime_error("cannot set the variable " + name_);
  }

private:
  std::string name_;
  MPI_T_cvar_handle handle_{};
};

} // namespace hypermile::tune
