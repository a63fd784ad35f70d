//! Pairs that were kept in a file, which begins with comments that say what they were measured on.

use super::Pair;
use crate::results::{comments_of_today, parse_kept};

/// What a file holds.
pub(crate) struct KeptPairs {
    /// What they were measured on, and when, if the file says so.
    pub(crate) machine: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) pairs: Vec<Pair>,
}

impl KeptPairs {
    /// The text of a file with pairs that were measured here, today.
    pub(crate) fn text_of_today(pairs: &[Pair]) -> String {
        comments_of_today() + &crate::report::csv(pairs)
    }

    /// What `text` says.
    ///
    /// # Errors
    /// It is no such file; why, in words.
    pub(crate) fn parse(text: &str) -> Result<KeptPairs, String> {
        let (notes, reader) = parse_kept(text);
        let pairs: Result<Vec<Pair>, csv::Error> = reader.into_deserialize().collect();
        let pairs = pairs.map_err(|error| error.to_string())?;
        if pairs.is_empty() {
            return Err("there are no pairs in it".to_owned());
        }
        let note = |name: &str| {
            let note = notes.iter().find(|(known, _)| known == name);
            note.map(|(_, value)| value.clone())
        };
        Ok(KeptPairs { machine: note("machine"), date: note("date"), pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let program = "sum-100".to_owned();
        let pairs = [Pair { program, workers: 2, pair: 0, rayon_ns: 7, lyocell_ns: 5 }];
        let kept = KeptPairs::parse(&KeptPairs::text_of_today(&pairs)).unwrap();
        assert_eq!(kept.pairs, pairs);
        assert!(kept.machine.unwrap().contains("lyocell"));
        assert_eq!(kept.date.unwrap().len(), "2026-11-22".len());
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        for text in ["", "# machine: x\n", "a,b\n1,2\n"] {
            assert!(KeptPairs::parse(text).is_err(), "{text:?}");
        }
    }
}
