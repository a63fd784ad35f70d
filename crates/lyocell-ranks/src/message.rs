//! What ranks say to each other, and how it is written down.
//!
//! ```text
//!   | "LYOR" | version of this form | the rest, by postcard |
//! ```
//! The first eight bytes stay as they are whatever the rest becomes, so ranks of different versions understand that they do
//! not understand each other.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

const MAGIC: [u8; 4] = *b"LYOR";
/// Changes with each change of [`Message`].
const VERSION: u32 = 1;
const HEAD: usize = 8;

/// How much of a bag travels at most, in bytes, unless a single item is larger.
pub(crate) const LARGEST_BAG: usize = 64 << 10;

/// How many bags a rank has sent and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) sent: u64,
    pub(crate) received: u64,
}

/// How a rank asks for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// Once: it wants an answer, and asks somebody else if there is nothing.
    Now,
    /// Along a lifeline: it is remembered until there is something.
    Whenever,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Message<'a> {
    /// Up the tree, before anything else: what the ranks there are built from.
    Hello(Cow<'a, str>),
    /// Down the tree: all are built from the same.
    Start,
    Ask(Ask),
    /// The answer to [`Ask::Now`] where there is nothing to be had.
    Nothing,
    /// The answer to [`Ask::Whenever`]: it is remembered.
    Noted,
    /// A bag, to whom has asked so.
    Give(Ask, Cow<'a, [u8]>),
    /// Down the tree: how many bags have been sent and received, once you have nothing to do?
    Count,
    /// Up the tree: so many.
    Counted(Counts),
    /// Down the tree: nothing is left to be done anywhere.
    End,
    /// Up the tree: what this part of it came to.
    Subtotal(Cow<'a, [u8]>),
    /// Down the tree: what all came to.
    Total(Cow<'a, [u8]>),
    /// To everybody: this rank has failed.
    Failed(usize, Cow<'a, str>),
    /// The answer to that.
    Understood,
}

/// Why a message could not be understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// It is from something else.
    Foreign,
    /// It is from another version, this one.
    Version(u32),
    /// It is damaged.
    Damaged(postcard::Error),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Foreign => write!(f, "it is no message of lyocell-ranks"),
            Malformed::Version(version) => write!(
                f,
                "it is of version {version} of this protocol, here is version {VERSION}: run the same build on all ranks"
            ),
            Malformed::Damaged(why) => write!(f, "it is damaged ({why})"),
        }
    }
}

impl Message<'_> {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 32);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        postcard::to_extend(self, bytes).expect("a message can be written down")
    }
}

impl Message<'static> {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or(Malformed::Foreign)?;
        let (magic, version) = head.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(Malformed::Foreign);
        }
        match u32::from_le_bytes(version.try_into().expect("four bytes")) {
            VERSION => postcard::from_bytes(rest).map_err(Malformed::Damaged),
            version => Err(Malformed::Version(version)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let messages = [
            Message::Hello("here".into()),
            Message::Ask(Ask::Whenever),
            Message::Give(Ask::Now, Cow::Borrowed(&[1, 2, 3])),
            Message::Counted(Counts { sent: u64::MAX, received: 3 }),
            Message::Failed(3, "why".into()),
        ];
        for message in messages {
            assert_eq!(Message::read(&message.write()), Ok(message));
        }
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        assert_eq!(Message::read(b"LYO"), Err(Malformed::Foreign));
        assert_eq!(Message::read(b"HTTP/1.1 200 OK"), Err(Malformed::Foreign));
        let mut other = Message::Start.write();
        other[4] = 9;
        assert_eq!(Message::read(&other), Err(Malformed::Version(9)));
        let message = Message::Hello("abcdef".into()).write();
        let cut = Message::read(&message[..message.len() - 2]).unwrap_err();
        assert!(cut.to_string().contains("damaged"), "{cut}");
    }

    /// A reader of noise must come to an error, whatever the noise.
    #[test]
    fn noise_is_an_error_or_a_message_and_nothing_else() {
        use rand::rngs::StdRng;
        use rand::{RngExt, SeedableRng};
        let mut random = StdRng::seed_from_u64(5);
        for length in 0..200 {
            for _ in 0..50 {
                let mut bytes = Message::Start.write();
                bytes.truncate(HEAD);
                bytes.extend((0..length).map(|_| random.random::<u8>()));
                let _ = Message::read(&bytes);
            }
        }
    }
}
