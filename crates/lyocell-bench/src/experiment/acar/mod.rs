//! Acar, Charguéraud and Rainey's paper on private deques (2013).

use lyocell::deque::Attempts;
use lyocell_engines::runtime::options::ATTEMPTS;

use super::kit::*;

mod bound;
mod fig4;
mod fig5;
mod fig6a;
mod fig6b;

pub(super) use fig4::FIG4;
pub(super) use fig5::FIG5;
pub(crate) use fig5::theorem;
pub(super) use fig6a::FIG6A;
pub(super) use fig6b::FIG6B;

/// How often the paper ran each program in its Figure 4: "we averaged the measures over 20 runs".
const PAPER_REPS: usize = 20;

/// What is on the list of a figure in our size, or in the paper's: the beginning of a job, and its sizes.
fn of_size(
    request: &Request,
    rows: impl Iterator<Item = (&'static str, [&'static str; 2])>,
) -> Vec<Instance> {
    asked_or(request, || named(rows.map(|(job, sizes)| format!("{job}{}", request.size.of(sizes)))))
}

/// The sender as the paper has it: an owner attempts at each of its dates, at one random worker, idle or not.
const BLIND: &str = "sender blind";

/// Ours: whoever is idle asks, and is dealt to.
const ON_DEMAND: &str = "sender on-demand";

/// A deque by its label, as the paper has it: nobody sleeps. What is called on-demand is ours, as it is by default.
fn labelled(label: &str) -> Setup {
    match label {
        BLIND => {
            Setup::on(SENDER).with(&ATTEMPTS, Value::Attempts(Attempts::Blind)).never_sleeping()
        }
        ON_DEMAND => Setup::on(SENDER),
        deque => Setup::on(deque).never_sleeping(),
    }
}

const SENDER: &str = "sender";

/// How many times as long one contender takes as another on each of these jobs.
fn over(results: &Results, jobs: &[String], of: &str, over: &str, workers: usize) -> Each {
    results.on_each(jobs, |round, job| {
        let [of, over] = [of, over].map(|contender| Key { job, contender, workers });
        round.ratio(of, over)
    })
}
