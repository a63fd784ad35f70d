//! The program in `serial.c`.

use super::c::Parameters;
use super::{Totals, Uts};
use crate::engine::On;
use crate::lace::{Compiled, SerialC};

unsafe extern "C" {
    safe fn lyocell_serial_uts(tree: &Parameters, totals: &mut Totals);
}

impl On<SerialC> for Uts {
    fn run(&mut self, _compiled: Compiled) -> Totals {
        let mut totals = Totals::ZERO;
        lyocell_serial_uts(&Parameters::of(self.tree), &mut totals);
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_of_every_kind_are_the_published_ones_in_c_too() {
        let compiled = Compiled::here().unwrap();
        for name in ["T1", "T2", "T3", "T4"] {
            let mut uts = Uts::new(name);
            assert_eq!(On::<SerialC>::run(&mut uts, compiled), uts.tree.totals, "{name}");
        }
    }
}
