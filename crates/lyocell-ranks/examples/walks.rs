//! A bag of one's own: the self-avoiding walks of some length on the square lattice, counted by several ranks.
//!
//! `cargo run --release -p lyocell-ranks --example walks` has two ranks in this process. With `--features mpi` each process under
//! `mpirun -n 2 target/release/examples/walks` is a rank.

use lyocell::{Caller, Pool};
use lyocell_ranks::{Bag, Options, RanksError, Transport, every_second, run};
use serde::{Deserialize, Serialize};

const STEPS: usize = 15;
/// Jensen 2004 has more of them.
const KNOWN: u64 = 6_416_596;

/// Walks that go on, the oldest first: each has the places that it has been to.
#[derive(Serialize, Deserialize)]
struct Walks(Vec<Vec<(i8, i8)>>);

impl Bag for Walks {
    type Total = u64;

    fn work(&mut self, at_most: usize, count: &mut u64) -> usize {
        for worked in 0..at_most {
            let Some(walk) = self.0.pop() else { return worked };
            if walk.len() > STEPS {
                *count += 1;
                continue;
            }
            let (x, y) = walk[walk.len() - 1];
            let next = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
            let free = next.into_iter().filter(|place| !walk.contains(place));
            self.0.extend(free.map(|place| [&walk[..], &[place]].concat()));
        }
        at_most
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn split(&mut self) -> Option<Walks> {
        every_second(&mut self.0).map(Walks)
    }

    fn merge(&mut self, other: Walks) {
        self.0.splice(..0, other.0);
    }
}

/// What each rank does.
fn count(rank: &mut impl Transport) -> Result<(), RanksError> {
    let pool = Pool::builder().caller(Caller::Sleeps).build().expect("a pool can be built");
    let walks = run(rank, &pool, || Walks(vec![vec![(0, 0)]]), &Options::default())?;
    assert_eq!(walks, KNOWN);
    println!("rank {} of {}: {walks} walks of {STEPS} steps", rank.rank(), rank.size());
    Ok(())
}

#[cfg(feature = "mpi")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(count(&mut lyocell_ranks::Mpi::start()?)?)
}

#[cfg(not(feature = "mpi"))]
fn main() {
    std::thread::scope(|threads| {
        for mut rank in lyocell_ranks::InProcess::connect(2, 0) {
            threads.spawn(move || count(&mut rank).expect("no rank fails"));
        }
    });
}
