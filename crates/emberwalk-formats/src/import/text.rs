//! Imports text maps: `W` is a wall, `H` the hero, `M` the monster, anything else is empty.

use std::collections::{HashMap, HashSet};

use super::{ImportOptions, NamedTerrains};
use emberwalk_map::diagnostics::{DiagnosticCollector, Diagnostics, import_command, text_lines};
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
    let is_map_character = |char: char| matches!(char, 'H' | 'M') || walls.contains(char);
    let has_map_characters = source.contains(is_map_character);
    if options.format.is_none() && has_map_characters && is_prose(source, walls) {
        return Err(terrains.error("this is not a text map: most of its characters are letters of words", FORMATS));
    }
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
        && let found @ [first, ..] = &*probable_walls(source, None)
    {
        let (at, _) = source.char_indices().find(|(_, char)| char == first).expect("it was found in the text");
        let walls: String = found.iter().chain(source.contains('W').then_some(&'W')).collect();
        let mut diagnostics = DiagnosticCollector::new(terrains.file, source);
        let help = format!(
            "if all walls are {}, use `{}` or write W instead; if only W is a wall, use `--walls W`",
            list(&walls),
            import_command(terrains.file, &["--walls", &walls])
        );
        let found: String = found.iter().collect();
        let message = format!("the text has {} where other maps have walls, but here a wall is W", list(&found));
        diagnostics.add_span(at..at + first.len_utf8(), None, message, help);
        diagnostics.finish()?;
    }
    if options.format.is_none() && !has_map_characters {
        if is_lower_case(source) {
            return Err(terrains.error("this text map is in lower case", "write W, H and M in upper case"));
        }
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

/// Letters and digits that may be walls in a text without other walls. Punctuation may be, too.
const POSSIBLE_WALLS: &[char] = &['X', 'x', 'O', '0', '1'];

/// Punctuation that is the floor of many text maps.
const USUAL_FLOORS: &[char] = &['.', ',', '\'', '`', '_', '·'];

/// The number of different letters from which a text can be prose.
const MIN_LETTERS_OF_PROSE: usize = 6;

/// The characters of a text that are no walls here but probably walls for its author, in the order of the text. `walls`
/// are the characters that the user chose as walls; if it is `None`, `W` is a wall.
///
/// ```
/// use emberwalk_formats::import::probable_walls;
/// assert_eq!(probable_walls("W#W\nMWH", None), ['#']);
/// assert_eq!(probable_walls("W#W\nMWH", Some("#")), ['W']);
/// assert_eq!(probable_walls("+--+\n|MH|", None), ['+', '-', '|']);
/// assert!(probable_walls("WWW\nM-H", None).is_empty());
/// ```
pub fn probable_walls(source: &str, walls: Option<&str>) -> Vec<char> {
    let chosen = walls.unwrap_or("W");
    let is_usual = |char: char| char == 'W' || USUAL_WALLS.contains(&char);
    let has_usual = source.contains(|char| is_usual(char) && !chosen.contains(char));
    let has_walls = has_usual || source.contains(|char| chosen.contains(char));
    let is_symbol = |char: char| {
        let is_empty = char.is_whitespace() || char.is_control() || USUAL_FLOORS.contains(&char);
        !is_empty && !char.is_alphanumeric()
    };
    let has_ends = source.contains(['H', 'M']);
    let mut found = Vec::new();
    let lines: Vec<&str> = text_lines(source).collect();
    for (y, line) in lines.iter().enumerate() {
        let is_outer_line = y == 0 || y + 1 == lines.len();
        let (start, end) = (line.len() - line.trim_start().len(), line.trim_end().len());
        for (at, char) in line.char_indices() {
            if chosen.contains(char) || found.contains(&char) {
                continue;
            }
            let is_on_border = is_outer_line || at == start || at + char.len_utf8() == end;
            let is_possible = match has_walls {
                false => has_ends && (is_symbol(char) || POSSIBLE_WALLS.contains(&char)),
                // Other things stand on maps with walls, but the border is usually closed.
                true => (has_usual || walls.is_some()) && is_on_border && is_symbol(char),
            };
            if is_usual(char) || is_possible {
                found.push(char);
            }
        }
    }
    found
}

/// The characters in quotes, separated by commas.
fn list(characters: &str) -> String {
    characters.chars().map(|char| format!("{char:?}")).collect::<Vec<_>>().join(", ")
}

/// Whether a text is probably a text of words: most of its characters are letters without a meaning, and many different
/// ones.
fn is_prose(source: &str, walls: &str) -> bool {
    let is_word_letter = |char: &char| char.is_alphabetic() && !"WHM".contains(*char) && !walls.contains(*char);
    let visible = source.chars().filter(|char| !char.is_whitespace()).count();
    let letters = source.chars().filter(is_word_letter).count();
    let mut different = HashSet::new();
    2 * letters > visible
        && source.chars().filter(is_word_letter).any(|letter| {
            different.insert(letter);
            different.len() >= MIN_LETTERS_OF_PROSE
        })
}

/// Whether the letters of a text are those of a text map in lower case.
fn is_lower_case(source: &str) -> bool {
    let mut letters = source.chars().filter(|char| char.is_alphabetic()).peekable();
    letters.peek().is_some() && letters.all(|letter| matches!(letter, 'w' | 'h' | 'm'))
}

const SIZES: &str = "a map has 1 x 1 to 4096 x 4096 cells";

const FORMATS: &str = "known formats are text (W is a wall, H the hero, M the monster), Moving AI maps (.map), pictures \
                       (PNG, BMP, GIF, JPEG) and Tiled maps (.tmx); an empty map needs --format text";
