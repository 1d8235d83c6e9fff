//! `.map` files: four lines of header, then a letter for each cell.

use std::path::Path;

use super::{TerrainCosts, lines};
use crate::diagnostics::{DiagnosticCollector, Diagnostics, read_text};
use crate::grid::{Cell, Grid, Size};
use crate::path::{CostGrid, Diagonal, MAX_SIDE};

/// A map of letters, whose meaning is for [`TerrainCosts`] to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OctileMap {
    letters: Grid<u8>,
}

impl OctileMap {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Every fault of the file, or the file itself.
    pub fn open(path: &Path) -> Result<Self, Diagnostics> {
        Self::parse(&path.display().to_string(), &read_text(path)?)
    }

    /// Reads `source`, the text of the file that the user knows as `file`.
    ///
    /// ```
    /// use emberwalk::moving_ai::OctileMap;
    /// let text = "type octile\nheight 2\nwidth 3\nmap\n@.@\n...\n";
    /// let map = OctileMap::parse("gate.map", text)?;
    /// assert_eq!(map.letters().get((1, 0).into()), Some(&b'.'));
    ///
    /// let faults = OctileMap::parse("bad.map", &text.replace("@.@", "@.@@")).unwrap_err();
    /// assert_eq!(faults.list()[0].message, "row 0 has 4 letters; the width is 3");
    /// assert_eq!(faults.list()[0].location.as_ref().unwrap().line, 5);
    /// # Ok::<(), emberwalk::diagnostics::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Every fault of the text. A side of the map is 1 to 4096 cells; letters are visible ASCII characters.
    pub fn parse(file: &str, source: &str) -> Result<Self, Diagnostics> {
        let mut faults = DiagnosticCollector::new(file, source);
        let map = read(source, &mut faults);
        faults.finish()?;
        Ok(map.expect("what is not a map has faults"))
    }

    /// Columns and rows, each 1 to 4096.
    pub fn size(&self) -> Size {
        self.letters.size()
    }

    /// The letter of every cell, a visible ASCII character.
    pub fn letters(&self) -> &Grid<u8> {
        &self.letters
    }

    /// What entering each cell costs by its letter.
    pub fn cost_grid(&self, costs: &TerrainCosts, diagonal: Diagonal) -> CostGrid {
        CostGrid::from_fn(self.size(), diagonal, |cell| costs.of(self.letters[cell]))
            .expect("a letter map's size is that of a cost grid")
    }
}

fn read(source: &str, faults: &mut DiagnosticCollector<'_>) -> Option<OctileMap> {
    let mut lines = lines(source);
    let size = header(source, &mut lines, faults)?;
    let mut rows = Vec::new();
    for line in lines {
        if rows.len() == size.height as usize {
            faults.add(line, format!("a row too many: the height is {}", size.height), None);
            return None;
        }
        row(line, rows.len(), size, faults);
        rows.push(line.as_bytes());
    }
    if rows.len() < size.height as usize {
        let message = format!("the map ends after {} of {} rows", rows.len(), size.height);
        faults.add(&source[source.len()..], message, None);
    }
    // Whatever is wrong with a row has been noted; a sound map has a letter for every cell.
    faults.is_empty().then(|| OctileMap { letters: Grid::from_fn(size, |cell| rows[cell.y as usize][cell.x as usize]) })
}

/// Reads the lines up to `map`; the size if they are sound.
fn header<'a>(
    source: &str,
    lines: &mut impl Iterator<Item = &'a str>,
    faults: &mut DiagnosticCollector<'_>,
) -> Option<Size> {
    const HELP: &str = "a map begins with the lines `type octile`, `height 2`, `width 3` and `map`";
    let (mut kind, mut height, mut width) = (None, None, None);
    loop {
        let Some(line) = lines.next() else {
            faults.add(&source[source.len()..], "the file ends before the line `map`", HELP.to_owned());
            return None;
        };
        let words: Vec<_> = line.split_whitespace().take(3).collect();
        let (name, value, field) = match words[..] {
            ["map"] => {
                for (name, field) in [("type", &kind), ("height", &height), ("width", &width)] {
                    if field.is_none() {
                        faults.add(line, format!("no line `{name}` before the line `map`"), HELP.to_owned());
                    }
                }
                break;
            }
            [name @ "type", value] => (name, value, &mut kind),
            [name @ "height", value] => (name, value, &mut height),
            [name @ "width", value] => (name, value, &mut width),
            _ => {
                faults.add(line, "this is no line of a map's header", HELP.to_owned());
                return None;
            }
        };
        if field.replace(value).is_some() {
            faults.add(name, format!("a second line `{name}`"), "take one of them out".to_owned());
        }
    }
    if let Some(kind) = kind.filter(|kind| *kind != "octile") {
        faults.add(kind, format!("unknown type '{kind}'"), "known is `octile`".to_owned());
    }
    let (height, width) = (side(height?, "rows", faults), side(width?, "columns", faults));
    Some(Size::new(width?, height?))
}

/// The number of rows or columns.
fn side(value: &str, what: &str, faults: &mut DiagnosticCollector<'_>) -> Option<u32> {
    let side = value.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    if side.is_none() {
        faults.add(value, format!("a map has 1 to {MAX_SIDE} {what}, not '{value}'"), None);
    }
    side
}

/// Notes what is wrong with row `y`.
fn row(line: &str, y: usize, size: Size, faults: &mut DiagnosticCollector<'_>) {
    let is_letter = |character: char| character.is_ascii_graphic();
    for (x, (at, character)) in line.char_indices().enumerate().filter(|(_, (_, character))| !is_letter(*character)) {
        if !faults.count_if_full() {
            let start = faults.span_of(line).start + at;
            let message = format!("{character:?} at {x},{y} is no letter");
            let help = "letters are visible ASCII characters, such as . @ T".to_owned();
            let cell = Some(Cell::new(x as i32, y as i32));
            faults.add_span(start..start + character.len_utf8(), cell, message, help);
        }
    }
    let length = line.chars().count();
    if length != size.width as usize {
        faults.add(line, format!("row {y} has {length} letters; the width is {}", size.width), None);
    }
}
