//! Wool, where its sources are given by a path.

lyocell_rivals::rival!(wool, env!("LYOCELL_RIVAL_WOOL"));
