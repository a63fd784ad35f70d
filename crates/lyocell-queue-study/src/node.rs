//! What a case is to the pool: nodes, and what they can all see.

use lyocell_workloads::WrongAnswer;

/// A unit of work: the element of the queues (Alkærsig et al. 2014, section 4).
pub(crate) trait Node: Send + Sized {
    /// What every node of a run can see, and where answers are left.
    type Case: Case<Node = Self>;

    /// Does the work. The nodes it makes are handed to `push`.
    fn visit(self, case: &Self::Case, push: &mut impl FnMut(Self));
}

/// A problem whose work is made of nodes, with room for one answer.
pub(crate) trait Case: Sync {
    /// The unit of work.
    type Node: Node<Case = Self>;

    /// Forgets the last run's answer.
    fn reset(&mut self);

    /// The node from which all others come.
    fn root(&self) -> Self::Node;

    /// The same answer on the calling thread, by the same steps, without nodes and queues.
    fn run_serially(&self);

    /// How many nodes a run visits if none comes twice.
    fn nodes(&self) -> u64;

    /// How many nodes may be in one queue at once: the size of a bounded queue.
    fn most_queued(&self) -> usize;

    /// Compares the answer with the serial one's, and gives it in short.
    ///
    /// # Errors
    /// They differ.
    fn judge(&mut self) -> Result<String, WrongAnswer>;
}

/// Marks the cases in which a node may be visited more than once, even by two workers at once, without
/// changing the answer: relaxed queues may run them.
pub(crate) trait Idempotent: Case {}
