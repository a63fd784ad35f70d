//! OpenMP's tasks, by the usual C++ compiler.

lyocell_rivals::rival!(openmp, env!("LYOCELL_RIVAL_OPENMP"));
