//! The paper's bar plots (its Figures 3, 4 and 6) as SVG: a panel a number of threads, a group of bars a case, a
//! bar a queue; means normalised to ABP with their standard deviations.

use std::io;

use plotters::prelude::*;

use super::summary::{CaseSummary, QueueSummary};
use crate::report::svg::{
    Area, Drawn, FONT, SMALL_TEXT, TEXT, draw_key, draw_title, place_style, svg,
};
use lyocell_queue_study::Queue;

const WIDTH: u32 = 1200;
const PANEL_HEIGHT: u32 = 260;
const LEGEND_HEIGHT: u32 = 90;

/// Bars end here; the numbers of higher ones are written over them.
const CEILING: f64 = 3.0;

/// Of a group's width, for its bars.
const BARS_WIDTH: f64 = 0.86;

/// One a queue: ABP dark, our exactly-once queues blue and green, the relaxed ones warm, the locked ones grey, the peers
/// violet.
fn colour(queue: Queue) -> RGBColor {
    let [red, green, blue] = match queue.name() {
        "abp" => [0x22, 0x22, 0x22],
        "chase-lev" => [0x1f, 0x77, 0xb4],
        "chase-lev-shrinking" => [0x2c, 0xa0, 0x6c],
        "idempotent-lifo" => [0xd6, 0x27, 0x28],
        "idempotent-fifo" => [0xff, 0x7f, 0x0e],
        "idempotent-double-ended" => [0xf2, 0xb7, 0x01],
        "duplicating" => [0xa5, 0x6a, 0x43],
        "locked" => [0x99, 0x99, 0x99],
        "central-locked" => [0xcc, 0xcc, 0xcc],
        "crossbeam-deque" => [0x6a, 0x3d, 0x9a],
        _ => [0xc3, 0x9b, 0xd8],
    };
    RGBColor(red, green, blue)
}

/// An SVG of all cases that ran on the baseline.
///
/// # Errors
/// The drawing library's.
pub(crate) fn plot(summaries: &[CaseSummary]) -> io::Result<String> {
    let mut threads: Vec<usize> = summaries.iter().flat_map(|s| &s.threads).copied().collect();
    threads.sort_unstable();
    threads.dedup();
    let queues = Queue::ALL.into_iter().filter(|queue| {
        summaries.iter().any(|summary| summary.queues.iter().any(|row| row.queue == *queue))
    });
    let queues: Vec<Queue> = queues.collect();
    let height = LEGEND_HEIGHT + PANEL_HEIGHT * threads.len() as u32;
    svg((WIDTH, height), |area| {
        let (legend, panels) = area.split_vertically(LEGEND_HEIGHT);
        draw_legend(&legend, &queues)?;
        let panels = panels.split_evenly((threads.len(), 1));
        let mut each = panels.iter().zip(&threads);
        each.try_for_each(|(panel, &threads)| draw_panel(panel, summaries, threads))
    })
}

/// The title, and the queues' names by their colours.
fn draw_legend(area: &Area<'_>, queues: &[Queue]) -> Drawn {
    const COLUMNS: usize = 6;
    const LEFT: i32 = 60;
    const COLUMN: i32 = 190;
    const TOP: i32 = 40;
    const LINE: i32 = 22;
    let title = "Mean time of each queue over that of ABP (less is better)";
    draw_title(area, title, (LEFT, TOP / 3))?;
    for (index, &queue) in queues.iter().enumerate() {
        let x = LEFT + COLUMN * (index % COLUMNS) as i32;
        let y = TOP + LINE * (index / COLUMNS) as i32;
        draw_key(area, colour(queue), queue.name(), (x, y))?;
    }
    Ok(())
}

fn draw_panel(area: &Area<'_>, summaries: &[CaseSummary], threads: usize) -> Drawn {
    let bars = bars(summaries, threads);
    let top = bars.iter().map(|bar| bar.ratio + bar.deviation).fold(1.0, f64::max);
    let top = (top * 1.05).min(CEILING);
    let caption = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    let mut chart = ChartBuilder::on(area)
        .caption(caption, (FONT, TEXT))
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..summaries.len() as f64, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .light_line_style(TRANSPARENT)
        .label_style((FONT, SMALL_TEXT))
        .draw()?;
    chart.draw_series(bars.iter().map(|bar| bar.rectangle(top)))?;
    let (cut, whole): (Vec<&Bar>, Vec<&Bar>) = bars.iter().partition(|bar| bar.ratio > top);
    chart.draw_series(whole.iter().map(|bar| bar.spread(top)))?;
    chart.draw_series(cut.iter().map(|bar| bar.number(top)))?;
    let baseline = [(0.0, 1.0), (summaries.len() as f64, 1.0)];
    chart.draw_series([PathElement::new(baseline, BLACK.mix(0.5))])?;
    chart.draw_series(summaries.iter().enumerate().map(|(index, summary)| {
        const BELOW: (i32, i32) = (0, 8);
        EmptyElement::at((index as f64 + 0.5, 0.0))
            + Text::new(summary.name(), BELOW, place_style())
    }))?;
    Ok(())
}

/// A queue's bar; places are in groups, heights in times of the baseline.
#[derive(Debug, PartialEq)]
struct Bar {
    queue: Queue,
    left: f64,
    width: f64,
    ratio: f64,
    deviation: f64,
}

impl Bar {
    fn middle(&self) -> f64 {
        self.left + self.width / 2.0
    }

    /// A line from one standard deviation below to one above.
    fn spread(&self, top: f64) -> PathElement<(f64, f64)> {
        let ends = [self.ratio - self.deviation, self.ratio + self.deviation];
        PathElement::new(ends.map(|end| (self.middle(), end.clamp(0.0, top))), BLACK.mix(0.6))
    }

    /// The height of a bar that is cut at `top`, along the bar.
    fn number(&self, top: f64) -> Text<'static, (f64, f64), String> {
        const DARK: u32 = 3 * 128;
        let RGBColor(red, green, blue) = colour(self.queue);
        let lightness = u32::from(red) + u32::from(green) + u32::from(blue);
        let style = (FONT, TEXT).into_font().transform(FontTransform::Rotate270);
        let style = style.color(if lightness < DARK { &WHITE } else { &BLACK });
        Text::new(format!("{:.1}", self.ratio), (self.left, top * 0.8), style)
    }

    fn rectangle(&self, top: f64) -> Rectangle<(f64, f64)> {
        const GAP: f64 = 0.1;
        let corners =
            [(self.left, 0.0), (self.left + self.width * (1.0 - GAP), self.ratio.min(top))];
        Rectangle::new(corners, colour(self.queue).filled())
    }
}

/// The bars of all cases, side by side.
fn bars(summaries: &[CaseSummary], threads: usize) -> Vec<Bar> {
    let most = summaries.iter().map(|summary| summary.queues.len()).max().unwrap_or(0);
    let width = BARS_WIDTH / most.max(1) as f64;
    let mut bars = Vec::new();
    for (group, summary) in summaries.iter().enumerate() {
        let Some(index) = summary.threads.iter().position(|&n| n == threads) else { continue };
        let start = group as f64 + 0.5 - width * summary.queues.len() as f64 / 2.0;
        bars.extend(summary.queues.iter().enumerate().filter_map(|(place, row)| {
            bar(summary, row, index, start + width * place as f64, width)
        }));
    }
    bars
}

fn bar(
    summary: &CaseSummary,
    row: &QueueSummary,
    index: usize,
    left: f64,
    width: f64,
) -> Option<Bar> {
    let (times, ratio) = (row.times[index]?, summary.normalized(row, index)?);
    let deviation = times.deviation * ratio / times.mean;
    Some(Bar { queue: row.queue, left, width, ratio, deviation })
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::record;
    use super::*;

    fn summaries() -> Vec<CaseSummary> {
        let records = [
            record("serial", 1, 1.0),
            record("abp", 1, 2.0),
            record("chase-lev", 1, 1.0),
            record("chase-lev", 1, 3.0),
            record("locked", 1, 14.0),
            record("abp", 2, 1.0),
        ];
        vec![CaseSummary::of(&records).unwrap()]
    }

    #[test]
    fn a_bar_is_as_high_as_the_mean_over_the_baselines() {
        let bars = bars(&summaries(), 1);
        let ratios: Vec<_> = bars.iter().map(|bar| (bar.queue.name(), bar.ratio)).collect();
        assert_eq!(ratios, [("abp", 1.0), ("chase-lev", 1.0), ("locked", 7.0)]);
        assert!((bars[1].deviation - 2.0_f64.sqrt() / 2.0).abs() < 1e-12);
        assert!(bars.windows(2).all(|pair| pair[0].left + pair[0].width <= pair[1].left + 1e-9));
        assert!(bars[0].left > 0.0 && bars[2].left + bars[2].width < 1.0);
    }

    #[test]
    fn the_plot_is_a_document_with_every_panel_case_and_queue() {
        let svg = plot(&summaries()).unwrap();
        for word in ["<svg", "1 thread", "2 threads", "raw:100", "chase-lev", "locked", "7.0"] {
            assert!(svg.contains(word), "{word}");
        }
        assert!(!svg.contains("duplicating"), "it did not run");
        let mut reader = quick_xml::Reader::from_str(&svg);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }
}
