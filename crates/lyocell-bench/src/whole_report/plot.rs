//! Drawings that stand in a page: they take its colours, and say to who cannot see them what they show.

use std::io;

use maud::{Markup, PreEscaped, html};
use plotters::prelude::*;

use crate::measure::Timing;
use crate::report::svg::{Area, Drawn, FONT, SMALL_TEXT, TEXT, draw_key, place_style, svg};
use crate::report::three_digits;

const WIDTH: u32 = 760;
const HEIGHT: u32 = 300;
const KEY_WIDTH: u32 = 150;
const MARGIN: i32 = 12;

/// Of the series; the page has others in place of them where it is dark.
pub(super) const COLOURS: [(&str, &str); 6] = [
    ("#2F6FD0", "#7AA5F5"),
    ("#C9463D", "#F28B82"),
    ("#1E8A5A", "#69C993"),
    ("#B9770E", "#E7B45C"),
    ("#8A4FC0", "#C29BF0"),
    ("#6B7480", "#A3ACB8"),
];

/// What is drawn.
pub(super) struct Plot {
    /// What it shows, in a sentence.
    pub(super) title: String,
    pub(super) x: &'static str,
    pub(super) y: &'static str,
    /// From left to right.
    pub(super) places: Vec<String>,
    /// Below some of the places, what they have in common: the middle of them, and its name.
    pub(super) groups: Vec<(f64, String)>,
    pub(super) series: Vec<Series>,
    pub(super) shape: Shape,
}

/// How it is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line for each series, with a bar from the lowest to the highest run at each point.
    Lines,
    /// At each place a bar for each series, side by side, with the same.
    Bars,
    /// At each place one bar, of a piece for each series.
    Stacks,
}

/// Some values of one name.
pub(super) struct Series {
    pub(super) name: String,
    /// At each place, if there is one.
    pub(super) points: Vec<Option<Timing>>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Measured,
    /// A bound, which is calculated.
    Bound,
}

impl Series {
    pub(super) fn measured(name: &str, points: Vec<Option<Timing>>) -> Series {
        Series { name: name.to_owned(), points, kind: Kind::Measured }
    }

    fn colour(&self, index: usize) -> RGBColor {
        let index = if self.kind == Kind::Bound { COLOURS.len() - 1 } else { index };
        let number = u32::from_str_radix(&COLOURS[index % COLOURS.len()].0[1..], 16);
        let [_, red, green, blue] = number.unwrap_or(0).to_be_bytes();
        RGBColor(red, green, blue)
    }
}

impl Plot {
    /// As it stands in a page.
    ///
    /// # Errors
    /// The drawing library's.
    pub(super) fn markup(&self) -> io::Result<Markup> {
        if self.places.is_empty() {
            return Ok(html! { p { "Nothing was measured that would stand in the plot." } });
        }
        let drawing = svg((WIDTH, HEIGHT), |area| self.draw(area))?;
        Ok(inline(&drawing, &self.title))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        let (plot, key) = area.split_horizontally(WIDTH - KEY_WIDTH);
        for (index, series) in self.series.iter().enumerate() {
            const LINE: i32 = 22;
            let at = (4, MARGIN + LINE * index as i32);
            draw_key(&key, series.colour(index), &series.name, at)?;
        }
        let (bottom, top) = self.range();
        let mut chart = ChartBuilder::on(&plot)
            .margin(8)
            .x_label_area_size(58)
            .y_label_area_size(62)
            .build_cartesian_2d(-0.5..self.places.len() as f64 - 0.5, bottom..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.15))
            .x_labels(0)
            .x_desc(self.x)
            .y_desc(self.y)
            .axis_desc_style((FONT, TEXT))
            .y_label_formatter(&|height| three_digits(*height))
            .label_style((FONT, SMALL_TEXT))
            .draw()?;
        chart.draw_series(self.boxes().into_iter().map(|(corners, index)| {
            Rectangle::new(corners, self.series[index].colour(index).filled())
        }))?;
        for (points, index) in self.lines() {
            let width = if self.series[index].kind == Kind::Bound { 1 } else { 2 };
            let colour = self.series[index].colour(index);
            chart.draw_series([PathElement::new(points, colour.stroke_width(width))])?;
        }
        chart.draw_series(self.spreads().into_iter().map(|ends| PathElement::new(ends, BLACK)))?;
        chart.draw_series(self.places.iter().enumerate().map(|(place, name)| {
            const BELOW: (i32, i32) = (0, 8);
            EmptyElement::at((place as f64, bottom)) + Text::new(name.clone(), BELOW, place_style())
        }))?;
        chart.draw_series(self.groups.iter().map(|(middle, name)| {
            const BELOW: (i32, i32) = (0, 22);
            EmptyElement::at((*middle, bottom)) + Text::new(name.clone(), BELOW, place_style())
        }))?;
        Ok(())
    }

    /// From zero or the lowest to above the highest.
    fn range(&self) -> (f64, f64) {
        const ROOM: f64 = 1.06;
        let all = || self.series.iter().flat_map(|series| series.points.iter().flatten());
        let top = match self.shape {
            Shape::Stacks => (0..self.places.len())
                .map(|place| self.below(place, usize::MAX))
                .fold(0.0, f64::max),
            Shape::Lines | Shape::Bars => all().map(|point| point.high).fold(0.0, f64::max),
        };
        let low = all().map(|point| point.low).fold(0.0, f64::min);
        let top = if top > low { top } else { low + 1.0 };
        (low * ROOM, top * ROOM)
    }

    /// How high the pieces of a stack before this series are.
    fn below(&self, place: usize, series: usize) -> f64 {
        let before = self.series.iter().take(series);
        before.filter_map(|series| series.points[place]).map(|point| point.median).sum()
    }

    /// Where a series is at a place: side by side, or nearly at one point.
    fn x(&self, place: usize, index: usize) -> f64 {
        let width = match self.shape {
            Shape::Lines if self.series[index].kind == Kind::Bound => 0.0,
            Shape::Lines => 0.05,
            Shape::Bars => self.width(),
            Shape::Stacks => 0.0,
        };
        place as f64 + (index as f64 - (self.series.len() as f64 - 1.0) / 2.0) * width
    }

    /// Of a bar.
    fn width(&self) -> f64 {
        if self.shape == Shape::Stacks { 0.6 } else { 0.8 / self.series.len().max(1) as f64 }
    }

    /// All points: place, series, and where.
    fn points(&self) -> impl Iterator<Item = (usize, usize, Timing)> + '_ {
        self.series.iter().enumerate().flat_map(|(index, series)| {
            let points = series.points.iter().enumerate();
            points.filter_map(move |(place, point)| Some((place, index, (*point)?)))
        })
    }

    fn boxes(&self) -> Vec<([(f64, f64); 2], usize)> {
        if self.shape == Shape::Lines {
            return Vec::new();
        }
        let half = self.width() * 0.46;
        let corners = |(place, index, point): (usize, usize, Timing)| {
            let (x, below) = match self.shape {
                Shape::Stacks => (place as f64, self.below(place, index)),
                Shape::Lines | Shape::Bars => (self.x(place, index), 0.0),
            };
            ([(x - half, below), (x + half, below + point.median)], index)
        };
        self.points().map(corners).collect()
    }

    fn lines(&self) -> Vec<(Vec<(f64, f64)>, usize)> {
        if self.shape != Shape::Lines {
            return Vec::new();
        }
        let line = |index: usize| {
            let own = self.points().filter(|(_, series, _)| *series == index);
            (own.map(|(place, index, point)| (self.x(place, index), point.median)).collect(), index)
        };
        (0..self.series.len()).map(line).collect()
    }

    /// From the lowest to the highest run at each point.
    fn spreads(&self) -> Vec<[(f64, f64); 2]> {
        if self.shape == Shape::Stacks {
            return Vec::new();
        }
        let ends = |(place, index, point): (usize, usize, Timing)| {
            let x = self.x(place, index);
            [(x, point.low), (x, point.high)]
        };
        self.points().filter(|(.., point)| point.low < point.high).map(ends).collect()
    }
}

/// A drawing in a page, with words for who cannot see it: it scales, and its name space is the page's.
pub(super) fn inline(drawing: &str, title: &str) -> Markup {
    let label = html! { (title) }.into_string().replace('"', "&quot;");
    let drawing = drawing.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    let drawing =
        drawing.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1);
    let drawing = drawing.replacen(">\n", &format!("><title>{label}</title>\n"), 1);
    html! { div class="scroll plot" { (PreEscaped(drawing)) } }
}

/// Rules that give drawings the colours of the page, light or dark.
pub(super) fn style() -> String {
    let rule = |colour: &str, to: &str| {
        format!("[fill=\"{colour}\"] {{ fill: {to}; }} [stroke=\"{colour}\"] {{ stroke: {to}; }}\n")
    };
    let light = rule("#000000", "var(--ink)") + &rule("#FFFFFF", "var(--paper)");
    let dark: String = COLOURS.iter().map(|(light, dark)| rule(light, dark)).collect();
    format!("{light}@media (prefers-color-scheme: dark) {{ {dark} }}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> Option<Timing> {
        Some(Timing { median: value, low: value - 0.5, high: value + 0.5 })
    }

    fn plot(shape: Shape) -> Plot {
        Plot {
            title: "a < b".to_owned(),
            x: "places",
            y: "ns",
            places: vec!["one".to_owned(), "two".to_owned()],
            groups: vec![(0.5, "both".to_owned())],
            series: vec![
                Series::measured("first", vec![exact(1.0), exact(2.0)]),
                Series::measured("second", vec![None, exact(4.0)]),
            ],
            shape,
        }
    }

    #[test]
    fn bars_stand_side_by_side_and_stacks_on_each_other() {
        let bars = plot(Shape::Bars).boxes();
        assert_eq!(bars.len(), 3);
        assert!(bars[1].0[1].0 < bars[2].0[0].0, "{bars:?}");
        let stacks = plot(Shape::Stacks).boxes();
        assert_eq!((stacks[2].0[0].1, stacks[2].0[1].1), (2.0, 6.0));
        assert!(plot(Shape::Stacks).range().1 > 6.0);
        assert!(plot(Shape::Lines).boxes().is_empty());
    }

    #[test]
    fn every_point_has_its_spread_within_the_range() {
        let plot = plot(Shape::Lines);
        let (bottom, top) = plot.range();
        let spreads = plot.spreads();
        assert_eq!(spreads.len(), 3);
        assert!(spreads.iter().flatten().all(|(_, y)| (bottom..top).contains(y)), "{spreads:?}");
        assert_eq!(plot.lines()[1].0.len(), 1);
    }

    #[test]
    fn a_drawing_says_what_it_shows_and_names_its_axes() {
        let markup = plot(Shape::Bars).markup().unwrap().into_string();
        for words in [
            "aria-label=\"a &lt; b\"",
            "<title>a &lt; b</title>",
            "places",
            "ns",
            "two",
            "both",
            "second",
        ] {
            assert!(markup.contains(words), "{words}: {markup}");
        }
        assert!(!markup.contains("http"), "{markup}");
    }
}
