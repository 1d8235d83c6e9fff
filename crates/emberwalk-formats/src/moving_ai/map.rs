//! Parses `.map` files: four lines of header, then a letter for each cell.

use std::collections::BTreeMap;

use super::costs::is_known;
use super::{TerrainCosts, non_empty_lines, refuse_other_programs};
use crate::octile_kind::{KINDS_HELP, OctileKind};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, closest_match, counted};
use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::{CostGrid, Diagonal, MAX_SIDE};

/// A map of letters, one for each cell. [`TerrainCosts`] defines their costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OctileMap {
    letters: Grid<u8>,
}

impl OctileMap {
    /// Parses `source`, the text of the file that messages call `file`.
    ///
    /// ```
    /// use emberwalk_formats::moving_ai::OctileMap;
    /// let text = "type octile\nheight 2\nwidth 3\nmap\n@.@\n...\n";
    /// let map = OctileMap::parse("gate.map", text)?;
    /// assert_eq!(map.letters().get((1, 0).into()), Some(&b'.'));
    ///
    /// let diagnostics = OctileMap::parse("bad.map", &text.replace("@.@", "@.@@")).unwrap_err();
    /// assert_eq!(diagnostics.list()[0].message, "row 0 has 4 letters; the width is 3");
    /// assert_eq!(diagnostics.list()[0].location.as_ref().unwrap().line, 5);
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All errors in the text. A map has 1 to 4096 columns and rows; letters are visible ASCII characters.
    pub fn parse(file: &str, source: &str) -> Result<Self, Diagnostics> {
        refuse_other_programs(file, source, "a Moving AI map", HELP)?;
        let mut diagnostics = DiagnosticCollector::new(file, source);
        let map = parse(source, &mut diagnostics);
        diagnostics.finish()?;
        Ok(map.expect("without diagnostics there is a map"))
    }

    /// The number of columns and rows, each 1 to 4096.
    pub fn size(&self) -> Size {
        self.letters.size()
    }

    /// The letter of every cell, a visible ASCII character.
    pub fn letters(&self) -> &Grid<u8> {
        &self.letters
    }

    /// The map at another scale: a cell has the letter of the cell at its place. The size is at least 1 x 1.
    ///
    /// ```
    /// use emberwalk_formats::moving_ai::OctileMap;
    /// use emberwalk_path::grid::Size;
    /// let map = OctileMap::parse("gate.map", "type octile\nheight 1\nwidth 2\nmap\n@.\n")?;
    /// assert_eq!(map.scaled_to(Size::new(4, 2)).letters().values(), b"@@..@@..");
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn scaled_to(self, size: Size) -> Self {
        let own = self.size();
        if size == own {
            return self;
        }
        let scaled = |at: i32, own: u32, other: u32| (at as u64 * u64::from(own) / u64::from(other)) as i32;
        let letters = Grid::from_fn(size, |Cell { x, y }| {
            self.letters[Cell::new(scaled(x, own.width, size.width), scaled(y, own.height, size.height))]
        });
        Self { letters }
    }

    /// The letters that no benchmark set has, with the first cell of each; `None` if there are none. By default they are
    /// blocked.
    ///
    /// ```
    /// use emberwalk_formats::moving_ai::OctileMap;
    /// let map = OctileMap::parse("a.map", "type octile\nheight 1\nwidth 4\nmap\n.ExE\n")?;
    /// assert_eq!(map.unknown_letters().as_deref(), Some("'x' (first at 2,0)"));
    /// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
    /// ```
    pub fn unknown_letters(&self) -> Option<String> {
        let mut unknown: BTreeMap<u8, Cell> = BTreeMap::new();
        for (cell, &letter) in self.letters.iter().filter(|(_, letter)| !is_known(**letter)) {
            unknown.entry(letter).or_insert(cell);
        }
        let described = |(letter, cell): (u8, Cell)| format!("{:?} (first at {cell})", char::from(letter));
        let list: Vec<_> = unknown.into_iter().map(described).collect();
        (!list.is_empty()).then(|| list.join(", "))
    }

    /// Creates the cost grid of the map.
    pub fn cost_grid(&self, costs: &TerrainCosts, diagonal: Diagonal) -> CostGrid {
        CostGrid::from_fn(self.size(), diagonal, |cell| costs.cost(self.letters[cell]))
            .expect("the size of a map is a valid size of a cost grid")
    }
}

fn parse(source: &str, diagnostics: &mut DiagnosticCollector<'_>) -> Option<OctileMap> {
    let mut lines = non_empty_lines(source).map(|(_, line)| line);
    let Header { size, kind } = header(source, &mut lines, diagnostics)?;
    let mut rows = Vec::new();
    for line in lines {
        if rows.len() == size.height as usize {
            match kind {
                OctileKind::Octile => {
                    diagnostics.add(line, format!("there are more rows than the height of {}", size.height), None);
                }
                OctileKind::OctileCorner => {
                    let message = "the map has the heights of corners before its letters, which cannot be read";
                    diagnostics.add(line, message, "leave out the heights, and write `type octile`".to_owned());
                }
            }
            return None;
        }
        check_row(line, rows.len(), size, diagnostics);
        rows.push(line.as_bytes());
    }
    if rows.len() < size.height as usize {
        let message = format!("the map ends after {} of {}", rows.len(), counted(size.height as usize, "row"));
        diagnostics.add(&source[source.len()..], message, None);
    }
    // Without diagnostics, every row has a letter for each cell.
    diagnostics
        .is_empty()
        .then(|| OctileMap { letters: Grid::from_fn(size, |cell| rows[cell.y as usize][cell.x as usize]) })
}

/// What the lines up to `map` say.
struct Header {
    size: Size,
    kind: OctileKind,
}

/// How a map begins.
const HELP: &str = "a map begins with the lines `type octile`, `height 2`, `width 3` and `map`";

/// Parses the lines up to `map`.
fn header<'a>(
    source: &str,
    lines: &mut impl Iterator<Item = &'a str>,
    diagnostics: &mut DiagnosticCollector<'_>,
) -> Option<Header> {
    let (mut kind, mut height, mut width) = (None, None, None);
    loop {
        let Some(line) = lines.next() else {
            diagnostics.add(&source[source.len()..], "the file ends before the line `map`", HELP.to_owned());
            return None;
        };
        let words: Vec<_> = line.split_whitespace().take(3).collect();
        let (name, value, field) = match words[..] {
            ["map"] => {
                for (name, field) in [("type", &kind), ("height", &height), ("width", &width)] {
                    if field.is_none() {
                        diagnostics.add(line, format!("no line `{name}` before the line `map`"), HELP.to_owned());
                    }
                }
                break;
            }
            [name @ "type", value] => (name, value, &mut kind),
            ["version", _] if kind.is_none() => {
                let help = "give the map first and the scenario second".to_owned();
                diagnostics.add(line, "this is a scenario, not a map", help);
                return None;
            }
            [name @ "height", value] => (name, value, &mut height),
            [name @ "width", value] => (name, value, &mut width),
            _ => {
                diagnostics.add(line, "this is not a line of a map's header", HELP.to_owned());
                return None;
            }
        };
        if field.replace(value).is_some() {
            diagnostics.add(name, format!("a second line `{name}`"), "remove one of them".to_owned());
        }
    }
    let kind = match kind {
        None => OctileKind::Octile,
        Some(name) => OctileKind::of_name(name).or_else(|| {
            let help = match closest_match(name, &OctileKind::NAMES.map(|(name, _)| name)) {
                Some(closest) => format!("did you mean `{closest}`?"),
                None => KINDS_HELP.to_owned(),
            };
            diagnostics.add(name, format!("unknown type '{name}'"), help);
            None
        })?,
    };
    let (height, width) = (side(height?, "rows", diagnostics), side(width?, "columns", diagnostics));
    Some(Header { size: Size::new(width?, height?), kind })
}

/// Parses the number of rows or columns.
fn side(value: &str, what: &str, diagnostics: &mut DiagnosticCollector<'_>) -> Option<u32> {
    let side = value.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    if side.is_none() {
        diagnostics.add(value, format!("a map has 1 to {MAX_SIDE} {what}, not '{value}'"), None);
    }
    side
}

/// Reports the errors in row `y`.
fn check_row(line: &str, y: usize, size: Size, diagnostics: &mut DiagnosticCollector<'_>) {
    let is_letter = |character: char| character.is_ascii_graphic();
    for (x, (at, character)) in line.char_indices().enumerate().filter(|(_, (_, character))| !is_letter(*character)) {
        let start = diagnostics.span_of(line).start + at;
        let (span, cell) = (start..start + character.len_utf8(), Some(Cell::new(x as i32, y as i32)));
        let help = "letters are visible ASCII characters, such as . @ T".to_owned();
        diagnostics.add_span(span, cell, format_args!("{character:?} at {x},{y} is not a letter"), help);
    }
    let length = line.chars().count();
    if length != size.width as usize {
        diagnostics.add(line, format!("row {y} has {}; the width is {}", counted(length, "letter"), size.width), None);
    }
}
