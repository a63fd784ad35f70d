//! Maps, sets and lists of the standard library.

use crate::{Program, numbers, timed};
use rayon::prelude::*;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::Duration;

pub(crate) const PROGRAMS: &[Program] = &[
    ("hash-map-collect", hash_map),
    ("hash-map-iterate", hash_map_iterate),
    ("btree-map-iterate", btree_map),
    ("hash-set-union", hash_set),
    ("linked-list-fold", linked_list),
    ("vec-deque", vec_deque),
    ("binary-heap", binary_heap),
    ("par-extend", par_extend),
    ("histogram-fold", histogram),
    ("histogram-atomics", histogram_atomics),
    ("mutex-push", mutex_push),
    ("rw-lock-reads", rw_lock),
    ("group-by", group_by),
    ("vec-of-vecs", vec_of_vecs),
    ("boxed-drop", boxed_drop),
];

fn hash_map() -> Result<Duration, String> {
    let values = numbers(60_000);
    let expected: HashMap<u64, u64> = values.iter().map(|x| (*x, x / 2)).collect();
    timed(&expected, || values.par_iter().map(|x| (*x, x / 2)).collect())
}

fn hash_map_iterate() -> Result<Duration, String> {
    let map: HashMap<u64, u64> = numbers(100_000).into_iter().map(|x| (x, x >> 8)).collect();
    let expected = map.iter().fold(0, |a, (k, v)| a ^ k ^ v);
    timed(&expected, || map.par_iter().map(|(k, v)| k ^ v).reduce(|| 0, |a, b| a ^ b))
}

fn btree_map() -> Result<Duration, String> {
    let map: BTreeMap<u64, u64> = numbers(100_000).into_iter().map(|x| (x, x >> 8)).collect();
    let expected: Vec<u64> = map.values().map(|v| v * 3).collect();
    timed(&expected, || map.par_iter().map(|(_, v)| v * 3).collect())
}

fn hash_set() -> Result<Duration, String> {
    let sets: Vec<HashSet<u64>> = numbers(64)
        .iter()
        .map(|seed| (0..800).map(|i| (seed >> 40).wrapping_add(i) % 20_000).collect())
        .collect();
    let expected = sets.iter().flatten().copied().collect::<HashSet<u64>>().len();
    timed(&expected, || {
        let join = |a: HashSet<u64>, b: HashSet<u64>| {
            let (mut large, small) = if a.len() < b.len() { (b, a) } else { (a, b) };
            large.extend(small);
            large
        };
        sets.par_iter().cloned().reduce(HashSet::new, join).len()
    })
}

fn linked_list() -> Result<Duration, String> {
    let values = numbers(200_000);
    let expected: Vec<u64> = values.iter().filter(|x| *x % 5 == 0).copied().collect();
    timed(&expected, || {
        let keep = |mut list: Vec<u64>, x: &u64| {
            if x.is_multiple_of(5) {
                list.push(*x);
            }
            list
        };
        let lists = values.par_iter().fold(Vec::new, keep).map(|list| LinkedList::from([list]));
        let append = |mut a: LinkedList<Vec<u64>>, mut b: LinkedList<Vec<u64>>| {
            a.append(&mut b);
            a
        };
        lists.reduce(LinkedList::new, append).into_iter().flatten().collect()
    })
}

fn vec_deque() -> Result<Duration, String> {
    let mut deque: VecDeque<u64> = numbers(300_000).into();
    deque.rotate_left(100_000);
    let expected = deque.iter().fold(0, |a: u64, b| a.wrapping_add(*b));
    timed(&expected, || deque.par_iter().copied().reduce(|| 0, u64::wrapping_add))
}

fn binary_heap() -> Result<Duration, String> {
    let heap: BinaryHeap<u64> = numbers(100_000).into();
    let expected = heap.iter().fold(0, |a: u64, b| a ^ b);
    timed(&expected, || heap.par_iter().copied().reduce(|| 0, |a, b| a ^ b))
}

fn par_extend() -> Result<Duration, String> {
    let values = numbers(200_000);
    let expected: Vec<u64> = [1, 2].into_iter().chain(values.iter().map(|x| x ^ 1)).collect();
    timed(&expected, || {
        let mut all = vec![1, 2];
        all.par_extend(values.par_iter().map(|x| x ^ 1));
        all
    })
}

fn histogram() -> Result<Duration, String> {
    let values = numbers(500_000);
    let count = |mut counts: Vec<u32>, x: &u64| {
        counts[(x >> 56) as usize] += 1;
        counts
    };
    let expected = values.iter().fold(vec![0; 256], count);
    timed(&expected, || {
        let add = |mut a: Vec<u32>, b: Vec<u32>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        values.par_iter().fold(|| vec![0; 256], count).reduce(|| vec![0; 256], add)
    })
}

fn histogram_atomics() -> Result<Duration, String> {
    let values = numbers(200_000);
    timed(&200_000, || {
        let counts: Vec<AtomicU64> = (0..1_024).map(|_| AtomicU64::new(0)).collect();
        let count = |x: &u64| _ = counts[(x >> 54) as usize].fetch_add(1, Ordering::Relaxed);
        values.par_iter().for_each(count);
        counts.into_iter().map(AtomicU64::into_inner).sum::<u64>()
    })
}

fn mutex_push() -> Result<Duration, String> {
    timed(&4_000, || {
        let all = Mutex::new(Vec::new());
        (0..4_000_u64).into_par_iter().for_each(|i| {
            let x = crate::chain(300) ^ i;
            all.lock().unwrap().push(x);
        });
        all.into_inner().unwrap().len()
    })
}

fn rw_lock() -> Result<Duration, String> {
    let cache = RwLock::new((0..1_000_u64).collect::<Vec<_>>());
    let expected: u64 = (0..20_000_u64).map(|i| i % 1_000).sum();
    timed(&expected, || {
        let read = |i: u64| cache.read().unwrap()[(i % 1_000) as usize];
        (0..20_000_u64).into_par_iter().map(read).sum()
    })
}

fn group_by() -> Result<Duration, String> {
    let values = numbers(50_000);
    let put = |mut groups: HashMap<u64, Vec<u64>>, x: &u64| {
        groups.entry(x % 97).or_default().push(*x);
        groups
    };
    let expected = values.iter().fold(HashMap::new(), put);
    timed(&expected, || {
        let merge = |mut a: HashMap<u64, Vec<u64>>, b: HashMap<u64, Vec<u64>>| {
            b.into_iter().for_each(|(key, values)| a.entry(key).or_default().extend(values));
            a
        };
        values.par_iter().fold(HashMap::new, put).reduce(HashMap::new, merge)
    })
}

fn vec_of_vecs() -> Result<Duration, String> {
    let make = |i: u64| (0..i % 200).collect::<Vec<u64>>();
    let expected: u64 = (0..5_000).map(|i| make(i).len() as u64).sum();
    timed(&expected, || {
        let all: Vec<Vec<u64>> = (0..5_000).into_par_iter().map(make).collect();
        all.par_iter().map(|v| v.len() as u64).sum()
    })
}

fn boxed_drop() -> Result<Duration, String> {
    timed(&100_000, || {
        let boxes: Vec<Box<u64>> = (0..100_000_u64).into_par_iter().map(Box::new).collect();
        boxes.into_par_iter().filter(|x| **x < u64::MAX).count()
    })
}
