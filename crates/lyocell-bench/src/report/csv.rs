//! CSV: one line a record, the columns its fields.

use std::iter;

use serde::Serialize;

use crate::measure::RunRecord;

/// `records` with a header.
pub(crate) fn csv<R: Serialize>(records: &[R]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record).expect("a record is flat and memory does not fail");
    }
    let bytes = writer.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("CSV of text is text")
}

/// The same with the layout of each run as a last column.
pub(crate) fn csv_of_layouts(records: &[RunRecord]) -> String {
    let layouts =
        records.iter().filter_map(|record| record.layout).map(|layout| layout.to_string());
    let last = iter::once("layout".to_owned()).chain(layouts);
    csv(records).lines().zip(last).map(|(line, last)| format!("{line},{last}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_fixed() {
        let record = RunRecord {
            workload: "uts",
            param: "T1".to_owned(),
            engine: "rayon",
            workers: 2,
            rep: 3,
            seconds: 0.25,
            tasks: Some(41),
            answer: "nodes=1 depth=0".to_owned(),
            observed: Default::default(),
            layout: None,
        };
        let expected = "workload,param,engine,workers,rep,seconds,tasks,answer\n\
                        uts,T1,rayon,2,3,0.25,41,nodes=1 depth=0\n";
        assert_eq!(csv(std::slice::from_ref(&record)), expected);
        let read = RunRecord::parse_all(expected, 5).unwrap();
        assert_eq!((read[0].engine, read[0].seconds, read[0].layout), ("rayon", 0.25, Some(5)));
        let expected = "workload,param,engine,workers,rep,seconds,tasks,answer,layout\n\
                        uts,T1,rayon,2,3,0.25,41,nodes=1 depth=0,5\n";
        assert_eq!(csv_of_layouts(&read), expected);
    }
}
