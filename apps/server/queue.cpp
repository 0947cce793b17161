#include "server/queue.hpp"

namespace apps::server {

bool Queue::push(Item item) {
  {
    const std::lock_guard lock(mutex_);
    if (items_.size() >= most_)
      return false;
    items_.push_back(item);
  }
  changed_.notify_one();
  return true;
}

std::optional<Item> Queue::pop() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !items_.empty(); });
  if (closed_)
    return std::nullopt;
  const Item item = items_.front();
  items_.pop_front();
  return item;
}

void Queue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

std::size_t Queue::size() const {
  const std::lock_guard lock(mutex_);
  return items_.size();
}

} // namespace apps::server
