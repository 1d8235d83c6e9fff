//! How a cell is marked: colour, pattern and outline.

/// How a cell is marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellMark {
    /// What the mark looks like.
    pub style: MarkStyle,
    /// The sRGB colour of the mark.
    pub colour: [u8; 3],
}

/// What a mark looks like. Each has a pattern or an outline of its own, so that hues are not needed to tell them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkStyle {
    /// Nothing is drawn.
    #[default]
    None,
    /// A tint.
    Value,
    /// A tint with dots: a closed cell.
    Closed,
    /// A light tint with an outline: an open cell.
    Open,
    /// A strong outline: the cell that is being expanded.
    Expanded,
    /// Dark hatching: a blocked cell.
    Blocked,
}

/// The colour of the lines that set a mark off against any ground.
const DARK: [u8; 3] = [16, 18, 26];

/// Returns the colour of a mark at a point, in straight sRGB; `None` where nothing is drawn.
///
/// `local` is the position in the cell in columns and rows from its centre, -0.5 to 0.5. `pixel` is a pixel of the map,
/// which patterns follow.
pub fn shade(mark: CellMark, local: (f64, f64), pixel: (i32, i32)) -> Option<[u8; 4]> {
    let CellMark { style, colour: [r, g, b] } = mark;
    let dark = |alpha| Some([DARK[0], DARK[1], DARK[2], alpha]);
    let tint = |alpha| Some([r, g, b, alpha]);
    // From 0 at the edge of the cell to 0.5 in its centre.
    let inside = 0.5 - local.0.abs().max(local.1.abs());
    let (x, y) = pixel;
    match style {
        MarkStyle::None => None,
        MarkStyle::Value => tint(170),
        MarkStyle::Closed => {
            let is_dot = y.rem_euclid(3) == 0 && (x + y.rem_euclid(6)).rem_euclid(6) == 0;
            if is_dot { dark(120) } else { tint(if inside < 0.025 { 70 } else { 165 }) }
        }
        MarkStyle::Open => match inside {
            ..0.03 => dark(200),
            ..0.11 => tint(255),
            ..0.14 => dark(120),
            _ => tint(70),
        },
        MarkStyle::Expanded => match inside {
            ..0.05 => dark(255),
            ..0.16 => tint(255),
            ..0.20 => dark(255),
            _ => tint(120),
        },
        MarkStyle::Blocked => {
            if (x + 2 * y).rem_euclid(8) < 2 {
                dark(150)
            } else {
                dark(70)
            }
        }
    }
}
