//! A rank among ranks: whom it asks for work, whom it owes some, and when all is over. It knows neither threads nor a transport, so
//! that a thousand of them can be played on one thread.
//!
//! ```text
//!             nothing to do                 nobody had any
//!   working ----------------> seeking ------------------------> quiet
//!      ^                         |     asks its lifelines          |
//!      '------- a bag comes -----'------- a bag comes -------------'
//! ```
//! - *Working*: it has bags. Who asks is remembered, and served from what the workers put aside for that.
//! - *Seeking*: it asks a few ranks at random, one after the other.
//! - *Quiet*: its lifelines know that it has nothing. It asks nobody more, so ranks without work cost nothing.
//!
//! # Invariants
//! - communicator-1. Each question is answered once: [`Ask::Now`] by a bag or by [`Message::Nothing`], as soon as the rank has put
//!   something aside or has nothing itself; [`Ask::Whenever`] by [`Message::Noted`] at once, and by a bag some time if there is one. A rank
//!   has one question to each other rank open at most of each kind.
//! - communicator-2. A rank answers a wave when it has nothing to do and every question of its own is answered, but for what its
//!   lifelines remember. So when all is over no message is under way, and no rank sends one but along the tree.
//!
//! Source: Saraswat et al. 2011, sections 3 and 4.

use crate::message::{Ask, Counts, Malformed, Message};
use crate::topology::{Tree, lifelines};
use crate::waves::{Wave, Waves};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::borrow::Cow;
use std::collections::VecDeque;

/// What a communicator needs of its rank: what its workers have, and a way to tell them.
pub(crate) trait Host {
    /// Whether there is nothing to do: no bag that is being worked on, and none that was put aside.
    fn has_nothing(&self) -> bool;

    /// Whether somebody elsewhere would like half of a bag.
    fn want(&mut self, wanted: bool);

    /// A bag that was put aside for that, written down.
    fn take_aside(&mut self) -> Option<Vec<u8>>;

    /// A bag has come.
    fn receive(&mut self, bag: &[u8]) -> Result<(), Malformed>;
}

/// Messages that are to be sent, in this order.
pub(crate) type Outgoing = Vec<(usize, Message<'static>)>;

pub(crate) struct Communicator {
    me: usize,
    size: usize,
    tree: Tree,
    random: StdRng,
    /// How many ranks are asked at random before the lifelines are.
    tries: usize,
    state: State,
    /// Questions of ours that wait for an answer.
    open: usize,
    /// Who waits for an answer of ours, and who is remembered.
    askers: VecDeque<usize>,
    remembered: VecDeque<usize>,
    lifelines: Vec<Lifeline>,
    counts: Counts,
    waves: Waves,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Working,
    /// So many tries are left.
    Seeking(usize),
    Quiet,
}

/// A neighbour, and whether it remembers that we have nothing.
struct Lifeline {
    to: usize,
    remembers: bool,
}

impl Communicator {
    pub(crate) fn new(me: usize, size: usize, tries: usize, seed: u64) -> Communicator {
        let tree = Tree::new(me, size);
        Communicator {
            me,
            size,
            tree,
            random: StdRng::seed_from_u64(seed ^ (me as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            tries,
            state: State::Working,
            open: 0,
            askers: VecDeque::new(),
            remembered: VecDeque::new(),
            lifelines: lifelines(me, size).map(|to| Lifeline { to, remembers: false }).collect(),
            counts: Counts::default(),
            waves: Waves::new(tree),
            is_over: false,
        }
    }

    /// Whether nothing is left to be done anywhere.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// A message has come that concerns work.
    pub(crate) fn receive(
        &mut self,
        from: usize,
        message: Message<'_>,
        host: &mut impl Host,
        out: &mut Outgoing,
    ) -> Result<(), Malformed> {
        match message {
            Message::Ask(Ask::Now) => self.askers.push_back(from),
            Message::Ask(Ask::Whenever) => {
                out.push((from, Message::Noted));
                self.remembered.push_back(from);
            }
            Message::Nothing | Message::Noted => self.answered(),
            Message::Give(why, bag) => {
                match why {
                    Ask::Now => self.answered(),
                    Ask::Whenever => self.forgotten_by(from),
                }
                self.counts.received += 1;
                self.state = State::Working;
                host.receive(&bag)?;
            }
            Message::Count => self.waves.begin(|child, message| out.push((child, message))),
            Message::Counted(counts) => self.waves.counted(counts),
            Message::End => self.end(out),
            _ => {}
        }
        Ok(())
    }

    fn answered(&mut self) {
        debug_assert!(self.open > 0, "communicator-1");
        self.open = self.open.saturating_sub(1);
    }

    fn forgotten_by(&mut self, neighbour: usize) {
        let lifeline = self.lifelines.iter_mut().find(|lifeline| lifeline.to == neighbour);
        if let Some(lifeline) = lifeline {
            lifeline.remembers = false;
        }
    }

    /// Does what is to be done now: serves those who asked, seeks work, answers waves.
    pub(crate) fn step(
        &mut self,
        host: &mut impl Host,
        out: &mut Outgoing,
    ) -> Result<(), Malformed> {
        if self.is_over {
            return Ok(());
        }
        self.serve(host, out)?;
        let has_nothing = host.has_nothing();
        if has_nothing {
            // communicator-1.
            out.extend(self.askers.drain(..).map(|asker| (asker, Message::Nothing)));
        }
        host.want(!has_nothing && (!self.askers.is_empty() || !self.remembered.is_empty()));
        match has_nothing {
            true => self.seek(out),
            false => self.state = State::Working,
        }
        if has_nothing && self.open == 0 && self.state == State::Quiet {
            // communicator-2.
            self.answer_wave(out);
        }
        Ok(())
    }

    /// Sends what was put aside to those who wait for it, who asked for it now first.
    fn serve(&mut self, host: &mut impl Host, out: &mut Outgoing) -> Result<(), Malformed> {
        while let Some(bag) = host.take_aside() {
            let asker = self.askers.pop_front().map(|asker| (asker, Ask::Now));
            let asker = asker.or_else(|| Some((self.remembered.pop_front()?, Ask::Whenever)));
            let Some((asker, why)) = asker else {
                // Nobody wants it any more.
                host.receive(&bag)?;
                break;
            };
            // waves-1.
            self.counts.sent += 1;
            out.push((asker, Message::Give(why, Cow::Owned(bag))));
        }
        Ok(())
    }

    /// Asks somebody, if all who were asked have answered.
    fn seek(&mut self, out: &mut Outgoing) {
        if self.state == State::Working {
            let tries = if self.size > 1 { self.tries } else { 0 };
            self.state = State::Seeking(tries);
        }
        if self.open > 0 {
            return;
        }
        match self.state {
            State::Working | State::Quiet => {}
            State::Seeking(0) => {
                for lifeline in self.lifelines.iter_mut().filter(|lifeline| !lifeline.remembers) {
                    lifeline.remembers = true;
                    self.open += 1;
                    out.push((lifeline.to, Message::Ask(Ask::Whenever)));
                }
                self.state = State::Quiet;
            }
            State::Seeking(tries) => {
                let other = self.random.random_range(0..self.size - 1);
                let victim = other + usize::from(other >= self.me);
                self.open += 1;
                out.push((victim, Message::Ask(Ask::Now)));
                self.state = State::Seeking(tries - 1);
            }
        }
    }

    fn answer_wave(&mut self, out: &mut Outgoing) {
        let wave = self.waves.settle(self.counts, |child, message| out.push((child, message)));
        match wave {
            Wave::Pending => {}
            Wave::Up(counts) => {
                let parent = self.tree.parent().expect("there is a rank above");
                out.push((parent, Message::Counted(counts)));
            }
            Wave::Over => self.end(out),
        }
    }

    fn end(&mut self, out: &mut Outgoing) {
        self.is_over = true;
        out.extend(self.tree.children().map(|child| (child, Message::End)));
    }
}
