#include "precompiled_tests.hpp"
