//! The paper's bar plots (its Figures 3, 4 and 6) as SVG: a panel a number of threads, a group of bars a case, a
//! bar a queue; means normalised to ABP with their standard deviations.

use std::fmt::Display;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::queue::Queue;
use super::summary::{CaseSummary, QueueSummary};

const WIDTH: u32 = 1200;
const PANEL_HEIGHT: u32 = 260;
const LEGEND_HEIGHT: u32 = 90;

/// Bars end here; the numbers of higher ones are written over them.
const CEILING: f64 = 3.0;

/// Of a group's width, for its bars.
const BARS_WIDTH: f64 = 0.86;

const FONT: &str = "sans-serif";
const TEXT: f64 = 14.0;
const SMALL_TEXT: f64 = 11.0;

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
pub(crate) fn plot(summaries: &[CaseSummary]) -> Result<String, String> {
    let mut threads: Vec<usize> = summaries.iter().flat_map(|s| &s.threads).copied().collect();
    threads.sort_unstable();
    threads.dedup();
    let queues = Queue::ALL.into_iter().filter(|queue| {
        summaries.iter().any(|summary| summary.queues.iter().any(|row| row.queue == *queue))
    });
    let queues: Vec<Queue> = queues.collect();
    let mut svg = String::new();
    let height = LEGEND_HEIGHT + PANEL_HEIGHT * threads.len() as u32;
    let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(say)?;
    let (legend, panels) = root.split_vertically(LEGEND_HEIGHT);
    draw_legend(&legend, &queues).map_err(say)?;
    for (panel, &threads) in panels.split_evenly((threads.len(), 1)).iter().zip(&threads) {
        draw_panel(panel, summaries, threads).map_err(say)?;
    }
    root.present().map_err(say)?;
    drop((legend, panels, root));
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn say(error: impl Display) -> String {
    format!("cannot draw the plot: {error}")
}

/// The title, and the queues' names by their colours.
fn draw_legend<'a>(area: &Area<'a>, queues: &[Queue]) -> Drawn<'a> {
    const COLUMNS: usize = 6;
    const LEFT: i32 = 60;
    const COLUMN: i32 = 190;
    const TOP: i32 = 40;
    const LINE: i32 = 22;
    const BOX: i32 = 12;
    let title = (FONT, TEXT + 2.0).into_font().style(FontStyle::Bold);
    let text = "Mean time of each queue over that of ABP (less is better)";
    area.draw(&Text::new(text, (LEFT, TOP / 3), title))?;
    for (index, &queue) in queues.iter().enumerate() {
        let x = LEFT + COLUMN * (index % COLUMNS) as i32;
        let y = TOP + LINE * (index / COLUMNS) as i32;
        area.draw(&Rectangle::new([(x, y), (x + BOX, y + BOX)], colour(queue).filled()))?;
        area.draw(&Text::new(queue.name(), (x + BOX + 6, y), (FONT, TEXT).into_font()))?;
    }
    Ok(())
}

fn draw_panel<'a>(area: &Area<'a>, summaries: &[CaseSummary], threads: usize) -> Drawn<'a> {
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
        .label_style((FONT, SMALL_TEXT))
        .draw()?;
    chart.draw_series(bars.iter().map(|bar| bar.rectangle(top)))?;
    chart.draw_series(bars.iter().filter(|bar| bar.deviation > 0.0).map(|bar| {
        let ends = [bar.ratio - bar.deviation, bar.ratio + bar.deviation];
        let ends = ends.map(|end| (bar.middle(), end.clamp(0.0, top)));
        PathElement::new(ends, BLACK.mix(0.6))
    }))?;
    let cut = bars.iter().filter(|bar| bar.ratio > top);
    chart.draw_series(cut.map(|bar| {
        let style = (FONT, SMALL_TEXT).into_font().transform(FontTransform::Rotate270);
        Text::new(format!("{:.1}", bar.ratio), (bar.left, top * 0.8), style.color(&WHITE))
    }))?;
    let baseline = [(0.0, 1.0), (summaries.len() as f64, 1.0)];
    chart.draw_series([PathElement::new(baseline, BLACK.mix(0.5))])?;
    let (_, height) = area.dim_in_pixel();
    for (index, summary) in summaries.iter().enumerate() {
        let (x, _) = chart.backend_coord(&(index as f64 + 0.5, 0.0));
        let (left, top) = area.get_base_pixel();
        let centred = (FONT, TEXT).into_text_style(area).pos(text_anchor());
        let place = (x - left, (chart.backend_coord(&(0.0, 0.0)).1 - top + 8).min(height as i32));
        area.draw(&Text::new(summary.name.clone(), place, centred))?;
    }
    Ok(())
}

fn text_anchor() -> plotters::style::text_anchor::Pos {
    use plotters::style::text_anchor::{HPos, Pos, VPos};
    Pos::new(HPos::Center, VPos::Top)
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

    fn rectangle(&self, top: f64) -> Rectangle<(f64, f64)> {
        const GAP: f64 = 0.1;
        let corners =
            [(self.left, 0.0), (self.left + self.width * (1.0 - GAP), self.ratio.min(top))];
        Rectangle::new(corners, colour(self.queue).filled())
    }
}

/// The bars of all cases, side by side.
fn bars(summaries: &[CaseSummary], threads: usize) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (group, summary) in summaries.iter().enumerate() {
        let Some(index) = summary.threads.iter().position(|&n| n == threads) else { continue };
        let width = BARS_WIDTH / summary.queues.len().max(1) as f64;
        for (place, row) in summary.queues.iter().enumerate() {
            let left = group as f64 + (1.0 - BARS_WIDTH) / 2.0 + width * place as f64;
            bars.extend(bar(summary, row, index, left, width));
        }
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
