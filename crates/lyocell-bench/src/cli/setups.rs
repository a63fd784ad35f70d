//! The options that choose setups of the runtime: made from the table of options.

use clap::builder::ValueParser;
use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::comparison::SetupRequest;
use lyocell_engines::runtime::options::OPTIONS;
use lyocell_engines::runtime::{Choice, Value, Watch};

const HEADING: &str = "Setups of lyocell";

#[derive(Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct SetupArguments {
    /// The deques, such as split,direct or all (see `lyocell list`) [default: split]
    ///
    /// Each deque, with each combination of the options below that means something to it, is an engine of its
    /// own, called `lyocell:DEQUE` and what differs from the defaults, such as lyocell:sender+leap+100us.
    #[arg(long = "deque", value_name = "DEQUE", value_delimiter = ',')]
    deques: Vec<String>,

    #[command(flatten)]
    options: OptionArguments,

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

impl SetupArguments {
    pub(super) fn request(&self) -> SetupRequest {
        let watch = match (self.stats, self.times) {
            (false, false) => Watch::Nothing,
            (true, false) => Watch::Counts,
            (false, true) => Watch::Times,
            (true, true) => Watch::Both,
        };
        SetupRequest { deques: self.deques.clone(), values: self.options.0.clone(), watch }
    }
}

/// The words that ask for the same, but for what is watched.
pub(super) fn words(request: &SetupRequest) -> Vec<String> {
    let deques = Some(request.deques.join(",")).filter(|deques| !deques.is_empty());
    let option = |choice: Choice| {
        let values: Vec<String> = request.values(choice).map(|value| value.to_string()).collect();
        (!values.is_empty()).then(|| format!("--{}={}", choice.name, values.join(",")))
    };
    let deques = deques.map(|deques| format!("--deque={deques}"));
    deques.into_iter().chain(OPTIONS.into_iter().filter_map(option)).collect()
}

/// The values of each option of the table.
struct OptionArguments(Vec<(Choice, Value)>);

impl FromArgMatches for OptionArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let values = |choice: Choice| {
            let values = matches.get_many::<Value>(choice.name);
            values.unwrap_or_default().map(move |&value| (choice, value))
        };
        Ok(OptionArguments(OPTIONS.into_iter().flat_map(values).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = OptionArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OptionArguments {
    fn augment_args(command: Command) -> Command {
        command.args(OPTIONS.map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        OptionArguments::augment_args(command)
    }
}

fn argument(choice: Choice) -> Arg {
    let option = choice;
    Arg::new(option.name)
        .long(option.name)
        .value_name(option.value_name)
        .value_delimiter(',')
        .value_parser(ValueParser::new(option.parse))
        .action(ArgAction::Append)
        .help(format!("{} [default: {}]", option.help, choice.defaults()))
        .help_heading(HEADING)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use lyocell_engines::runtime::options::STEAL;

    use super::*;
    use lyocell_engines::runtime::Setup;
    use lyocell_engines::runtime::deques::DEQUES;
    use lyocell_workloads::Refused;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        setups: SetupArguments,
    }

    fn names(arguments: &str) -> Result<Vec<String>, Refused> {
        let line = Line::parse_from(std::iter::once("lyocell").chain(arguments.split_whitespace()));
        Ok(line.setups.request().setups()?.0.iter().map(Setup::name).collect())
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
            names("--deque split,receiver --share quarter,half").unwrap(),
            ["lyocell:split+share-quarter", "lyocell", "lyocell:receiver"]
        );
        assert_eq!(
            names("--deque receiver,direct --interrupt off,1ms").unwrap(),
            ["lyocell:receiver", "lyocell:receiver+interrupt-1ms", "lyocell:direct"]
        );
        assert_eq!(names("--deque all,split").unwrap().len(), DEQUES.len());
    }

    #[test]
    fn the_words_of_a_request_make_the_same_setups() {
        for words in [
            "",
            "--deque split,sender --wait leap,leap+random --delta 30us,1ms --steal half --share all",
        ] {
            let line = std::iter::once("lyocell").chain(words.split_whitespace());
            let again = super::words(&Line::parse_from(line).setups.request()).join(" ");
            assert_eq!(names(&again), names(words), "{again}");
        }
    }

    #[test]
    fn an_option_that_no_deque_has_is_refused() {
        let message = |arguments| names(arguments).unwrap_err().0;
        let steal = message("--deque abp,direct --steal half");
        assert!(steal.contains("--steal half means nothing to abp and direct"), "{steal}");
        assert!(steal.contains("it is for split, split-fence, receiver"), "{steal}");
        let delta = message("--delta 1ms");
        assert!(delta.contains("--delta means nothing to split"), "{delta}");
        let share = message("--deque receiver --share half");
        assert!(share.contains("--share means nothing to receiver"), "{share}");
        assert!(share.contains("it is for split and split-fence"), "{share}");
        let unknown = message("--deque deck");
        assert!(unknown.contains("`deck`") && unknown.contains("split, split-fence"), "{unknown}");
    }

    #[test]
    fn an_option_says_what_it_is_by_default() {
        let help = argument(&STEAL).get_help().unwrap().to_string();
        assert!(
            help.ends_with("[default: half for sender and sender-two-step, one for the others]")
        );
    }
}
