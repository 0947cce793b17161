#include "common/program.hpp"

#include <cstdio>

namespace apps {

int run_program(int argc, char** argv, const Syntax& syntax, Run* run) {
  const Session session(&argc, &argv);
  const CommandLine line = parse_command_line({argv + 1, argv + argc}, syntax);
  if (line.help) {
    if (session.is_root())
      std::fputs(usage(syntax).c_str(), stdout);
    return 0;
  }
  if (!line.error.empty())
    return usage_error(session, syntax.program, line.error);
  return run(session, line);
}

int usage_error(const Session& session, std::string_view program, const std::string& what) {
  if (session.is_root())
    std::fprintf(stderr, "%.*s: error: %s\n", static_cast<int>(program.size()), program.data(),
                 what.c_str());
  return 2;
}

int finish(const Session& session, const Verification& verification, const Outcome& outcome) {
  if (session.is_root()) {
    std::fputs(verification.text().c_str(), stdout);
    std::printf("%.*s: %.15e\ntime: %.3f s\n", static_cast<int>(outcome.what.size()),
                outcome.what.data(), outcome.result, outcome.seconds);
  }
  return verification.successful() ? 0 : 1;
}

} // namespace apps
