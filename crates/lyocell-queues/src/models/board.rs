//! Models of the notice board: no two thieves have one notice.

use super::check;
use crate::board::{Board, Seat};
use loom::thread;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// A board, and which of its notices are held, as their holders say.
struct Seats {
    board: Board<()>,
    /// Not one of loom's: it says what went wrong, and orders nothing.
    held: Mutex<HashSet<usize>>,
}

impl Seats {
    fn take(&self) -> *const Seat<()> {
        let seat = self.board.seat();
        assert!(self.held.lock().unwrap().insert(seat.addr()), "a notice is held by two");
        seat
    }

    fn give_up(&self, seat: *const Seat<()>) {
        self.held.lock().unwrap().remove(&seat.addr());
        // SAFETY: it is of this board, and held by this thread.
        unsafe { self.board.vacate(seat) };
    }
}

/// One takes two, while another takes two and gives up the first of them again: the list of free ones begins with the same
/// notice as before, and the next is held.
#[test]
fn no_notice_is_held_by_two() {
    check(|| {
        let seats = Arc::new(Seats { board: Board::new(), held: Mutex::default() });
        let (first, second) = (seats.take(), seats.take());
        seats.give_up(first);
        seats.give_up(second);
        let other = thread::spawn({
            let seats = Arc::clone(&seats);
            move || {
                seats.take();
                seats.take();
            }
        });
        let again = seats.take();
        seats.take();
        seats.give_up(again);
        other.join().unwrap();
        // Four were held at once, and two were made when others were taking.
        assert!(seats.board.len() <= 6);
    });
}

/// A notice that was given up is the next one's, and what its last holder did came before.
#[test]
fn a_notice_given_up_is_taken_again() {
    check(|| {
        let seats = Arc::new(Seats { board: Board::new(), held: Mutex::default() });
        let mine = seats.take();
        let other = thread::spawn({
            let seats = Arc::clone(&seats);
            move || {
                let seat = seats.take();
                seats.give_up(seat);
            }
        });
        seats.give_up(mine);
        other.join().unwrap();
        let before = seats.board.len();
        assert!((1..=2).contains(&before));
        (0..before).for_each(|_| _ = seats.take());
        assert_eq!(seats.board.len(), before);
    });
}
