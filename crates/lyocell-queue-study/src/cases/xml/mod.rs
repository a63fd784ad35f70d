//! A document model is written as XML (Alkærsig et al. 2014, section 4.1, after Lu and Gannon).
//!
//! ```text
//! visit an item:   push its children; a leaf is written and its parent notified
//! assemble:        the last child to be written pushes its parent again, which is put together from its
//!                  children's texts, and its parent notified
//! ```
//! Not idempotent: a parent counts its children, and a child visited twice would count as two.
//!
//! Reading order: `document` (the model), `read` (by `quick-xml`), `generate` (a large one), `write` (the
//! pieces, and the serial serialiser). The feed in `data/feed.xml` was written for this project.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use lyocell_workloads::WrongAnswer;
use sha1::{Digest, Sha1};

use self::document::{Content, DOCUMENT, Document, ItemId};
use super::number;
use crate::node::{Case, Node};

mod document;
mod generate;
mod read;
mod write;

/// The feed of the papers this project implements.
const FEED: &str = include_str!("../../../data/feed.xml");

/// The feed is short, so it is written this many times over, under one element.
const FEED_COPIES: usize = 400;

const MOST_ELEMENTS: u32 = 10_000_000;

/// The case.
#[derive(Debug)]
pub(super) struct Xml {
    document: Document,
    /// Of each item, once it is written.
    texts: Vec<OnceLock<String>>,
    /// How many of each item's children are not written yet.
    missing: Vec<AtomicU32>,
    expected: String,
}

/// An item to write.
#[derive(Clone, Copy)]
pub(super) enum Task {
    Visit(ItemId),
    Assemble(ItemId),
}

impl Xml {
    /// A generated document, the feed, or the document in a file.
    ///
    /// # Errors
    /// There is no such file, or no document in it.
    pub(super) fn new(parameter: &str) -> Result<Xml, String> {
        if parameter == "feed" {
            return Ok(Xml::of(feed()));
        }
        if parameter.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Xml::of(generate::generate(number(parameter, 1..=MOST_ELEMENTS)?)));
        }
        let text =
            fs::read_to_string(parameter).map_err(|error| format!("{parameter}: {error}"))?;
        let document =
            read::read(&text).map_err(|error| format!("{parameter} is no XML: {error}"))?;
        Ok(Xml::of(document))
    }

    fn of(document: Document) -> Xml {
        let items = document.items();
        let expected = write::serialize(&document);
        // What is measured wrote it, so somebody else reads it.
        let read = read::read(&expected).expect("a document is written");
        assert!(document.says_as(&read), "what is written is not the document");
        let mut case = Xml {
            texts: items.iter().map(|_| OnceLock::new()).collect(),
            missing: items.iter().map(|_| AtomicU32::new(0)).collect(),
            expected,
            document,
        };
        case.reset();
        case
    }

    /// Puts an item together from its children's texts.
    fn assemble(&self, id: ItemId) -> String {
        let content = &self.document.item(id).content;
        let child = |&child: &ItemId| self.texts[child as usize].get().expect("it was written");
        let mut text = String::new();
        write::open(&mut text, content);
        self.document.children(id).iter().map(child).for_each(|child| text.push_str(child));
        write::close(&mut text, content);
        text
    }

    /// Leaves the text of a written item; the last child makes its parent a node.
    fn leave(&self, id: ItemId, text: String, push: &mut impl FnMut(Task)) {
        self.texts[id as usize].set(text).expect("each item is written once");
        if id == DOCUMENT {
            return;
        }
        let parent = self.document.item(id).parent;
        // Ordering: AcqRel; the last child meets all others, whose texts the assembling worker reads.
        if self.missing[parent as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
            push(Task::Assemble(parent));
        }
    }
}

/// The feed, many times over.
fn feed() -> Document {
    let feed = read::read(FEED).expect("the feed is a document");
    let mut document = Document::new();
    let feeds = document.add(DOCUMENT, Content::element("feeds", &[]));
    for _ in 0..FEED_COPIES {
        for &item in feed.children(DOCUMENT) {
            if matches!(feed.item(item).content, Content::Element { .. }) {
                document.add_copy(feeds, &feed, item);
            }
        }
    }
    document
}

impl Node for Task {
    type Case = Xml;

    fn visit(self, case: &Xml, push: &mut impl FnMut(Task)) {
        match self {
            Task::Visit(id) => match case.document.children(id) {
                [] => case.leave(id, case.assemble(id), push),
                children => children.iter().for_each(|&child| push(Task::Visit(child))),
            },
            Task::Assemble(id) => case.leave(id, case.assemble(id), push),
        }
    }
}

impl Case for Xml {
    type Node = Task;

    fn reset(&mut self) {
        self.texts.iter_mut().for_each(|text| *text = OnceLock::new());
        for (id, missing) in self.missing.iter_mut().enumerate() {
            *missing.get_mut() = self.document.children(id as ItemId).len() as u32;
        }
    }

    fn root(&self) -> Task {
        Task::Visit(DOCUMENT)
    }

    fn run_serially(&self) {
        let text = write::serialize(&self.document);
        self.texts[DOCUMENT as usize].set(text).expect("it was reset");
    }

    /// Each item is visited, and assembled if there is something in it.
    fn nodes(&self) -> u64 {
        let items = 0..self.document.items().len() as ItemId;
        let inner = items.clone().filter(|&id| !self.document.children(id).is_empty()).count();
        (items.len() + inner) as u64
    }

    fn most_queued(&self) -> usize {
        self.document.items().len()
    }

    fn judge(&mut self) -> Result<String, WrongAnswer> {
        let answer = |text: &str| format!("{} bytes, SHA-1 {}", text.len(), short_digest(text));
        let expected = answer(&self.expected);
        match self.texts[DOCUMENT as usize].get() {
            Some(text) if *text == self.expected => Ok(expected),
            Some(text) => Err(WrongAnswer { expected, got: answer(text) }),
            None => Err(WrongAnswer { expected, got: "nothing".to_owned() }),
        }
    }
}

/// Enough of the digest to tell documents apart.
fn short_digest(text: &str) -> String {
    const BYTES: usize = 4;
    Sha1::digest(text)[..BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feed_is_written_as_it_was_read() {
        let document = read::read(FEED).unwrap();
        assert_eq!(write::serialize(&document), FEED);
        let copies = write::serialize(&feed());
        assert_eq!(copies.matches("</feed>").count(), FEED_COPIES);
    }

    #[test]
    fn items_written_one_by_one_are_the_serial_document() {
        for parameter in ["1", "300", "feed"] {
            let mut case = Xml::new(parameter).unwrap();
            assert!(case.judge().unwrap_err().to_string().contains("nothing"));
            let (mut stack, mut visits) = (vec![case.root()], 0);
            while let Some(task) = stack.pop() {
                visits += 1;
                task.visit(&case, &mut |task| stack.push(task));
            }
            assert_eq!(visits, case.nodes());
            case.judge().unwrap();
        }
    }

    #[test]
    fn another_text_is_a_wrong_answer() {
        let mut case = Xml::new("50").unwrap();
        case.texts[0] = OnceLock::from(case.expected.replacen("id", "di", 1));
        assert!(case.judge().unwrap_err().to_string().contains("SHA-1"));
    }

    #[test]
    fn a_file_is_read_and_what_is_none_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xml");
        fs::write(&path, "<a><b/>text</a>").unwrap();
        let mut case = Xml::new(path.to_str().unwrap()).unwrap();
        case.run_serially();
        assert!(case.judge().unwrap().starts_with("15 bytes"));
        fs::write(&path, "<a><b>").unwrap();
        assert!(Xml::new(path.to_str().unwrap()).unwrap_err().contains("is no XML"));
    }
}
