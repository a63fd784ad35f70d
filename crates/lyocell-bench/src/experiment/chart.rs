//! The plots of a figure: panels of lines over the same places.

use std::io;

use plotters::prelude::*;

use crate::report::svg::{
    Area, Drawn, FONT, SMALL_TEXT, TEXT, draw_key, draw_title, place_style, svg,
};

const WIDTH: u32 = 900;
const PANEL_HEIGHT: u32 = 320;
const LEGEND_WIDTH: u32 = 190;
const MARGIN: i32 = 12;

/// One panel.
#[derive(Debug)]
pub(crate) struct Chart {
    /// What is drawn, of what.
    pub(crate) title: String,
    /// What the places are.
    pub(crate) x: &'static str,
    /// Their names, from left to right.
    pub(crate) places: Vec<String>,
    pub(crate) scale: Scale,
    pub(crate) lines: Vec<Line>,
}

/// The y axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// From zero; the text of a number.
    Linear(fn(f64) -> String),
    /// As far apart as their ratio; the text of a number.
    Logarithmic(fn(f64) -> String),
}

/// A line, with a gap where nothing was measured.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    /// At each place.
    pub(crate) values: Vec<Option<f64>>,
    /// Between which values each lay, if that is told.
    pub(crate) spreads: Vec<Option<(f64, f64)>>,
}

/// Of speedups.
pub(crate) const SPEEDUP: Scale = Scale::Linear(|speedup| format!("{speedup:.1}"));

impl Line {
    pub(crate) fn new(name: impl Into<String>, values: impl Iterator<Item = Option<f64>>) -> Line {
        Line { name: name.into(), values: values.collect(), spreads: Vec::new() }
    }

    /// The same, with the values between which each lay.
    pub(crate) fn spread(self, spreads: impl Iterator<Item = Option<(f64, f64)>>) -> Line {
        Line { spreads: spreads.collect(), ..self }
    }
}

impl Scale {
    /// How high it is drawn; nothing, or what is not positive, has no logarithm.
    fn height(self, value: f64) -> Option<f64> {
        match self {
            Scale::Linear(_) => Some(value),
            Scale::Logarithmic(_) => (value > 0.0).then(|| value.log10()),
        }
    }

    fn text(self, height: f64) -> String {
        match self {
            Scale::Linear(_) if height == 0.0 => "0".to_owned(),
            Scale::Linear(text) => text(height),
            Scale::Logarithmic(text) => text(10_f64.powf(height)),
        }
    }

    /// From the lowest to the highest point, and zero where that is a place to begin.
    fn range(self, heights: &[f64]) -> std::ops::Range<f64> {
        const ROOM: f64 = 0.05;
        let start = match self {
            Scale::Linear(_) => 0.0,
            Scale::Logarithmic(_) => f64::INFINITY,
        };
        let low = heights.iter().copied().fold(start, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low < high { (low, high) } else { (low.min(0.0), high.max(1.0)) };
        let room = (high - low) * ROOM;
        low - if low == 0.0 { 0.0 } else { room }..high + room
    }
}

/// The charts below each other, as an SVG.
///
/// # Errors
/// The drawing library's.
pub(crate) fn draw(charts: &[Chart]) -> io::Result<String> {
    let panels = charts.len().max(1);
    svg((WIDTH, PANEL_HEIGHT * panels as u32), |area| {
        if charts.is_empty() {
            return draw_title(area, "Nothing was measured that the paper plots", (MARGIN, MARGIN));
        }
        let panels = area.split_evenly((panels, 1));
        panels.iter().zip(charts).try_for_each(|(panel, chart)| chart.draw(panel))
    })
}

fn colour(line: usize) -> RGBColor {
    const COLOURS: [[u8; 3]; 8] = [
        [0x1f, 0x77, 0xb4],
        [0xd6, 0x27, 0x28],
        [0x2c, 0xa0, 0x6c],
        [0xff, 0x7f, 0x0e],
        [0x6a, 0x3d, 0x9a],
        [0xa5, 0x6a, 0x43],
        [0x17, 0xa2, 0xb8],
        [0x66, 0x66, 0x66],
    ];
    let [red, green, blue] = COLOURS[line % COLOURS.len()];
    RGBColor(red, green, blue)
}

impl Chart {
    fn draw(&self, area: &Area<'_>) -> Drawn {
        const TITLE_HEIGHT: u32 = 30;
        let (title, body) = area.split_vertically(TITLE_HEIGHT);
        draw_title(&title, &self.title, (MARGIN, MARGIN))?;
        let (plot, legend) = body.split_horizontally(WIDTH - LEGEND_WIDTH);
        self.draw_lines(&plot)?;
        for (index, line) in self.lines.iter().enumerate() {
            const LINE: i32 = 22;
            draw_key(&legend, colour(index), &line.name, (0, MARGIN + LINE * index as i32))?;
        }
        Ok(())
    }

    /// The points of a line, as runs without a gap.
    fn runs(&self, line: &Line) -> Vec<Vec<(f64, f64)>> {
        let point = |(place, value): (usize, &Option<f64>)| {
            Some((place as f64, self.scale.height((*value)?)?))
        };
        let points: Vec<_> = line.values.iter().enumerate().map(point).collect();
        let runs = points.split(Option::is_none).filter(|run| !run.is_empty());
        runs.map(|run| run.iter().flatten().copied().collect()).collect()
    }

    /// Between which heights each value of a line lay: its place, and both ends.
    fn heights_of_spreads(&self, line: &Line) -> Vec<(f64, [f64; 2])> {
        let each = line.spreads.iter().enumerate();
        let heights = each.filter_map(|(place, spread)| {
            let (low, high) = (*spread)?;
            Some((place as f64, [self.scale.height(low)?, self.scale.height(high)?]))
        });
        heights.collect()
    }

    fn draw_lines(&self, area: &Area<'_>) -> Drawn {
        const BELOW: (i32, i32) = (0, 8);
        const DOT: i32 = 3;
        let runs: Vec<_> = self.lines.iter().map(|line| self.runs(line)).collect();
        let spreads: Vec<_> = self.lines.iter().map(|line| self.heights_of_spreads(line)).collect();
        let ends = spreads.iter().flatten().flat_map(|(_, ends)| *ends);
        let points = runs.iter().flatten().flatten().map(|point| point.1);
        let heights: Vec<f64> = points.chain(ends).collect();
        let range = self.scale.range(&heights);
        let bottom = range.start;
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(44)
            .y_label_area_size(70)
            .build_cartesian_2d(-0.5..self.places.len() as f64 - 0.5, range)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(0)
            .x_desc(self.x)
            .axis_desc_style((FONT, TEXT))
            .y_label_formatter(&|height| self.scale.text(*height))
            .label_style((FONT, SMALL_TEXT))
            .draw()?;
        let coloured = runs.iter().enumerate();
        let coloured =
            coloured.flat_map(|(line, runs)| runs.iter().map(move |run| (colour(line), run)));
        for (colour, run) in coloured {
            chart.draw_series([PathElement::new(run.clone(), colour.stroke_width(2))])?;
            chart.draw_series(run.iter().map(|&point| Circle::new(point, DOT, colour.filled())))?;
        }
        for (line, spreads) in spreads.iter().enumerate() {
            chart.draw_series(spreads.iter().map(|&(place, ends)| {
                PathElement::new(ends.map(|end| (place, end)), colour(line).stroke_width(1))
            }))?;
        }
        chart.draw_series(self.places.iter().enumerate().map(|(place, name)| {
            EmptyElement::at((place as f64, bottom)) + Text::new(name.clone(), BELOW, place_style())
        }))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        format!("{value:.0} s")
    }

    fn chart(scale: Scale) -> Chart {
        let line = |name: &str, values: [Option<f64>; 3]| Line {
            name: name.to_owned(),
            values: values.to_vec(),
            spreads: Vec::new(),
        };
        Chart {
            title: "times".to_owned(),
            x: "size",
            places: ["small", "middle", "large"].map(str::to_owned).to_vec(),
            scale,
            lines: vec![
                line("slow", [Some(1.0), Some(100.0), Some(10.0)]),
                line("fast", [Some(2.0), None, Some(0.0)]),
            ],
        }
    }

    #[test]
    fn a_line_has_a_gap_where_nothing_was_measured_or_cannot_be_drawn() {
        let linear = chart(Scale::Linear(text));
        assert_eq!(linear.runs(&linear.lines[1]), [[(0.0, 2.0)], [(2.0, 0.0)]]);
        let logarithmic = chart(Scale::Logarithmic(text));
        assert_eq!(logarithmic.runs(&logarithmic.lines[0]), [[(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]]);
        assert_eq!(logarithmic.runs(&logarithmic.lines[1]).len(), 1);
    }

    #[test]
    fn every_point_is_within_the_range() {
        let range = Scale::Linear(text).range(&[1.0, 9.0]);
        assert!(range.start == 0.0 && range.end > 9.0);
        let range = Scale::Linear(text).range(&[-2.0, 9.0]);
        assert!(range.start < -2.0);
        let range = Scale::Logarithmic(text).range(&[-3.0, -1.0]);
        assert!(range.start < -3.0 && range.end > -1.0 && range.end < 0.0);
        for heights in [&[][..], &[0.0], &[5.0]] {
            let range = Scale::Logarithmic(text).range(heights);
            assert!(range.start < range.end && range.start.is_finite(), "{heights:?}");
        }
    }

    #[test]
    fn the_drawing_is_a_document_with_every_place_and_line() {
        let svg = draw(&[chart(Scale::Linear(text)), chart(Scale::Logarithmic(text))]).unwrap();
        for word in ["<svg", "times", "size", "small", "middle", "large", "slow", "fast", " s\n"] {
            assert!(svg.contains(word), "{word}");
        }
        assert!(draw(&[]).unwrap().contains("Nothing was measured"));
        let mut reader = quick_xml::Reader::from_str(&svg);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }
}
