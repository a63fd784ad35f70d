//! The machine files that are shipped, and those of a user.

use lyocell_virtual::Machine;

/// Name and text of each.
const SHIPPED: [(&str, &str); 10] = [
    ("amd-epyc-2", include_str!("../../machines/amd-epyc-2.toml")),
    ("intel-xeon-2", include_str!("../../machines/intel-xeon-2.toml")),
    ("opteron-48", include_str!("../../machines/opteron-48.toml")),
    ("xeon-7550-32", include_str!("../../machines/xeon-7550-32.toml")),
    ("opteron-8", include_str!("../../machines/opteron-8.toml")),
    ("opteron-32", include_str!("../../machines/opteron-32.toml")),
    ("epyc-7742-128", include_str!("../../machines/epyc-7742-128.toml")),
    ("xeon-8375c-64", include_str!("../../machines/xeon-8375c-64.toml")),
    ("graviton3-64", include_str!("../../machines/graviton3-64.toml")),
    ("sapphire-rapids-112", include_str!("../../machines/sapphire-rapids-112.toml")),
];

/// The names of the machines that are shipped.
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// The machine of this name, or of this file.
///
/// # Errors
/// There is none, or the file is no machine file: what to do, in words.
pub fn machine(name: &str) -> Result<Machine, String> {
    let shipped =
        SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| (*text).to_owned());
    let text = match shipped {
        Some(text) => text,
        None if name.ends_with(".toml") => {
            std::fs::read_to_string(name).map_err(|error| format!("{name}: {error}"))?
        }
        None => {
            return Err(format!(
                "there is no machine {name}: there are {}, or name a file that ends in .toml",
                names().join(", ")
            ));
        }
    };
    Machine::parse(&text).map_err(|error| format!("{name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_that_is_shipped_can_be_had_and_says_where_its_numbers_are_from() {
        for name in names() {
            let machine = machine(name).unwrap();
            assert!(machine.cost.values().all(|cost| !cost.source.is_empty()), "{name}");
        }
        assert!(machine("abacus").unwrap_err().contains("opteron-48"));
    }
}
