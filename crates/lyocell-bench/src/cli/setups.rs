//! The options that choose setups of the runtime. Each takes a list, and the setups are all combinations.

use std::time::Duration;

use clap::{Args, ValueEnum};
use lyocell::Wait;
use lyocell::deque::Amount;

use super::{CliError, enumerate};
use crate::engine::deques::{Choice, DEQUES, DequeEntry, SPLIT, deque};
use crate::engine::{Setup, Watch};

/// The name that stands for every deque.
const ALL: &str = "all";

#[derive(Args)]
#[command(next_help_heading = "Setups of lyocell")]
pub(super) struct SetupArguments {
    /// The deques, such as split,direct or all (see `lyocell list`) [default: split]
    ///
    /// Each deque, with each combination of the options below that means something to it, is an engine of its
    /// own, called `lyocell:DEQUE` and what differs from the defaults, such as lyocell:sender+leap+100us.
    #[arg(long = "deque", value_name = "DEQUE", value_delimiter = ',')]
    deques: Vec<String>,

    /// What a worker does that waits for a stolen task: leap, transitive, leap+random, random, none
    /// [default: leap+random]
    #[arg(long = "wait", value_name = "POLICY", value_delimiter = ',')]
    waits: Vec<Wait>,

    /// How many tasks a steal moves [default: half for sender, one for the others]
    #[arg(long = "steal", value_name = "AMOUNT", value_delimiter = ',')]
    amounts: Vec<Moved>,

    /// The mean time between two deals of one owner, for sender, such as 30us or 1ms [default: 30us]
    #[arg(long = "delta", value_name = "TIME", value_delimiter = ',',
          value_parser = delta)]
    deltas: Vec<Duration>,

    /// How often workers in long tasks are interrupted to share what thieves wait for, such as 500us; or off
    /// [default: off]
    #[arg(long = "interrupt", value_name = "PERIOD", value_delimiter = ',', value_parser = period)]
    periods: Vec<Period>,

    /// Count what the workers do, and report that too
    ///
    /// Tasks, steals, leaps, failed and busy attempts, and what the deque had to do for them; peaks are of the
    /// deque, in tasks, and of the stack. In a table these are of the run of median time. In CSV they are further
    /// columns: a run has a line for all its workers, with `all` in the column `worker`, then one for each
    /// worker with its number there. In JSON they are in the object `stats` of each run.
    #[arg(long)]
    stats: bool,

    /// Take the times of what the workers do, and report them too
    ///
    /// Start and stop, the application, the application acquired by leaping, stealing, leaping, idle: by the
    /// clock on the wall, of each worker from the start of a run to its end. Reported as `--stats` is, in JSON as
    /// the object `times`. On split-fence and the variants of direct, times have the counting in them.
    #[arg(long)]
    times: bool,
}

/// How many tasks a steal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Moved {
    /// The oldest task
    One,
    /// The older half of the tasks
    Half,
}

/// How often workers are interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    Never,
    Every(Duration),
}

fn period(word: &str) -> Result<Period, String> {
    match humantime::parse_duration(word) {
        _ if word == "off" => Ok(Period::Never),
        Ok(Duration::ZERO) => Err("a period is longer than nothing, such as 500us".to_owned()),
        Ok(period) => Ok(Period::Every(period)),
        Err(error) => Err(format!("a period is such as 500us or 2ms, or off: {error}")),
    }
}

/// A delta, for clap.
fn delta(word: &str) -> Result<Duration, String> {
    humantime::parse_duration(word)
        .map_err(|error| format!("a delta is such as 30us or 1ms: {error}"))
}

impl From<Moved> for Amount {
    fn from(moved: Moved) -> Amount {
        match moved {
            Moved::One => Amount::One,
            Moved::Half => Amount::Half,
        }
    }
}

impl SetupArguments {
    /// Whether anything is said about the runtime.
    pub(super) fn are_given(&self) -> bool {
        self.stats
            || self.times
            || !self.deques.is_empty()
            || !self.waits.is_empty()
            || !self.amounts.is_empty()
            || !self.deltas.is_empty()
            || !self.periods.is_empty()
    }

    /// What the probes look at.
    pub(super) fn watch(&self) -> Watch {
        match (self.stats, self.times) {
            (false, false) => Watch::Nothing,
            (true, false) => Watch::Counts,
            (false, true) => Watch::Times,
            (true, true) => Watch::Both,
        }
    }

    /// Every combination, in the order of the options; at least one. Where an option means nothing to some of
    /// the deques, that is said on the standard error.
    ///
    /// # Errors
    /// There is no deque of some name, or an option means nothing to all of them.
    pub(super) fn setups(&self) -> Result<Vec<Setup>, CliError> {
        let deques = self.named_deques()?;
        for choice in Choice::ALL {
            self.refuse_meaningless(choice, &deques)?;
        }
        let mut setups = Vec::new();
        for setup in deques.iter().flat_map(|deque| self.combinations(deque)) {
            let setup = setup.checked().map_err(|error| CliError::Usage(error.to_string()))?;
            if !setups.iter().any(|known: &Setup| known.name() == setup.name()) {
                setups.push(setup);
            }
        }
        Ok(setups)
    }

    fn named_deques(&self) -> Result<Vec<&'static DequeEntry>, CliError> {
        if self.deques.is_empty() {
            return Ok(vec![&SPLIT]);
        }
        let mut named = Vec::new();
        for name in &self.deques {
            match deque(name) {
                Some(deque) => named.push(deque),
                None if name == ALL => named.extend(DEQUES),
                None => {
                    let names = enumerate(DEQUES.iter().map(|deque| deque.name));
                    let message =
                        format!("there is no deque `{name}`: there are {names}; or {ALL}");
                    return Err(CliError::Usage(message));
                }
            }
        }
        Ok(named)
    }

    /// Whether the option is used for more than what every deque does.
    fn makes(&self, choice: Choice) -> bool {
        match choice {
            Choice::Steal => self.amounts.contains(&Moved::Half),
            Choice::Delta => !self.deltas.is_empty(),
            Choice::Interrupt => self.periods.iter().any(|period| *period != Period::Never),
        }
    }

    fn refuse_meaningless(
        &self,
        choice: Choice,
        deques: &[&'static DequeEntry],
    ) -> Result<(), CliError> {
        if !self.makes(choice) {
            return Ok(());
        }
        let without: Vec<_> = deques.iter().filter(|deque| !deque.choices.leave(choice)).collect();
        let names = enumerate(without.iter().map(|deque| deque.name));
        if without.len() == deques.len() {
            let having = enumerate(choice.deques());
            let message = format!("{choice} means nothing to {names}: it is for {having}");
            return Err(CliError::Usage(message));
        }
        if !without.is_empty() {
            anstream::eprintln!("note: {choice} means nothing to {names}");
        }
        Ok(())
    }

    /// What is asked of this deque, each option as far as the deque leaves the choice.
    fn combinations(&self, deque: &'static DequeEntry) -> Vec<Setup> {
        let mut setups = vec![Setup { watch: self.watch(), ..Setup::of(deque) }];
        multiply(&mut setups, &self.waits, |setup, &wait| setup.wait = wait);
        if deque.choices.leave(Choice::Steal) {
            multiply(&mut setups, &self.amounts, |setup, &moved| setup.amount = Some(moved.into()));
        }
        if deque.choices.leave(Choice::Delta) {
            multiply(&mut setups, &self.deltas, |setup, &delta| setup.delta = Some(delta));
        }
        if deque.choices.leave(Choice::Interrupt) {
            multiply(&mut setups, &self.periods, |setup, &period| {
                setup.interrupt = match period {
                    Period::Never => None,
                    Period::Every(period) => Some(period),
                }
            });
        }
        setups
    }
}

/// Makes of each setup one for each value; nothing if there are none.
fn multiply<T>(setups: &mut Vec<Setup>, values: &[T], set: impl Fn(&mut Setup, &T)) {
    if values.is_empty() {
        return;
    }
    let with = |setup: &Setup, value| {
        let mut setup = *setup;
        set(&mut setup, value);
        setup
    };
    *setups = setups
        .iter()
        .flat_map(|setup| values.iter().map(move |value| (setup, value)))
        .map(|(setup, value)| with(setup, value))
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        setups: SetupArguments,
    }

    fn names(arguments: &str) -> Result<Vec<String>, CliError> {
        let line = Line::parse_from(std::iter::once("lyocell").chain(arguments.split_whitespace()));
        Ok(line.setups.setups()?.iter().map(Setup::name).collect())
    }

    #[test]
    fn setups_are_all_combinations_that_mean_something_each_once() {
        assert_eq!(names("").unwrap(), ["lyocell"]);
        assert_eq!(
            names("--deque split,abp --steal one,half --wait leap,leap+random").unwrap(),
            [
                "lyocell:split+leap",
                "lyocell:split+leap+half",
                "lyocell",
                "lyocell:split+half",
                "lyocell:abp+leap",
                "lyocell:abp"
            ]
        );
        assert_eq!(
            names("--deque sender,split --delta 30us,1ms").unwrap(),
            ["lyocell:sender", "lyocell:sender+1ms", "lyocell"]
        );
        assert_eq!(
            names("--deque receiver,direct --interrupt off,1ms").unwrap(),
            ["lyocell:receiver", "lyocell:receiver+interrupt-1ms", "lyocell:direct"]
        );
        assert_eq!(names("--deque all,split").unwrap().len(), DEQUES.len());
    }

    #[test]
    fn an_option_that_no_deque_has_is_refused() {
        let message = |arguments| names(arguments).unwrap_err().message().unwrap();
        let steal = message("--deque abp,direct --steal half");
        assert!(steal.contains("--steal half means nothing to abp and direct"), "{steal}");
        assert!(steal.contains("it is for split, split-fence, receiver"), "{steal}");
        let delta = message("--delta 1ms");
        assert!(delta.contains("--delta means nothing to split"), "{delta}");
        let unknown = message("--deque deck");
        assert!(unknown.contains("`deck`") && unknown.contains("split, split-fence"), "{unknown}");
    }
}
