//! How messages travel between ranks: five functions.

use crate::TransportError;

/// Carries messages between ranks.
///
/// Messages from one rank to another arrive in the order in which they were sent, each once; those of different senders in any.
/// All of it is called from one thread.
pub trait Transport {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Sends a message, without waiting for its receiver.
    ///
    /// # Errors
    /// Fails if the message cannot be sent, or another rank has aborted the run.
    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), TransportError>;

    /// Receives a message and the rank that it is from, if one has come.
    ///
    /// # Errors
    /// Fails if a message is lost, or another rank has aborted the run.
    fn poll(&mut self) -> Result<Option<(usize, Vec<u8>)>, TransportError>;

    /// Ends all ranks, as far as the transport can. A transport over processes need not return from it: what is to be told
    /// has to be told before.
    fn abort(&mut self, why: &str);
}
