//! CSV: one line a record, the columns its fields.

use serde::Serialize;

/// `records` with a header.
pub(crate) fn csv<R: Serialize>(records: &[R]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record).expect("a record is flat and memory does not fail");
    }
    let bytes = writer.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("CSV of text is text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::RunRecord;

    #[test]
    fn the_columns_are_fixed() {
        let record = RunRecord {
            workload: "uts",
            param: "T1".to_owned(),
            engine: "rayon",
            workers: 2,
            rep: 3,
            seconds: 0.25,
            tasks: 41,
            answer: "nodes=1 depth=0".to_owned(),
            observed: Default::default(),
        };
        let expected = "workload,param,engine,workers,rep,seconds,tasks,answer\n\
                        uts,T1,rayon,2,3,0.25,41,nodes=1 depth=0\n";
        assert_eq!(csv(&[record]), expected);
    }
}
