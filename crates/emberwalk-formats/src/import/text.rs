//! Imports text maps: `W` is a wall, `H` the hero, `M` the monster, anything else is empty.

use std::collections::HashMap;

use super::{ImportOptions, NamedTerrains};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, text_lines};
use emberwalk_map::terrain::{Layer, Role};
use emberwalk_map::{MAX_SIDE, MapContent, SharedGrid};
use emberwalk_path::grid::{Cell, Size};

/// Imports a text map: the monster becomes the tent and the hero the castle, on grass. Short lines are padded.
///
/// Any text could be read as a map. One without a wall, hero or monster is refused unless the format is asked for.
pub(super) fn map(
    terrains: &NamedTerrains<'_>,
    source: &str,
    options: &ImportOptions,
) -> Result<MapContent, Diagnostics> {
    let walls = options.walls.as_deref().unwrap_or("W");
    let (grass, wall) = (terrains.grass()?, terrains.named(Layer::Overlay, "stone wall")?);
    let (tent, castle) = (terrains.role(Role::Start)?, terrains.role(Role::Goal)?);
    let mut diagnostics = DiagnosticCollector::new(terrains.file, source);
    let max = MAX_SIDE as usize;
    // One line more than a map can have is enough to report that there are too many.
    let lines: Vec<_> = text_lines(source).take(max + 1).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut first: HashMap<char, Cell> = HashMap::new();
    for (y, line) in lines.iter().enumerate() {
        if y == max {
            diagnostics.add(line, format!("more than {MAX_SIDE} lines"), SIZES.to_owned());
        }
        for (x, (at, char)) in line.char_indices().enumerate() {
            if x == max {
                diagnostics.add(&line[at..], format!("more than {MAX_SIDE} characters in a line"), SIZES.to_owned());
                break;
            }
            let name = match char {
                'H' => "hero",
                'M' => "monster",
                _ => continue,
            };
            let cell = Cell::new(x as i32, y as i32);
            if let Some(before) = first.get(&char) {
                let start = diagnostics.span_of(line).start + at;
                let help = format!("a map has at most one; the first is at {before}");
                diagnostics.add_span(start..start + 1, Some(cell), format_args!("a second {name} at {cell}"), help);
            } else {
                first.insert(char, cell);
            }
        }
    }
    if width == 0 {
        diagnostics.add(&source[..0], "the text has no characters", SIZES.to_owned());
    }
    diagnostics.finish()?;
    if options.walls.is_none()
        && let Some((at, wall)) = probable_wall(source)
    {
        let mut diagnostics = DiagnosticCollector::new(terrains.file, source);
        let help = format!(
            "if {wall:?} is a wall, use `emberwalk import FILE --walls \"{wall}\"` or write W instead; if it is not, use \
             `--walls W`"
        );
        let message = format_args!("the text has {wall:?} where other maps have walls, but here a wall is W");
        diagnostics.add_span(at..at + wall.len_utf8(), None, message, help);
        diagnostics.finish()?;
    }
    let is_map_character = |char: char| matches!(char, 'H' | 'M') || walls.contains(char);
    if options.format.is_none() && !source.contains(is_map_character) {
        let message = match options.walls {
            None => "this is not a text map: it has no W, H or M".to_owned(),
            Some(_) => format!("this is not a text map: it has no H, no M and no wall of {walls:?}"),
        };
        return Err(terrains.error(message, FORMATS));
    }

    let size = Size::new(width as u32, lines.len() as u32);
    let mut cells = lines.iter().flat_map(|line| line.chars().chain(std::iter::repeat(' ')).take(width));
    let overlay = SharedGrid::from_fn(size, |_| match cells.next() {
        Some(char) if walls.contains(char) => Some(wall),
        Some('H') => Some(castle),
        Some('M') => Some(tent),
        _ => None,
    });
    terrains.map(SharedGrid::from_fn(size, |_| grass), overlay)
}

/// Characters that are walls in many text maps.
const USUAL_WALLS: &[char] = &['#', '█', '▓', '▒', '■'];

/// Characters that may be walls in a text without other walls.
const POSSIBLE_WALLS: &[char] = &['X', 'x', '*', '@', '%', '+', '|', '-', '=', '&', '$', 'O', '0', '1'];

/// The first character of a text that is not a wall here but probably a wall for its author, with its place.
fn probable_wall(source: &str) -> Option<(usize, char)> {
    let first = |chars: &[char]| source.char_indices().find(|(_, char)| chars.contains(char));
    let lacks_walls = !source.contains('W') && source.contains(['H', 'M']);
    first(USUAL_WALLS).or_else(|| first(POSSIBLE_WALLS).filter(|_| lacks_walls))
}

const SIZES: &str = "a map has 1 x 1 to 4096 x 4096 cells";

const FORMATS: &str = "known formats are text (W is a wall, H the hero, M the monster), Moving AI maps (.map), pictures \
                       (PNG, BMP, GIF, JPEG) and Tiled maps (.tmx); an empty map needs --format text";
