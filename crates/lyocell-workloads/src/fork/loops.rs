//! Loops as trees of joins: a slice is halved until one chunk is left.

use super::{AnyFork, both};

/// What is done with the number of a chunk and the chunk.
pub(crate) type Body<'b, T> = dyn Fn(&mut dyn AnyFork, usize, &mut [T]) + Sync + 'b;

/// The same for a chunk of each of two slices.
pub(crate) type BodyOfTwo<'b, T, U> =
    dyn Fn(&mut dyn AnyFork, usize, &mut [T], &mut [U]) + Sync + 'b;

/// Calls `body` with each chunk of `length` items of `items`, of which the last may be shorter, and its number.
pub(crate) fn each_chunk<T: Send>(
    fork: &mut dyn AnyFork,
    items: &mut [T],
    length: usize,
    body: &Body<'_, T>,
) {
    let mut nothing = vec![(); items.len()];
    each_chunk_of_two(fork, (items, length), (&mut nothing, length), &|fork, number, items, _| {
        body(fork, number, items);
    });
}

/// The same with two slices at once, each with the length of its own chunks; both have as many chunks.
pub(crate) fn each_chunk_of_two<T: Send, U: Send>(
    fork: &mut dyn AnyFork,
    first: (&mut [T], usize),
    second: (&mut [U], usize),
    body: &BodyOfTwo<'_, T, U>,
) {
    debug_assert_eq!(first.0.len().div_ceil(first.1), second.0.len().div_ceil(second.1));
    from(fork, 0, first, second, body);
}

/// The same where the first chunk has the number `number`.
fn from<T: Send, U: Send>(
    fork: &mut dyn AnyFork,
    number: usize,
    (first, first_length): (&mut [T], usize),
    (second, second_length): (&mut [U], usize),
    body: &BodyOfTwo<'_, T, U>,
) {
    match first.len().div_ceil(first_length) {
        0 => {}
        1 => body(fork, number, first, second),
        chunks => {
            let half = chunks / 2;
            let (a, rest_of_a) = first.split_at_mut(half * first_length);
            let (b, rest_of_b) = second.split_at_mut(half * second_length);
            let (a, b) = ((a, first_length), (b, second_length));
            let rests = ((rest_of_a, first_length), (rest_of_b, second_length));
            both(
                fork,
                |fork| from(fork, number, a, b, body),
                |fork| from(fork, number + half, rests.0, rests.1, body),
            );
        }
    }
}

/// Calls `body` with each piece of `items` and its number: the nth ends where `ends` says.
pub(crate) fn each_piece<T: Send>(
    fork: &mut dyn AnyFork,
    items: &mut [T],
    ends: &[usize],
    body: &Body<'_, T>,
) {
    pieces_from(fork, (0, 0), items, ends, body);
}

/// The same where the first piece has the number `number` and begins at `start`.
fn pieces_from<T: Send>(
    fork: &mut dyn AnyFork,
    (number, start): (usize, usize),
    items: &mut [T],
    ends: &[usize],
    body: &Body<'_, T>,
) {
    match ends.len() {
        0 => {}
        1 => body(fork, number, items),
        pieces => {
            let half = pieces / 2;
            let (ends, rest_of_ends) = ends.split_at(half);
            let middle = ends[half - 1];
            let (items, rest) = items.split_at_mut(middle - start);
            both(
                fork,
                |fork| pieces_from(fork, (number, start), items, ends, body),
                |fork| pieces_from(fork, (number + half, middle), rest, rest_of_ends, body),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::serial::Alone;
    use super::*;

    #[test]
    fn chunks_have_their_length_and_number() {
        for items in 0..30 {
            for length in 1..8 {
                let mut numbers = vec![usize::MAX; items];
                each_chunk(&mut Alone, &mut numbers, length, &|_, number, chunk| {
                    chunk.fill(number);
                });
                let expected: Vec<usize> = (0..items).map(|index| index / length).collect();
                assert_eq!(numbers, expected);
            }
        }
    }

    #[test]
    fn two_slices_are_cut_alike() {
        let (mut items, mut sums) = ((0..10).collect::<Vec<usize>>(), [0; 4]);
        each_chunk_of_two(&mut Alone, (&mut items, 3), (&mut sums, 1), &|_, _, items, sum| {
            sum[0] = items.iter().sum();
        });
        assert_eq!(sums, [3, 12, 21, 9]);
    }

    #[test]
    fn pieces_end_where_they_should() {
        let mut numbers = [usize::MAX; 9];
        each_piece(&mut Alone, &mut numbers, &[2, 2, 3, 8, 9], &|_, number, piece| {
            piece.fill(number);
        });
        assert_eq!(numbers, [0, 0, 2, 3, 3, 3, 3, 3, 4]);
    }
}
