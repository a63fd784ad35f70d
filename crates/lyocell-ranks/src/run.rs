//! A run, on one rank: the thread that calls it talks to the other ranks, while a pool works.

use crate::communicator::{Communicator, Outgoing};
use crate::host::{InPool, Workers, words};
use crate::message::{Malformed, Message};
use crate::topology::Tree;
use crate::{Bag, RanksError, Total, Transport};
use lyocell::{Deque, Pool, Probe};
use lyocell_sync::Parker;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How ranks share their work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// After how many items a worker looks whether others want some: as many as take some tens of microseconds. 0 counts as 1.
    pub at_a_time: usize,
    /// How many ranks are asked at random before the lifelines are.
    pub tries: usize,
    /// What is drawn at random hangs on it.
    pub seed: u64,
    /// What all ranks must agree on beside the types, such as the parameters of a program. Ranks that do not agree end with an
    /// error that shows both.
    pub program: String,
}

impl Default for Options {
    fn default() -> Options {
        Options { at_a_time: 256, tries: 2, seed: 0, program: String::new() }
    }
}

/// How often the communicating thread looks round before it yields, and yields before it naps.
const SPINS: u32 = 20;
const YIELDS: u32 = 4;
/// Its first nap, and how often that doubles while nothing comes: up to 640 us. Untuned.
const FIRST_NAP: Duration = Duration::from_micros(20);
const NAP_DOUBLINGS: u32 = 5;
/// How long a rank that fails waits for the others to learn of it.
const GRACE: Duration = Duration::from_millis(500);

/// Works through a bag, and all that comes up of it, on all ranks, and returns what it came to, on each of them.
///
/// Every rank calls this, with a pool of its own. `first` is called on rank 0 alone. The calling thread talks to the other ranks and
/// works on nothing, so the pool should have threads for all of its workers:
/// [`Caller::Sleeps`](lyocell::Caller::Sleeps).
///
/// # Errors
/// Fails on every rank if one fails: if a bag panics, if ranks are built differently, if a message is damaged or cannot be sent.
/// Whoever fails tells all others, and has the transport abort when they have heard of it, or after half a second.
///
/// # Panics
/// Does not panic; what a bag panics with is in the error.
///
/// # Cost
/// A rank with nothing to do asks [`Options::tries`] others, then one for each bit of the number of ranks; after that it looks for
/// messages some thousand times a second. A bag that travels is written down and read once, at most 64 KiB of it.
///
/// # Source
/// Saraswat, Kambadur, Kodali, Grove and Krishnamoorthy, "Lifeline-based global load balancing", PPoPP 2011.
///
/// # Examples
/// See the [crate's docs](crate).
pub fn run<B, T, D, P>(
    transport: &mut T,
    pool: &Pool<D, P>,
    first: impl FnOnce() -> B,
    options: &Options,
) -> Result<B::Total, RanksError>
where
    B: Bag,
    T: Transport,
    D: Deque,
    P: Probe,
{
    let parker = Parker::default();
    let workers = Workers::<B>::new(pool.workers(), options.at_a_time, &parker);
    let host = InPool { pool, workers };
    let mut rank = Rank::new(transport, host, parker, options);
    let outcome = rank.agree(options).and_then(|()| rank.work(first)).and_then(|()| rank.sum_up());
    rank.host.workers.parts.stop();
    // host-1.
    while rank.host.workers.parts.is_any_running() {
        rank.parker.park();
    }
    if let Err(error) = &outcome {
        rank.tell_of(error);
    }
    outcome
}

struct Rank<'a, B: Bag, T: Transport, D: Deque, P: Probe> {
    transport: &'a mut T,
    me: usize,
    tree: Tree,
    host: InPool<'a, B, D, P>,
    communicator: Communicator,
    out: Outgoing,
    /// What came before its time.
    early: VecDeque<(usize, Message<'static>)>,
    /// The communicating thread sleeps by it.
    parker: Parker,
    fruitless: u32,
    /// Another rank has told that it failed.
    is_told: bool,
}

impl<'a, B: Bag, T: Transport, D: Deque, P: Probe> Rank<'a, B, T, D, P> {
    fn new(
        transport: &'a mut T,
        host: InPool<'a, B, D, P>,
        parker: Parker,
        options: &Options,
    ) -> Self {
        let (me, size) = (transport.rank(), transport.size());
        Rank {
            transport,
            me,
            tree: Tree::new(me, size),
            host,
            communicator: Communicator::new(me, size, options.tries, options.seed),
            out: Outgoing::new(),
            early: VecDeque::new(),
            parker,
            fruitless: 0,
            is_told: false,
        }
    }

    /// Finds out whether all ranks are built from the same, and are here.
    fn agree(&mut self, options: &Options) -> Result<(), RanksError> {
        let own = build::<B>(options);
        for _ in 0..self.tree.children().count() {
            let (from, hello) =
                self.await_from_tree(|message| matches!(message, Message::Hello(_)))?;
            let Message::Hello(theirs) = hello else { unreachable!("it was waited for") };
            if theirs != own {
                return Err(self.failed(format!(
                    "rank {from} runs {theirs}, rank {} runs {own}: run the same program, built once, on all ranks",
                    self.me
                )));
            }
        }
        if let Some(parent) = self.tree.parent() {
            self.send(parent, &Message::Hello(own.into()))?;
            self.await_from_tree(|message| matches!(message, Message::Start))?;
        }
        self.send_down(&Message::Start)
    }

    fn work(&mut self, first: impl FnOnce() -> B) -> Result<(), RanksError> {
        if self.me == 0 {
            let bag = self.guarded(first)?;
            self.host.spawn(bag);
        }
        while !self.communicator.is_over() {
            while let Some((from, message)) = self.next()? {
                let (host, out) = (&mut self.host, &mut self.out);
                let received = self.communicator.receive(from, message, host, out);
                received.map_err(|error| self.damaged(from, &error))?;
            }
            if let Some(why) = self.host.workers.parts.failure() {
                return Err(self.failed(why));
            }
            let stepped = self.communicator.step(&mut self.host, &mut self.out);
            stepped.map_err(|error| self.failed(format!("a bag of its own: {error}")))?;
            self.send_out()?;
            self.rest();
        }
        Ok(())
    }

    /// Adds up what each rank came to, up the tree, and tells all, down the tree.
    fn sum_up(&mut self) -> Result<B::Total, RanksError> {
        self.send_out()?;
        let workers = Arc::clone(&self.host.workers);
        let mut total = self.guarded(|| workers.total())?;
        let mut below: Vec<(usize, B::Total)> = Vec::new();
        for _ in 0..self.tree.children().count() {
            let (from, message) =
                self.await_from_tree(|message| matches!(message, Message::Subtotal(_)))?;
            let Message::Subtotal(bytes) = message else { unreachable!("it was waited for") };
            below.push((from, self.read_total(from, &bytes)?));
        }
        below.sort_by_key(|(from, _)| *from);
        self.guarded(|| below.into_iter().for_each(|(_, other)| total.merge(other)))?;
        if let Some(parent) = self.tree.parent() {
            let subtotal = self.write_total(&total)?;
            self.send(parent, &Message::Subtotal(subtotal.into()))?;
            let (from, message) =
                self.await_from_tree(|message| matches!(message, Message::Total(_)))?;
            let Message::Total(bytes) = message else { unreachable!("it was waited for") };
            total = self.read_total(from, &bytes)?;
        }
        let bytes = self.write_total(&total)?;
        self.send_down(&Message::Total(bytes.into()))?;
        Ok(total)
    }

    fn write_total(&mut self, total: &B::Total) -> Result<Vec<u8>, RanksError> {
        postcard::to_stdvec(total)
            .map_err(|error| self.failed(format!("a total cannot be written down: {error}")))
    }

    fn read_total(&mut self, from: usize, bytes: &[u8]) -> Result<B::Total, RanksError> {
        postcard::from_bytes(bytes).map_err(|error| self.damaged(from, &Malformed::Damaged(error)))
    }

    /// The next message, unless none has come.
    fn next(&mut self) -> Result<Option<(usize, Message<'static>)>, RanksError> {
        if let Some(early) = self.early.pop_front() {
            return Ok(Some(early));
        }
        self.poll()
    }

    fn poll(&mut self) -> Result<Option<(usize, Message<'static>)>, RanksError> {
        let Some((from, bytes)) = self.transport.poll()? else { return Ok(None) };
        self.fruitless = 0;
        match Message::read(&bytes) {
            Ok(Message::Failed(rank, why)) => {
                self.is_told = true;
                self.send(from, &Message::Understood)?;
                Err(RanksError::Failed { rank, why: why.into_owned() })
            }
            Ok(message) => Ok(Some((from, message))),
            Err(error) => Err(self.damaged(from, &error)),
        }
    }

    /// Waits for a message of this kind; others that come meanwhile have to wait.
    fn await_from_tree(
        &mut self,
        is_it: impl Fn(&Message<'_>) -> bool,
    ) -> Result<(usize, Message<'static>), RanksError> {
        loop {
            if let Some(at) = self.early.iter().position(|(_, message)| is_it(message)) {
                return Ok(self.early.remove(at).expect("it is there"));
            }
            match self.poll()? {
                Some(received) => self.early.push_back(received),
                None => self.rest(),
            }
        }
    }

    fn send(&mut self, to: usize, message: &Message<'_>) -> Result<(), RanksError> {
        Ok(self.transport.send(to, &message.write())?)
    }

    fn send_down(&mut self, message: &Message<'_>) -> Result<(), RanksError> {
        self.tree.children().try_for_each(|child| self.send(child, message))
    }

    fn send_out(&mut self) -> Result<(), RanksError> {
        let out = std::mem::take(&mut self.out);
        self.fruitless = if out.is_empty() { self.fruitless } else { 0 };
        out.iter().try_for_each(|(to, message)| self.send(*to, message))
    }

    /// Nothing has come: looks again at once, a little later, or when a worker has something, whichever is next.
    fn rest(&mut self) {
        self.fruitless = self.fruitless.saturating_add(1);
        match self.fruitless {
            ..=SPINS => std::hint::spin_loop(),
            before if before <= SPINS + YIELDS => thread::yield_now(),
            // Nobody else has anything to say, and the last part wakes this thread (parts-3).
            _ if self.transport.size() == 1 && self.host.workers.parts.is_any_running() => {
                self.parker.park();
            }
            naps => {
                let doublings = (naps - SPINS - YIELDS - 1).min(NAP_DOUBLINGS);
                self.parker.park_timeout(FIRST_NAP * (1 << doublings));
            }
        }
    }

    /// Calls what the program brings; a panic is this rank's failure.
    fn guarded<R>(&self, call: impl FnOnce() -> R) -> Result<R, RanksError> {
        catch_unwind(AssertUnwindSafe(call)).map_err(|panic| self.failed(words(&*panic)))
    }

    fn failed(&self, why: impl Into<String>) -> RanksError {
        RanksError::Failed { rank: self.me, why: why.into() }
    }

    fn damaged(&self, from: usize, error: &Malformed) -> RanksError {
        self.failed(format!("a message of rank {from} cannot be understood: {error}"))
    }

    /// Tells all others that the run has failed, waits a while until they know, and has the transport abort. Who has been told leaves
    /// that to whoever told it.
    fn tell_of(&mut self, error: &RanksError) {
        if self.is_told {
            return;
        }
        if let RanksError::Failed { rank, why } = error {
            let message = Message::Failed(*rank, Cow::Borrowed(why)).write();
            let others = (0..self.transport.size()).filter(|other| *other != self.me);
            let mut silent =
                others.filter(|other| self.transport.send(*other, &message).is_ok()).count();
            let since = Instant::now();
            while silent > 0 && since.elapsed() < GRACE {
                match self.transport.poll() {
                    Ok(Some((_, bytes))) => {
                        let message = Message::read(&bytes);
                        let knows =
                            matches!(message, Ok(Message::Understood | Message::Failed(..)));
                        silent -= usize::from(knows);
                    }
                    Ok(None) => self.parker.park_timeout(FIRST_NAP),
                    Err(_) => break,
                }
            }
        }
        self.transport.abort(&error.to_string());
    }
}

/// What all ranks must have in common.
fn build<B: Bag>(options: &Options) -> String {
    let name = std::any::type_name::<B>();
    format!("{:?} {name} with lyocell-ranks {}", options.program, env!("CARGO_PKG_VERSION"))
}
