include(CMakeFindDependencyMacro)
find_dependency(lyocell HINTS ${CMAKE_CURRENT_LIST_DIR}/../lyocell)
include(${CMAKE_CURRENT_LIST_DIR}/lace-targets.cmake)
