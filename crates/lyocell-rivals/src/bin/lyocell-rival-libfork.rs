//! libfork, where its header is given by a path.

lyocell_rivals::rival!(libfork, env!("LYOCELL_RIVAL_LIBFORK"));
