//! OpenMP's tasks, by clang.

lyocell_rivals::rival!(openmp_clang, env!("LYOCELL_RIVAL_OPENMP_CLANG"));
