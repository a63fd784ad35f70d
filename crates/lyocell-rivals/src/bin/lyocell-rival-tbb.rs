//! oneTBB.

lyocell_rivals::rival!(tbb, env!("LYOCELL_RIVAL_TBB"));
