//! Work-stealing queues.
