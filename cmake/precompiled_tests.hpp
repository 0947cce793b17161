#include "precompiled.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
