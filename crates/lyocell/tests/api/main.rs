//! What a program forks, spawns and loops over, through the public interface only: one program, for each links the world.

#[path = "../common/mod.rs"]
mod common;

mod background;
mod broadcast;
mod handle;
mod in_place;
mod isolated;
mod join;
mod join_context;
mod join_range;
mod named;
mod orders;
mod par;
mod scope;
mod spawn;
