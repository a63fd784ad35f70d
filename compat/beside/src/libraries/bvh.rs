//! bvh: a hierarchy of boxes around spheres, for ray tracers; a join at each node with 64 spheres below it or more.

use crate::numbers;
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::{BHShape, BoundingHierarchy};
use bvh::bvh::Bvh;
use nalgebra::{Point3, Vector3};
use std::time::{Duration, Instant};

const SPHERES: usize = 100_000;

#[derive(Clone)]
struct Sphere {
    center: Point3<f32>,
    radius: f32,
    node: usize,
}

impl Bounded<f32, 3> for Sphere {
    fn aabb(&self) -> Aabb<f32, 3> {
        let reach = Vector3::repeat(self.radius);
        Aabb::with_bounds(self.center - reach, self.center + reach)
    }
}

impl BHShape<f32, 3> for Sphere {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

pub(super) fn build() -> Result<Duration, String> {
    let coordinate = |number: u64| (number >> 40) as f32 / 1000.0;
    let mut spheres: Vec<Sphere> = numbers(4 * SPHERES)
        .chunks(4)
        .map(|at| Sphere {
            center: Point3::new(coordinate(at[0]), coordinate(at[1]), coordinate(at[2])),
            radius: coordinate(at[3]) / 1000.0,
            node: 0,
        })
        .collect();
    let expected = Bvh::build(&mut spheres.clone());
    let begin = Instant::now();
    let hierarchy = Bvh::build_par(&mut spheres);
    let time = begin.elapsed();
    let same = hierarchy.nodes == expected.nodes;
    if same { Ok(time) } else { Err(String::from("not the tree that is built without threads")) }
}
