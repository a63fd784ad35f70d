//! A large document by a seeded generator: sections in sections, with paragraphs in the innermost.

use std::collections::VecDeque;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::super::SEED;
use super::document::{Content, DOCUMENT, Document, ItemId};

/// Elements directly in a section, at most.
const MOST_IN_A_SECTION: u32 = 12;

/// Words in a paragraph, at most.
const MOST_WORDS: u32 = 40;

const WORDS: [&str; 16] = [
    "worker",
    "queue",
    "steals",
    "from",
    "the",
    "oldest",
    "end",
    "while",
    "its",
    "owner",
    "pushes",
    "&",
    "takes",
    "<",
    "Größe",
    "if (a > b)",
];

/// A document of `elements` elements.
pub(super) fn generate(elements: u32) -> Document {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut document = Document::new();
    document
        .add(DOCUMENT, Content::Instruction("xml version=\"1.0\" encoding=\"UTF-8\"".to_owned()));
    let root = document.add(DOCUMENT, Content::element("report", &[("lang", "en")]));
    let mut empty = VecDeque::from([root]);
    let mut left = elements - 1;
    while left > 0 {
        let section = empty.pop_front().expect("a section puts at least one element in the line");
        for _ in 0..random.random_range(1..=MOST_IN_A_SECTION).min(left) {
            let id = format!("s{left}");
            let class =
                *["note", "warning & more", "\"quoted\""].choose(&mut random).expect("three");
            let element = Content::element("section", &[("id", &id), ("class", class)]);
            empty.push_back(document.add(section, element));
            left -= 1;
        }
    }
    for section in empty {
        let text = paragraph(&mut random);
        fill(&mut document, section, text);
    }
    document
}

fn paragraph(random: &mut Xoshiro256PlusPlus) -> String {
    let words = random.random_range(0..=MOST_WORDS);
    let words: Vec<&str> = (0..words).map(|_| *WORDS.choose(random).expect("sixteen")).collect();
    words.join(" ")
}

fn fill(document: &mut Document, section: ItemId, text: String) {
    if !text.is_empty() {
        document.add(section, Content::Text(text));
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::super::write::serialize;
    use super::*;

    #[test]
    fn it_has_as_many_elements_as_asked_and_can_be_read_back() {
        for elements in [1, 2, 500] {
            let document = generate(elements);
            let is_element = |content: &Content| matches!(content, Content::Element { .. });
            let count = document.items().iter().filter(|item| is_element(&item.content)).count();
            assert_eq!(count, elements as usize);
            let text = serialize(&document);
            assert_eq!(serialize(&read(&text).unwrap()), text);
        }
    }
}
