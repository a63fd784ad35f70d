//! Drawings as SVG: what all plots share.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(crate) const FONT: &str = "sans-serif";
pub(crate) const TEXT: f64 = 14.0;
pub(crate) const SMALL_TEXT: f64 = 11.0;

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// A drawing of this size, on white.
///
/// # Errors
/// The drawing library's.
pub(crate) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<String, std::io::Error> {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    root.fill(&WHITE)
        .and_then(|()| draw(&root))
        .and_then(|()| root.present())
        .map_err(|error| std::io::Error::other(format!("cannot draw the plot: {error}")))?;
    drop(root);
    Ok(svg)
}

/// A line of bold text.
pub(crate) fn draw_title(area: &Area<'_>, text: &str, at: (i32, i32)) -> Drawn {
    let style = (FONT, TEXT + 2.0).into_font().style(FontStyle::Bold);
    area.draw(&Text::new(text, at, style))
}

/// An entry of a legend: a box of this colour, and a name.
pub(crate) fn draw_key(area: &Area<'_>, colour: RGBColor, name: &str, at: (i32, i32)) -> Drawn {
    const BOX: i32 = 12;
    let (x, y) = at;
    area.draw(&Rectangle::new([at, (x + BOX, y + BOX)], colour.filled()))?;
    area.draw(&Text::new(name, (x + BOX + 6, y), (FONT, TEXT).into_font()))
}

/// How the name of a place on the x axis is written, below it.
pub(crate) fn place_style() -> TextStyle<'static> {
    (FONT, TEXT).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top))
}
