//! Verdicts: what keeps a region from being faster, with the number that says so and what to try.

use serde::Serialize;
use std::fmt;

/// What keeps a region from being faster on more workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Nothing: there is enough parallelism for these workers.
    Nothing,
    /// Nothing is forked.
    NothingForked,
    /// The span, most of which is outside of all forks.
    SerialPart,
    /// The span, most of which is one long strand in a fork.
    LongTask,
    /// The span, which is a chain of many strands.
    Chain,
    /// Forks: the tasks are so short that to fork them takes much of the time.
    ForkCost,
    /// Steals: what runs in parallel is too small to be worth one.
    SmallForks,
    /// The distribution: there is parallelism, and workers have nothing to do.
    LoadBalance,
    /// Tasks that wait for locks or for input and output.
    Waiting,
    /// Other threads, which have the processors.
    Crowded,
    /// Unknown: the tasks are so short that what the profile itself costs decides which verdict it is.
    TooFineToTell,
}

/// What a verdict is made from; times in one unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) workers: f64,
    pub(crate) work: f64,
    pub(crate) span: f64,
    /// With the burden of this machine.
    pub(crate) burdened_span: f64,
    /// The part of the span outside of all forks.
    pub(crate) serial: f64,
    pub(crate) longest: f64,
    pub(crate) tasks: f64,
    /// What the forks have taken.
    pub(crate) forking: f64,
    pub(crate) blocked: f64,
    pub(crate) crowded: f64,
    /// What the profile itself has taken of the time in tasks, which is no part of the work.
    pub(crate) own: f64,
    /// A span shorter than this may be what neighbouring tasks were lumped together; 0 where each was timed.
    pub(crate) lumps: f64,
    /// How many workers were busy on average, if that is known.
    pub(crate) busy: Option<f64>,
    /// Whether the region was so long that workers could wake up for it.
    pub(crate) is_long: bool,
    /// Whether it took so many time slices that what others had of the processors is no chance.
    pub(crate) is_many_slices: bool,
}

impl Facts {
    /// Whether others had the processors for much of the time.
    fn is_crowded(&self) -> bool {
        self.crowded > MUCH * (self.work + self.crowded)
    }

    /// The same, in a run so short that it may be chance.
    fn is_disturbed(&self) -> bool {
        self.is_crowded() && !self.is_many_slices
    }
}

/// Without processor: a share of the work over which that is what matters.
const MUCH: f64 = 0.25;
/// What the profile may take beside what the program does: beyond it the work is a small difference of large numbers. With leaves of
/// 100 ns, where each event is timed, it takes 1.1 times the work, and the work was 17 % off; sampled, it takes 0.8 times that of
/// `fib`, and with leaves of 10 ns to 1 ms the work was within 7 % (medians of `examples/known_truth`, AMD EPYC, two cores).
const MOST_OWN: f64 = 1.0;
/// A parallelism of fewer times the workers bounds the speedup to two thirds of them, by T_1 / P + T_∞.
const ENOUGH: f64 = 2.0;
/// Busy workers as a share of those that could be.
const BALANCED: f64 = 0.7;

impl Cause {
    pub(crate) fn of(facts: &Facts) -> Cause {
        let Facts { workers, work, span, .. } = *facts;
        if work <= 0.0 {
            return Cause::NothingForked;
        }
        if facts.blocked > MUCH * work {
            return Cause::Waiting;
        }
        if facts.is_crowded() && facts.is_many_slices {
            return Cause::Crowded;
        }
        if facts.tasks == 0.0 {
            return Cause::NothingForked;
        }
        if work < ENOUGH * workers * span {
            return match () {
                () if facts.serial > 0.5 * span => Cause::SerialPart,
                () if facts.longest > 0.5 * span => Cause::LongTask,
                () => Cause::Chain,
            };
        }
        if work < ENOUGH * workers * facts.burdened_span {
            return Cause::SmallForks;
        }
        if facts.forking > MUCH * work {
            return Cause::ForkCost;
        }
        match facts.busy {
            Some(busy) if facts.is_long && !facts.is_disturbed() && busy < BALANCED * workers => {
                Cause::LoadBalance
            }
            _ => Cause::Nothing,
        }
    }

    /// The verdict on what was measured, if it does not depend on which measurement of the profile's own costs is right; `again` is
    /// what it is with the other one.
    pub(crate) fn settled(facts: &Facts, again: Option<&Facts>) -> (Cause, String) {
        let cause = Cause::of(facts);
        if facts.own > MOST_OWN * facts.work {
            let own = percent(facts.own, facts.own + facts.work);
            let sentence = format!(
                "too fine to tell by this clock: {own} of the time in tasks is what the profile itself takes. Sample the clock if it \
                 is read at each event, or do more in a task."
            );
            return (Cause::TooFineToTell, sentence);
        }
        if matches!(cause, Cause::Waiting | Cause::Crowded) || facts.tasks == 0.0 {
            return (cause, cause.sentence(facts));
        }
        let by_span =
            matches!(cause, Cause::SerialPart | Cause::LongTask | Cause::Chain | Cause::SmallForks);
        if by_span && facts.span < facts.lumps {
            let sentence = "too fine to tell by this clock: the span is no longer than what passes between some readings. Read the \
                            clock at each event (exact), or profile more of the same."
                .to_owned();
            return (Cause::TooFineToTell, sentence);
        }
        match again.map(Cause::of) {
            Some(other) if other != cause => {
                let sentence = format!(
                    "too fine to tell by this clock: what the profile itself costs was measured twice, and leads to two verdicts, \
                     \"{cause}\" and \"{other}\". Read the clock at each event (exact), or run it again."
                );
                (Cause::TooFineToTell, sentence)
            }
            _ => (cause, cause.sentence(facts)),
        }
    }

    /// One sentence with the number, and one with what to try; and one more where the run was too short to tell.
    pub(crate) fn sentence(self, facts: &Facts) -> String {
        let sentence = self.undisturbed(facts);
        if !facts.is_disturbed() {
            return sentence;
        }
        let share = percent(facts.crowded, facts.work + facts.crowded);
        format!(
            "{sentence} Others had the processors for {share} of the time in tasks, of which so short a run cannot tell whether \
             it is chance: run it longer, or again."
        )
    }

    fn undisturbed(self, facts: &Facts) -> String {
        let Facts { workers, work, span, .. } = *facts;
        let parallelism = |span: f64| number(work / span.max(1e-9));
        match self {
            Cause::Nothing => format!(
                "enough parallelism: {} for {workers} workers, with steals paid for.",
                parallelism(facts.burdened_span)
            ),
            Cause::NothingForked => {
                "nothing is forked: one worker does all. Fork what can run side by side.".to_owned()
            }
            Cause::SerialPart => format!(
                "limited by span: {} of the span is code outside of all forks, so the speedup is at most {}. Fork \
                 that part too, or let it run beside the rest.",
                percent(facts.serial, span),
                parallelism(span)
            ),
            Cause::LongTask => format!(
                "limited by span: one task without forks makes {} of the span, so the speedup is at most {}. Split the \
                 largest task.",
                percent(facts.longest, span),
                parallelism(span)
            ),
            Cause::Chain => format!(
                "limited by span: a chain of tasks that wait for each other, so the speedup is at most {}. Fork earlier, \
                 or shorten what each task does before it forks and after it joins.",
                parallelism(span)
            ),
            Cause::ForkCost => format!(
                "too fine: forking takes {} of the time. Do more in a task: look for the leaf before the join, and below some \
                 size call instead of fork; for tasks of scopes use join, join_range or loops.",
                percent(facts.forking, work)
            ),
            Cause::SmallForks => format!(
                "too fine: what runs side by side is mostly smaller than a steal; the parallelism is {}, and {} with \
                 steals paid for. Put several of these forks into one.",
                parallelism(span),
                parallelism(facts.burdened_span)
            ),
            Cause::LoadBalance => format!(
                "limited by load balance: {} of {workers} workers were busy, with a parallelism of {}. See whether \
                 thieves may take what is there: exposing, the deque, a pool that others use too.",
                number(facts.busy.unwrap_or(0.0)),
                parallelism(facts.burdened_span)
            ),
            Cause::Waiting => format!(
                "waiting on locks or I/O: in {} of the time in tasks no processor was used. Hold locks for less, or give \
                 each worker its own data; read and write on threads outside of the pool.",
                percent(facts.blocked, work)
            ),
            Cause::TooFineToTell => "too fine to tell by this clock.".to_owned(),
            Cause::Crowded => format!(
                "short of processors: for {} of the time in tasks others had them. Use fewer workers, or fewer other \
                 threads.",
                percent(facts.crowded, work + facts.crowded)
            ),
        }
    }
}

/// A part of a whole, in percent.
fn percent(part: f64, whole: f64) -> String {
    format!("{:.0} %", (100.0 * part / whole.max(1e-9)).clamp(0.0, 100.0))
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Cause::Nothing => "enough parallelism",
            Cause::NothingForked => "nothing forked",
            Cause::SerialPart => "limited by span: serial part",
            Cause::LongTask => "limited by span: one long task",
            Cause::Chain => "limited by span: a chain",
            Cause::ForkCost => "too fine: forks",
            Cause::SmallForks => "too fine: steals",
            Cause::LoadBalance => "limited by load balance",
            Cause::Waiting => "waiting on locks or I/O",
            Cause::Crowded => "short of processors",
            Cause::TooFineToTell => "too fine to tell",
        })
    }
}

/// A number with as many digits as say something.
pub(crate) fn number(value: f64) -> String {
    match value {
        value if value >= 1_000.0 => {
            let digits = format!("{value:.0}");
            let mut grouped = String::new();
            for (place, digit) in digits.chars().enumerate() {
                if place > 0 && (digits.len() - place) % 3 == 0 {
                    grouped.push(',');
                }
                grouped.push(digit);
            }
            grouped
        }
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Facts {
        Facts {
            workers: 4.0,
            work: 1_000.0,
            span: 10.0,
            burdened_span: 20.0,
            tasks: 1_000.0,
            busy: Some(3.9),
            is_long: true,
            is_many_slices: true,
            ..Facts::default()
        }
    }

    #[test]
    fn each_cause_is_told_by_its_number() {
        let cases = [
            (good(), Cause::Nothing, "50.0 for 4 workers"),
            (
                Facts { tasks: 0.0, span: 1_000.0, ..good() },
                Cause::NothingForked,
                "nothing is forked",
            ),
            (Facts { span: 500.0, serial: 400.0, ..good() }, Cause::SerialPart, "80 %"),
            (Facts { span: 500.0, longest: 300.0, ..good() }, Cause::LongTask, "60 %"),
            (Facts { span: 500.0, longest: 3.0, ..good() }, Cause::Chain, "at most 2.00"),
            (Facts { forking: 300.0, ..good() }, Cause::ForkCost, "30 %"),
            (Facts { burdened_span: 900.0, ..good() }, Cause::SmallForks, "1.11 with steals"),
            (Facts { busy: Some(1.5), ..good() }, Cause::LoadBalance, "1.50 of 4 workers"),
            (Facts { blocked: 700.0, ..good() }, Cause::Waiting, "70 %"),
            (Facts { crowded: 500.0, ..good() }, Cause::Crowded, "33 %"),
        ];
        for (facts, cause, number) in cases {
            assert_eq!(Cause::of(&facts), cause);
            let sentence = cause.sentence(&facts);
            assert!(sentence.contains(number), "{sentence}");
        }
    }

    #[test]
    fn what_others_had_of_a_short_run_is_told_beside_what_the_run_says() {
        let short = Facts { crowded: 500.0, busy: Some(1.5), is_many_slices: false, ..good() };
        let cause = Cause::of(&short);
        assert_eq!(cause, Cause::Nothing);
        let sentence = cause.sentence(&short);
        for words in
            ["enough parallelism: 50.0", "Others had the processors for 33 %", "so short a run"]
        {
            assert!(sentence.contains(words), "{sentence}");
        }
        let serial = Facts { span: 500.0, serial: 400.0, ..short };
        assert_eq!(Cause::of(&serial), Cause::SerialPart);
        let undisturbed = Facts { crowded: 100.0, ..short };
        assert_eq!(Cause::of(&undisturbed), Cause::LoadBalance);
        assert!(!Cause::LoadBalance.sentence(&undisturbed).contains("chance"));
    }

    #[test]
    fn where_two_measurements_of_the_costs_disagree_there_is_no_verdict() {
        let facts = Facts { forking: 300.0, ..good() };
        let (cause, sentence) = Cause::settled(&facts, Some(&facts));
        assert_eq!((cause, sentence), (Cause::ForkCost, Cause::ForkCost.sentence(&facts)));
        assert_eq!(Cause::settled(&facts, None).0, Cause::ForkCost);
        let (cause, sentence) = Cause::settled(&facts, Some(&good()));
        assert_eq!(cause, Cause::TooFineToTell);
        for words in ["too fine: forks", "enough parallelism"] {
            assert!(sentence.contains(words), "{sentence}");
        }
    }

    #[test]
    fn a_span_that_is_no_longer_than_a_lump_of_tasks_is_no_verdict() {
        let chain = Facts { span: 500.0, longest: 3.0, lumps: 600.0, ..good() };
        assert_eq!(Cause::settled(&chain, None).0, Cause::TooFineToTell);
        assert_eq!(Cause::settled(&Facts { lumps: 400.0, ..chain }, None).0, Cause::Chain);
        // What does not rest on the span is told.
        let forks = Facts { forking: 300.0, lumps: 600.0, ..good() };
        assert_eq!(Cause::settled(&forks, None).0, Cause::ForkCost);
    }

    #[test]
    fn where_most_of_the_time_was_the_profiles_there_is_no_verdict() {
        let facts = Facts { own: 9_000.0, span: 500.0, longest: 300.0, ..good() };
        let (cause, sentence) = Cause::settled(&facts, Some(&facts));
        assert_eq!(cause, Cause::TooFineToTell);
        assert!(sentence.contains("90 %"), "{sentence}");
    }

    #[test]
    fn a_percentage_is_of_something() {
        assert_eq!(
            [(1.0, 2.0), (9.0, 3.0), (-1.0, 2.0), (1.0, 0.0), (0.0, 0.0)]
                .map(|(a, b)| percent(a, b)),
            ["50 %", "100 %", "0 %", "100 %", "0 %"]
        );
    }

    #[test]
    fn numbers_have_three_digits_at_least() {
        assert_eq!(
            [1.234, 12.34, 123.4, 1_234_567.0].map(number),
            ["1.23", "12.3", "123", "1,234,567"]
        );
    }
}
