//! A sparse matrix as a tree of quarters, and its Cholesky factorisation.
//!
//! ```text
//!   | A₀₀  ·  |   L₀₀ = factor of A₀₀
//!   | A₁₀ A₁₁ |   L₁₀ = A₁₀ / L₀₀ᵀ         (divide)
//!                 L₁₁ = factor of A₁₁ - L₁₀ L₁₀ᵀ   (subtract_product)
//! ```
//!
//! Only the lower half counts: blocks on the diagonal have more above it, which nobody reads.

use crate::fork::Fork;

/// Rows and columns of a block, as in Cilk.
pub(super) const BLOCK: usize = 4;

type Entries = [[f64; BLOCK]; BLOCK];

/// A square matrix.
#[derive(Clone, Debug, Default)]
pub(super) enum Quarters {
    #[default]
    Zero,
    Block(Box<Entries>),
    /// Upper left, upper right, lower left, lower right.
    Four(Box<[Quarters; 4]>),
}

use Quarters::{Block, Four, Zero};

/// Which part of a product is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    /// On and below the diagonal.
    Lower,
}

/// Where an entry of a matrix of `size` rows is: in which quarter, and where in that.
fn within(size: usize, row: usize, column: usize) -> (usize, usize, usize) {
    let half = size / 2;
    (2 * (row / half) + column / half, row % half, column % half)
}

impl Quarters {
    fn is_zero(&self) -> bool {
        matches!(self, Zero)
    }

    /// What is there, or the zeros of a matrix of the same shape as `like`, which is not zero.
    fn or_zeros(&mut self, like: &Quarters) -> &mut Quarters {
        if self.is_zero() {
            *self = if let Block(_) = like { Block(Box::default()) } else { Four(Box::default()) };
        }
        self
    }

    /// The entry of a matrix of `size` rows.
    pub(super) fn get(&self, size: usize, row: usize, column: usize) -> f64 {
        match self {
            Zero => 0.0,
            Block(entries) => entries[row][column],
            Four(four) => {
                let (quarter, row, column) = within(size, row, column);
                four[quarter].get(size / 2, row, column)
            }
        }
    }

    /// Changes an entry of a matrix of `size` rows.
    pub(super) fn set(&mut self, size: usize, row: usize, column: usize, value: f64) {
        if self.is_zero() {
            *self = if size == BLOCK { Block(Box::default()) } else { Four(Box::default()) };
        }
        match self {
            Zero => unreachable!("it was filled"),
            Block(entries) => entries[row][column] = value,
            Four(four) => {
                let (quarter, row, column) = within(size, row, column);
                four[quarter].set(size / 2, row, column, value);
            }
        }
    }

    /// Hands each entry that is kept to `see`, with its row and column; those of the matrix begin at `row` and `column`.
    pub(super) fn each(
        &self,
        size: usize,
        (row, column): (usize, usize),
        see: &mut dyn FnMut(usize, usize, f64),
    ) {
        match self {
            Zero => {}
            Block(entries) => {
                for (index, entries) in entries.iter().enumerate() {
                    for (offset, &entry) in entries.iter().enumerate() {
                        see(row + index, column + offset, entry);
                    }
                }
            }
            Four(four) => {
                let half = size / 2;
                for (index, quarter) in four.iter().enumerate() {
                    quarter.each(half, (row + index / 2 * half, column + index % 2 * half), see);
                }
            }
        }
    }
}

/// Runs those of two that are there, in parallel if it is both.
#[inline]
fn those<F, A, B>(fork: &mut F, a: Option<A>, b: Option<B>)
where
    F: Fork,
    A: FnOnce(&mut F::Again<'_>) + Send,
    B: FnOnce(&mut F::Again<'_>) + Send,
{
    match (a, b) {
        (Some(a), Some(b)) => {
            fork.join(a, b);
        }
        (Some(a), None) => fork.call(a),
        (None, Some(b)) => fork.call(b),
        (None, None) => {}
    }
}

/// A copy of `matrix`.
pub(super) fn copy<F: Fork>(fork: &mut F, matrix: &Quarters) -> Quarters {
    let four = match matrix {
        Zero => return Zero,
        Block(entries) => return Block(entries.clone()),
        Four(four) => four,
    };
    let mut copies: Box<[Quarters; 4]> = Box::default();
    let (upper, lower) = copies.split_at_mut(2);
    let (from_upper, from_lower) = four.split_at(2);
    those(
        fork,
        present(from_upper).then_some(|fork: &mut F::Again<'_>| copy_pair(fork, from_upper, upper)),
        present(from_lower).then_some(|fork: &mut F::Again<'_>| copy_pair(fork, from_lower, lower)),
    );
    Four(copies)
}

/// Whether any of them is not zero.
fn present(quarters: &[Quarters]) -> bool {
    quarters.iter().any(|quarter| !quarter.is_zero())
}

/// Copies two quarters.
fn copy_pair<F: Fork>(fork: &mut F, from: &[Quarters], to: &mut [Quarters]) {
    let ([from_a, from_b], [a, b]) = (from, to) else { unreachable!("they are two") };
    those(
        fork,
        (!from_a.is_zero()).then_some(|fork: &mut F::Again<'_>| *a = copy(fork, from_a)),
        (!from_b.is_zero()).then_some(|fork: &mut F::Again<'_>| *b = copy(fork, from_b)),
    );
}

/// Gives the memory of `matrix` back.
pub(super) fn free<F: Fork>(fork: &mut F, matrix: Quarters) {
    let Four(four) = matrix else { return };
    let [a, b, c, d] = *four;
    let (upper, lower) = ([a, b], [c, d]);
    those(
        fork,
        present(&upper).then_some(|fork: &mut F::Again<'_>| free_pair(fork, upper)),
        present(&lower).then_some(|fork: &mut F::Again<'_>| free_pair(fork, lower)),
    );
}

/// Gives the memory of two quarters back.
fn free_pair<F: Fork>(fork: &mut F, [a, b]: [Quarters; 2]) {
    those(
        fork,
        (!a.is_zero()).then_some(|fork: &mut F::Again<'_>| free(fork, a)),
        (!b.is_zero()).then_some(|fork: &mut F::Again<'_>| free(fork, b)),
    );
}

/// Makes `a`, of which the lower half is kept, its factor.
pub(super) fn factor<F: Fork>(fork: &mut F, a: &mut Quarters) {
    let four = match a {
        Zero => return,
        Block(entries) => return factor_block(entries),
        Four(four) => four,
    };
    let [a00, _, a10, a11] = &mut **four;
    if a10.is_zero() {
        let a11 = (!a11.is_zero()).then_some(|fork: &mut F::Again<'_>| factor(fork, a11));
        return those(fork, Some(|fork: &mut F::Again<'_>| factor(fork, a00)), a11);
    }
    fork.call(|fork| factor(fork, a00));
    fork.call(|fork| divide(fork, a10, a00));
    fork.call(|fork| subtract_product(fork, a11, (a10, a10), Part::Lower));
    fork.call(|fork| factor(fork, a11));
}

/// Makes `a`, which is not zero, `a` / `l`ᵀ, where the lower half of `l` is kept.
fn divide<F: Fork>(fork: &mut F, a: &mut Quarters, l: &Quarters) {
    let (a, l) = match (a, l) {
        (Block(a), Block(l)) => return divide_block(a, l),
        (Four(a), Four(l)) => (&mut **a, &**l),
        _ => return,
    };
    let [a00, a01, a10, a11] = a;
    let [l00, _, l10, l11] = l;
    those(
        fork,
        (!a00.is_zero()).then_some(|fork: &mut F::Again<'_>| divide(fork, a00, l00)),
        (!a10.is_zero()).then_some(|fork: &mut F::Again<'_>| divide(fork, a10, l00)),
    );
    let product = |a: &Quarters| !a.is_zero() && !l10.is_zero();
    those(
        fork,
        product(a00).then_some(|fork: &mut F::Again<'_>| {
            subtract_product(fork, a01, (a00, l10), Part::All);
        }),
        product(a10).then_some(|fork: &mut F::Again<'_>| {
            subtract_product(fork, a11, (a10, l10), Part::All);
        }),
    );
    those(
        fork,
        (!a01.is_zero()).then_some(|fork: &mut F::Again<'_>| divide(fork, a01, l11)),
        (!a11.is_zero()).then_some(|fork: &mut F::Again<'_>| divide(fork, a11, l11)),
    );
}

/// Makes `r` the wanted part of `r` - `a` · `b`ᵀ, neither of which is zero.
fn subtract_product<F: Fork>(
    fork: &mut F,
    r: &mut Quarters,
    (a, b): (&Quarters, &Quarters),
    part: Part,
) {
    let (r, a, b) = match (r.or_zeros(a), a, b) {
        (Block(r), Block(a), Block(b)) => return subtract_blocks(r, a, b),
        (Four(r), Four(a), Four(b)) => (r, a, b),
        _ => return,
    };
    // The left columns of both, and then the right ones.
    for column in 0..2 {
        let (b_upper, b_lower) = (&b[column], &b[2 + column]);
        let (r_upper, r_lower) = r.split_at_mut(2);
        let b_is_zero = b_upper.is_zero() && b_lower.is_zero();
        let wanted = |a: &Quarters| !a.is_zero() && !b_is_zero;
        let (a_upper, a_lower) = (&a[column], &a[2 + column]);
        those(
            fork,
            wanted(a_upper).then_some(|fork: &mut F::Again<'_>| {
                subtract_row(fork, r_upper, a_upper, [b_upper, b_lower], (part, Row::Upper));
            }),
            wanted(a_lower).then_some(|fork: &mut F::Again<'_>| {
                subtract_row(fork, r_lower, a_lower, [b_upper, b_lower], (part, Row::Lower));
            }),
        );
    }
}

/// Which two quarters of a matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Upper,
    Lower,
}

/// Makes the two quarters of a row those of `r` - `a` · (`b` upper, `b` lower)ᵀ, as far as they are wanted.
fn subtract_row<F: Fork>(
    fork: &mut F,
    r: &mut [Quarters],
    a: &Quarters,
    [b_upper, b_lower]: [&Quarters; 2],
    (part, row): (Part, Row),
) {
    let [r_left, r_right] = r else { unreachable!("they are two") };
    // On the diagonal the part is as of the whole; below it all is wanted, above it nothing.
    let (left, right) = match (part, row) {
        (Part::All, _) => (Part::All, Some(Part::All)),
        (Part::Lower, Row::Upper) => (Part::Lower, None),
        (Part::Lower, Row::Lower) => (Part::All, Some(Part::Lower)),
    };
    let right = right.filter(|_| !b_lower.is_zero());
    those(
        fork,
        (!b_upper.is_zero()).then_some(|fork: &mut F::Again<'_>| {
            subtract_product(fork, r_left, (a, b_upper), left);
        }),
        right.map(|right| {
            move |fork: &mut F::Again<'_>| subtract_product(fork, r_right, (a, b_lower), right)
        }),
    );
}

/// The leaf work of [`factor`]: what is above the diagonal is made zero.
fn factor_block(a: &mut Entries) {
    for column in 0..BLOCK {
        let row = a[column];
        let squares: f64 = row[..column].iter().map(|entry| entry * entry).sum();
        let diagonal = (row[column] - squares).sqrt();
        a[column][column] = diagonal;
        a[column][column + 1..].fill(0.0);
        for below in &mut a[column + 1..] {
            let products: f64 = (0..column).map(|index| below[index] * row[index]).sum();
            below[column] = (below[column] - products) / diagonal;
        }
    }
}

/// The leaf work of [`divide`].
fn divide_block(a: &mut Entries, l: &Entries) {
    for row in a {
        for column in 0..BLOCK {
            let products: f64 = (0..column).map(|index| row[index] * l[column][index]).sum();
            row[column] = (row[column] - products) / l[column][column];
        }
    }
}

/// The leaf work of [`subtract_product`]: all of it, since a part would cost as much.
fn subtract_blocks(r: &mut Entries, a: &Entries, b: &Entries) {
    for (r_row, a_row) in r.iter_mut().zip(a) {
        for (entry, b_row) in r_row.iter_mut().zip(b) {
            *entry -= a_row.iter().zip(b_row).map(|(a, b)| a * b).sum::<f64>();
        }
    }
}
