//! From options to setups of the runtime. Each option takes several values, and the setups are all combinations.

use lyocell_engines::runtime::deques::{DEQUES, DequeEntry, deque};
use lyocell_engines::runtime::options::OPTIONS;
use lyocell_engines::runtime::{Choice, Setup, Value, Watch};
use lyocell_workloads::{Refused, enumerate};

/// The name that stands for every deque.
pub(crate) const ALL: &str = "all";

/// What is asked of the runtime.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetupRequest {
    /// By name; the default if there are none.
    pub(crate) deques: Vec<String>,
    /// Values of options, several of one among them.
    pub(crate) values: Vec<(Choice, Value)>,
    pub(crate) watch: Watch,
}

impl SetupRequest {
    /// Whether anything is asked.
    pub(crate) fn is_made(&self) -> bool {
        self.watch != Watch::Nothing || !self.deques.is_empty() || !self.values.is_empty()
    }

    /// Every combination, in the order of the options; at least one. And the options that mean nothing to some of the
    /// deques.
    ///
    /// # Errors
    /// There is no deque of some name, or an option means nothing to all of them.
    pub(crate) fn setups(&self) -> Result<(Vec<Setup>, Vec<String>), Refused> {
        let deques = self.named_deques()?;
        let mut notes = Vec::new();
        for choice in OPTIONS {
            notes.extend(self.unsupported(choice, &deques)?);
        }
        let mut setups: Vec<Setup> = Vec::new();
        for setup in deques.iter().flat_map(|deque| self.combinations(deque)) {
            let setup = setup.checked().map_err(|error| Refused(error.to_string()))?;
            if !setups.iter().any(|known| known.name() == setup.name()) {
                setups.push(setup);
            }
        }
        Ok((setups, notes))
    }

    fn named_deques(&self) -> Result<Vec<&'static DequeEntry>, Refused> {
        if self.deques.is_empty() {
            return Ok(vec![&DEQUES[0]]);
        }
        let mut named = Vec::new();
        for name in &self.deques {
            match deque(name) {
                Some(deque) => named.push(deque),
                None if name == ALL => named.extend(&DEQUES),
                None => {
                    let names = enumerate(DEQUES.iter().map(|deque| deque.name));
                    let message =
                        format!("there is no deque `{name}`: there are {names}; or {ALL}");
                    return Err(Refused(message));
                }
            }
        }
        Ok(named)
    }

    /// The values of an option.
    pub(crate) fn values(&self, choice: Choice) -> impl Iterator<Item = Value> {
        let of = move |&&(option, _): &&(Choice, Value)| option == choice;
        self.values.iter().filter(of).map(|&(_, value)| value)
    }

    /// What to say of the deques to which the option means nothing, if it is used for more than what every deque does.
    fn unsupported(
        &self,
        choice: Choice,
        deques: &[&'static DequeEntry],
    ) -> Result<Option<String>, Refused> {
        let option = choice;
        if self.values(choice).all(|value| Some(value) == option.idle) {
            return Ok(None);
        }
        let without: Vec<_> = deques.iter().filter(|deque| !deque.takes(choice)).collect();
        let (used, names) = (option.used, enumerate(without.iter().map(|deque| deque.name)));
        if without.len() == deques.len() {
            let having = enumerate(choice.deques());
            return Err(Refused(format!("{used} means nothing to {names}: it is for {having}")));
        }
        Ok((!without.is_empty()).then(|| format!("{used} means nothing to {names}")))
    }

    /// What is asked of this deque, each option as far as the deque takes it.
    fn combinations(&self, deque: &'static DequeEntry) -> Vec<Setup> {
        let mut setups = vec![Setup::of(deque).watched(self.watch)];
        for choice in OPTIONS {
            let values: Vec<Value> = self.values(choice).collect();
            if deque.takes(choice) && !values.is_empty() {
                let with =
                    |setup: Setup| values.iter().map(move |&value| setup.with(choice, value));
                setups = setups.into_iter().flat_map(with).collect();
            }
        }
        setups
    }
}
