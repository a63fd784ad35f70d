//! What is measured, told and traced, through the public interface only: one program, for each links the world.

mod causes;
mod limits;
mod spans;
mod traces;
