//! The cases: the four of the study's section 4.1, and two idempotent ones with real work per node,
//! which its authors missed (section 7.1).

use std::ops::RangeInclusive;

use super::job::Job;

mod graph;
mod marking;
mod quicksort;
mod raw;
mod shortest_paths;
mod spanning_tree;
mod xml;

/// All random choices of a case come from this seed, so that every run has the same data.
const SEED: u64 = 2014;

/// A case as the command line knows it.
pub struct CaseEntry {
    /// On the command line.
    pub name: &'static str,
    /// One line on what it computes.
    pub summary: &'static str,
    /// What the parameter can be.
    pub parameters: &'static str,
    /// What runs if no parameter is given.
    pub defaults: &'static [&'static str],
    ready: fn(&str) -> Result<Job, String>,
}

impl CaseEntry {
    /// The case with `parameter`.
    ///
    /// # Errors
    /// Why the parameter cannot be used.
    pub fn job(&self, parameter: &str) -> Result<Job, String> {
        (self.ready)(parameter)
    }
}

/// All, in the paper's order.
pub static CASES: [CaseEntry; 6] = [
    CaseEntry {
        name: "raw",
        summary: "a tree of nodes that do nothing but push their children",
        parameters: "the number of nodes, 1 to 100000000",
        defaults: &["2000000"],
        ready: |parameter| {
            let nodes = number(parameter, 1..=100_000_000)?;
            Ok(Job::idempotent("raw", parameter, raw::Raw::new(nodes)))
        },
    },
    CaseEntry {
        name: "quicksort",
        summary: "quick sort that copies, insertion sort at the leaves, parents notified",
        parameters: "the number of elements, 1 to 100000000",
        defaults: &["200000"],
        ready: |parameter| {
            let elements = number(parameter, 1..=100_000_000)?;
            Ok(Job::exact("quicksort", parameter, quicksort::QuickSort::new(elements)))
        },
    },
    CaseEntry {
        name: "spanning-tree",
        summary: "a spanning tree of a random graph, as Bader and Cong grow it",
        parameters: "the number of vertices, 1 to 10000000",
        defaults: &["200000"],
        ready: |parameter| {
            let vertices = number(parameter, 1..=10_000_000)?;
            let case = spanning_tree::SpanningTree::new(vertices);
            Ok(Job::idempotent("spanning-tree", parameter, case))
        },
    },
    CaseEntry {
        name: "xml",
        summary: "a document model written as XML, parents after their children",
        parameters: "the number of elements to generate, 1 to 10000000, or `feed` (a feed that comes with \
                     this program, many times over), or the path of a document",
        defaults: &["40000", "feed"],
        ready: |parameter| Ok(Job::exact("xml", parameter, xml::Xml::new(parameter)?)),
    },
    CaseEntry {
        name: "shortest-paths",
        summary: "shortest paths from every vertex of a weighted graph, a node a source",
        parameters: "the number of vertices, 1 to 20000",
        defaults: &["600"],
        ready: |parameter| {
            let vertices = number(parameter, 1..=20_000)?;
            let case = shortest_paths::ShortestPaths::new(vertices);
            Ok(Job::idempotent("shortest-paths", parameter, case))
        },
    },
    CaseEntry {
        name: "marking",
        summary: "marking what can be reached in a heap, a node an object that is scanned",
        parameters: "the number of objects, 1 to 10000000",
        defaults: &["200000"],
        ready: |parameter| {
            let objects = number(parameter, 1..=10_000_000)?;
            Ok(Job::idempotent("marking", parameter, marking::Marking::new(objects)))
        },
    },
];

/// A number within `bounds`, written in digits only.
fn number(parameter: &str, bounds: RangeInclusive<u32>) -> Result<u32, String> {
    let digits = !parameter.is_empty() && parameter.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { parameter.parse().ok() } else { None };
    number.filter(|number| bounds.contains(number)).ok_or_else(|| {
        format!("`{parameter}` is no number from {} to {}", bounds.start(), bounds.end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counting, Queue};

    /// Small, but with enough nodes to be stolen.
    const SMALL: [(&str, &str); 7] = [
        ("raw", "3000"),
        ("quicksort", "3000"),
        ("spanning-tree", "2000"),
        ("xml", "500"),
        ("xml", "feed"),
        ("shortest-paths", "40"),
        ("marking", "500"),
    ];

    fn job(name: &str, parameter: &str) -> Job {
        CASES.iter().find(|case| case.name == name).unwrap().job(parameter).unwrap()
    }

    #[test]
    fn every_case_has_the_same_answer_on_every_queue_it_does_not_refuse() {
        for (name, parameter) in SMALL {
            let mut job = job(name, parameter);
            let expected = job.serial().unwrap();
            for queue in Queue::ALL {
                if job.refusal(queue).is_some() {
                    continue;
                }
                for (workers, counting) in
                    [(1, Counting::Off), (2, Counting::On), (3, Counting::Off), (8, Counting::On)]
                {
                    let sample = job.run(queue, workers, counting).unwrap();
                    let context = format!("{job} on {} x{workers}", queue.name());
                    assert_eq!(sample.answer, expected.answer, "{context}");
                    assert!(sample.visits >= expected.visits, "{context}");
                    assert_eq!(sample.counts.is_some(), counting == Counting::On, "{context}");
                }
            }
        }
    }

    #[test]
    fn the_smallest_cases_run() {
        for case in &CASES {
            let mut job = case.job("1").unwrap();
            job.serial().unwrap();
            for workers in [1, 4] {
                let sample = job.run(Queue::BASELINE, workers, Counting::Off).unwrap();
                assert_eq!(sample.duplicates, 0, "{job}");
            }
        }
    }

    #[test]
    fn what_is_counted_adds_up() {
        for (name, parameter) in SMALL {
            let mut job = job(name, parameter);
            for queue in Queue::ALL {
                if job.refusal(queue).is_some() {
                    continue;
                }
                let sample = job.run(queue, 3, Counting::On).unwrap();
                let counts = sample.counts.as_ref().unwrap();
                let context = format!("{job} on {}: {sample:?}", queue.name());
                let out = counts.takes + counts.steals + counts.overflows;
                assert_eq!(sample.visits, out, "{context}");
                let pushed = counts.pushes + counts.overflows;
                assert_eq!(sample.duplicates, sample.visits - pushed, "{context}");
                assert!(counts.peak_length > 0, "{context}");
            }
        }
    }

    #[test]
    fn only_idempotent_cases_run_on_relaxed_queues() {
        let relaxed = |name, parameter| {
            let job = job(name, parameter);
            Queue::ALL.into_iter().filter(|&queue| job.refusal(queue).is_none()).count()
        };
        for (name, parameter) in [("quicksort", "10"), ("xml", "10")] {
            assert_eq!(relaxed(name, parameter), 7, "{name}");
        }
        for name in ["raw", "spanning-tree", "shortest-paths", "marking"] {
            assert_eq!(relaxed(name, "10"), Queue::ALL.len(), "{name}");
        }
    }

    #[test]
    fn parameters_that_cannot_be_are_refused() {
        for case in &CASES {
            for parameter in ["0", "-1", "", "no/such/file.xml", "99999999999"] {
                assert!(case.job(parameter).is_err(), "{}:{parameter}", case.name);
            }
        }
    }
}
