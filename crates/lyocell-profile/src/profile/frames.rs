//! Frames: tasks, roots and regions that have begun on a worker and are not over, and the scopes that they have opened.

use super::{Profile, lock};
use crate::clock::{self, Clock, Mode};
use crate::group::Group;
use crate::ledger::Saved;
use crate::spans::Spans;
use crate::tally::{Account, Name, Region, Tally, add};
use std::sync::Arc;

/// What the worker touches when tasks and regions begin and end.
#[derive(Debug, Default)]
pub(super) struct Slow {
    pub(super) frames: Vec<Frame>,
    pub(super) calls: Account,
    pub(super) detached: Account,
    pub(super) groups: u64,
}

/// A task, root or region that has begun on the worker and is not over.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) saved: Saved,
    pub(super) work: u64,
    pub(super) tasks: u64,
    /// Tasks that the worker has spawned since, in tasks of somebody else's.
    pub(super) foreign_tasks: u64,
    pub(super) wall: u64,
    pub(super) longest: u64,
    pub(super) forked: u64,
    pub(super) blocked: u64,
    pub(super) crowded: u64,
    pub(super) name: Option<Name>,
    /// The scope whose task this is, and where in it the task was spawned.
    pub(super) spawned_in: Option<(u64, Spans)>,
    /// The scopes that this frame has opened, and where.
    pub(super) opened: Vec<(u64, Spans)>,
    pub(super) account: Account,
}

impl<C: Clock> Profile<C> {
    /// A task, root or region begins.
    fn begin_frame(&self, slow: &mut Slow, name: Option<Name>, spawned_in: Option<(u64, Spans)>) {
        let hot = &*self.hot;
        self.settle();
        slow.frames.push(Frame {
            saved: hot.ledger.begin(),
            work: hot.work.get(),
            tasks: hot.sites.tasks(),
            foreign_tasks: 0,
            wall: self.now(),
            longest: hot.longest.get(),
            forked: hot.forked.get(),
            blocked: hot.blocked.get(),
            crowded: hot.crowded.get(),
            name,
            spawned_in,
            opened: Vec::new(),
            account: Account::default(),
        });
        for word in [&hot.longest, &hot.forked, &hot.blocked, &hot.crowded] {
            word.set(0);
        }
    }

    /// The tasks that the worker has spawned in this frame itself.
    fn own_tasks(&self, frame: &Frame) -> u64 {
        self.hot.sites.tasks().wrapping_sub(frame.tasks).wrapping_sub(frame.foreign_tasks)
    }

    /// The newest frame is over.
    fn end_frame(&self, slow: &mut Slow) -> Option<(Frame, Account)> {
        let hot = &*self.hot;
        self.read();
        self.settle();
        let mut frame = slow.frames.pop()?;
        let mut account = std::mem::take(&mut frame.account);
        let tally = &mut account.tally;
        tally.times = 1;
        tally.work = hot.work.get().saturating_sub(frame.work);
        tally.spans = hot.ledger.end(frame.saved);
        tally.forked_span = hot.forked.get();
        add(&mut tally.tasks, self.own_tasks(&frame));
        tally.longest = tally.longest.max(hot.longest.get());
        if C::MODE != Mode::Declared {
            tally.wall = clock::passed(frame.wall, self.now());
        }
        add(&mut tally.blocked, hot.blocked.get());
        add(&mut tally.crowded, hot.crowded.get());
        hot.longest.set(frame.longest);
        hot.forked.set(frame.forked);
        hot.blocked.set(frame.blocked);
        hot.crowded.set(frame.crowded);
        Some((frame, account))
    }

    /// The newest frame is over, which is a task of somebody else's, and so no part of what is below.
    pub(super) fn end_foreign(&self) -> Account {
        let slow = &mut *lock(&self.slow);
        // A region ends with the task that it is in, whatever the program says.
        while self.close_region(slow) {}
        let Some((frame, account)) = self.end_frame(slow) else { return Account::default() };
        let hot = &*self.hot;
        if let Some(below) = slow.frames.last_mut() {
            add(&mut below.foreign_tasks, hot.sites.tasks().wrapping_sub(frame.tasks));
        }
        hot.work.set(frame.work);
        hot.last.set(self.now());
        account
    }

    /// A task of somebody else's begins. What has passed since the last reading belongs to the task that is interrupted, if
    /// that asked for it by yielding; else it is next to nothing.
    pub(super) fn begin_foreign(&self, spawned_in: Option<(u64, Spans)>) {
        let hot = &*self.hot;
        self.read();
        let slow = &mut *lock(&self.slow);
        self.begin_frame(slow, None, spawned_in);
        hot.last.set(self.now());
    }

    /// Part of the current frame was done by others.
    pub(super) fn take_over(&self, account: Account) {
        let slow = &mut *lock(&self.slow);
        self.hot.work.add(account.tally.work);
        if let Some(frame) = slow.frames.last_mut() {
            frame.account.tally.add_part(&account.tally);
            frame.account.regions.graft(account.regions);
        }
    }

    /// Books time without a processor on the current task or region, if there may be much. Returns how much of it others
    /// had the processor.
    pub(super) fn settle(&self) -> u64 {
        if C::MODE == Mode::Declared {
            return 0;
        }
        let lost = lock(&self.processor).settle(clock::ticks()).unwrap_or_default();
        self.hot.blocked.add(lost.blocked);
        self.hot.crowded.add(lost.crowded);
        lost.crowded
    }

    pub(crate) fn begin_region(&self, name: Name) {
        let slow = &mut *lock(&self.slow);
        self.read();
        self.begin_frame(slow, Some(name), None);
        self.resume();
    }

    pub(crate) fn end_region(&self) {
        self.close_region(&mut lock(&self.slow));
        self.resume();
    }

    /// The newest frame is over if it is a region; returns whether it was.
    fn close_region(&self, slow: &mut Slow) -> bool {
        if slow.frames.last().is_none_or(|frame| frame.name.is_none()) {
            return false;
        }
        let Some((frame, Account { tally, regions })) = self.end_frame(slow) else { return false };
        let hot = &*self.hot;
        hot.longest.set(hot.longest.get().max(tally.longest));
        if hot.ledger.is_outside_of_forks() {
            hot.forked.add(tally.forked_span);
        }
        hot.ledger.add(tally.spans);
        if let Some(below) = slow.frames.last_mut() {
            // Its own tasks are counted by the frame below as well, those of its stolen tasks are not.
            let own = self.own_tasks(&frame);
            let stolen = Tally { tasks: tally.tasks.saturating_sub(own), ..tally.clone() };
            add(&mut below.foreign_tasks, frame.foreign_tasks);
            below.account.tally.add_part(&stolen);
            let name = frame.name.unwrap_or_default();
            below.account.regions.add(Region { name, tally, inner: regions });
        }
        true
    }

    /// What has passed since the last reading was the profile's.
    pub(super) fn resume(&self) {
        if C::MODE != Mode::Declared {
            self.hot.last.set(self.now());
        }
    }

    pub(crate) fn begin_group_here(&self) -> Group {
        self.read();
        let slow = &mut *lock(&self.slow);
        add(&mut slow.groups, 1);
        // Unique as long as the address of the probe is.
        let id = (Arc::as_ptr(&self.hot).addr() as u64).wrapping_add(slow.groups);
        if let Some(frame) = slow.frames.last_mut() {
            frame.opened.push((id, self.hot.ledger.spans()));
        }
        Group::new(id)
    }

    /// How far from the beginning of this group the current strand is, as far as this worker knows.
    pub(crate) fn place_in(&self, group: u64) -> Spans {
        self.read();
        let slow = lock(&self.slow);
        let here = self.hot.ledger.spans();
        let Some(frame) = slow.frames.last() else { return Spans::default() };
        match (frame.spawned_in, frame.opened.iter().rev().find(|(id, _)| *id == group)) {
            (_, Some((_, begin))) => here - *begin,
            (Some((id, start)), None) if id == group => start + here,
            _ => here,
        }
    }

    pub(super) fn end_group_here(&self, group: &Group) {
        self.read();
        let begin = {
            let slow = &mut *lock(&self.slow);
            let opened = slow.frames.last_mut().map(|frame| &mut frame.opened);
            let place =
                opened.as_ref().and_then(|all| all.iter().rposition(|(id, _)| *id == group.id));
            match (opened, place) {
                (Some(opened), Some(place)) => opened.remove(place).1,
                _ => self.hot.ledger.spans(),
            }
        };
        let body = self.hot.ledger.spans() - begin;
        let (end, account) = group.end(body, self.burdens());
        if self.hot.ledger.is_outside_of_forks() {
            self.hot.forked.add((end - body).0[0]);
        }
        self.hot.ledger.add(end - body);
        self.take_over(account);
        self.resume();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Declared;
    use lyocell::Probe;
    use lyocell::probe::{Origin, Root};

    /// The account of a call in which this is done.
    fn call(body: impl FnOnce(&Profile<Declared>)) -> Account {
        let probe = Profile::default();
        probe.begin_task(Origin::Root(Root::Call));
        body(&probe);
        probe.end_root(Root::Call);
        probe.measured().calls
    }

    #[test]
    fn the_end_of_a_region_that_has_not_begun_is_none() {
        let account = call(|probe| {
            probe.advance(10);
            probe.end_region();
            probe.advance(5);
            probe.end_region();
        });
        assert_eq!((account.tally.times, account.tally.work), (1, 15));
    }

    #[test]
    fn a_region_that_nobody_ends_ends_with_its_task() {
        let account = call(|probe| {
            probe.begin_region("left".into());
            probe.advance(10);
            probe.begin_region("inner".into());
            probe.advance(5);
        });
        assert_eq!((account.tally.times, account.tally.work), (1, 15));
        let left = account.regions.iter().next().expect("the region");
        assert_eq!((&*left.name, left.tally.work), ("left", 15));
        assert_eq!(left.inner.iter().next().expect("the other one").tally.work, 5);
    }
}
