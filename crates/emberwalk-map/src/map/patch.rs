//! Writes a changed map into the text of its file without changing the rest of the text.

use std::fmt::Write;
use std::ops::Range;

use super::parse::{ParsedSource, written_fields};
use super::rows::{Row, Rows};
use super::{MapContent, char_of_level};
use crate::diagnostics::{BYTE_ORDER_MARK, Diagnostics, comma_after, decode_text};
use emberwalk_path::grid::{Cell, Size};

impl MapContent {
    /// `source`, the text of a map file, with this map in place of the file's map.
    ///
    /// Replaces only the characters of differing cells. Comments, spacing, line endings, escapes, the order of the
    /// fields and everything else stay the same. A raw string that cannot contain a new character becomes a plain
    /// string. If the name differs, its string is replaced; the same applies to `about`, `hour` and `day`, which may also
    /// be added or removed. If the map has hills and the file has no heights, they are added. If the map has another size, all rows
    /// are written in the style of the file, row `n` in the place of row `n`, and comments still stay where they are.
    ///
    /// The map should be as the user made it, without temporary edits such as [eruptions](super::Map::erupt_all).
    ///
    /// ```
    /// use emberwalk_map::{CellEdit, Map};
    /// use emberwalk_map::terrain::Tileset;
    /// let text = r#"(name: "Shore", base: ["GG"] /* only one row */, overlay: ["1."])"#;
    /// let mut map = Map::parse("shore.ron", text, &Tileset::load(None)?.into())?;
    /// let snow = map.tileset().find('S').unwrap();
    /// map.apply(&[CellEdit::base((1, 0).into(), snow)])?;
    /// let patched = map.patch("shore.ron", text.as_bytes())?;
    /// assert_eq!(patched, text.replace("GG", "GS").into_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// All errors in `source`, which messages call `file`.
    pub fn patch(&self, file: &str, source: &[u8]) -> Result<Vec<u8>, Diagnostics> {
        let text = decode_text(file, source.to_vec())?;
        let mark = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK } else { b"" };
        let parsed = ParsedSource::parse(file, &text, self.tileset())?;
        let mut patch = Patch { source: &text, edits: Vec::new() };
        patch.replace_fields(self, &parsed);
        let [base, overlay] = &parsed.rows;
        let old = &parsed.layers;
        let char = |id| self.tileset()[id].char;
        let empty = empty_char(overlay);
        let overlay_char = |cell| self.overlay()[cell].map_or(empty, char);
        let base_char = |cell| char(self.base()[cell]);
        patch.replace_layer(base, self.size(), base_char, |cell| self.base()[cell] != old.base[cell]);
        let differs = |cell| self.overlay()[cell] != old.overlay[cell];
        patch.replace_layer(overlay, self.size(), overlay_char, differs);
        if let Some(heights) = &parsed.heights {
            let zero = zero_char(heights);
            let level_char = |cell| Some(self.level(cell)).filter(|level| *level > 0).map_or(zero, char_of_level);
            let differs = |cell| self.level(cell) != old.level(cell);
            patch.replace_layer(heights, self.size(), level_char, differs);
        } else if self.top() > 0 {
            patch.add_heights(self);
        }
        Ok([mark, patch.apply().as_bytes()].concat())
    }
}

/// A text, and its pending edits.
struct Patch<'a> {
    source: &'a str,
    /// Parts of the source, and their replacements.
    edits: Vec<(Range<usize>, String)>,
}

impl Patch<'_> {
    /// The text after all edits.
    fn apply(mut self) -> String {
        self.edits.sort_by_key(|(part, _)| (part.start, part.end));
        let mut text = String::with_capacity(self.source.len() + 64);
        let mut at = 0;
        for (part, new) in self.edits {
            // Two removed items may share the whitespace between them.
            text.push_str(&self.source[at..part.start.max(at)]);
            text.push_str(&new);
            at = part.end.max(at);
        }
        text.push_str(&self.source[at..]);
        text
    }

    fn replace(&mut self, part: &str, new: String) {
        let part = self.span_of(part);
        self.edits.push((part, new));
    }

    fn span_of(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr() - self.source.as_ptr().addr();
        start..start + part.len()
    }

    /// Replaces the name, the description and the hours where they differ.
    fn replace_fields(&mut self, map: &MapContent, parsed: &ParsedSource<'_>) {
        let quoted = |text: &str| format!("{text:?}");
        let [old_hour, old_day] = parsed.day_time.fields();
        let [hour, day] = map.day_time().fields();
        let about = (parsed.about.as_deref().map(quoted), map.about().map(quoted));
        let mut changes = vec![("about", about), ("hour", (old_hour, hour)), ("day", (old_day, day))];
        changes.retain(|(_, (old, new))| old != new);
        if map.name() == parsed.name && changes.is_empty() {
            return;
        }
        let fields = written_fields(self.source);
        let field = |name: &str| fields.iter().find(|(key, _)| *key == name).copied();
        let Some((name_key, name)) = field("name") else { return };
        if map.name() != parsed.name {
            self.replace(name, quoted(map.name()));
        }
        let mut added = Vec::new();
        for (key, (_, new)) in changes {
            match (field(key), new) {
                (Some((_, value)), Some(new)) => self.replace(value, new),
                (Some((key, value)), None) => self.remove_item(self.field_start(key)..self.span_of(value).end),
                (None, Some(new)) => added.push(format!("{key}: {new}")),
                (None, None) => {}
            }
        }
        if !added.is_empty() {
            self.insert_after(self.field_start(name_key)..self.span_of(name).end, &added);
        }
    }

    /// The start of a field, which may be before its name: RON has raw names.
    fn field_start(&self, key: &str) -> usize {
        let start = self.span_of(key).start;
        if self.source[..start].ends_with("r#") { start - 2 } else { start }
    }

    /// Replaces the characters of the cells for which `differs` is true, or all rows if the layer now has another size.
    fn replace_layer(
        &mut self,
        rows: &Rows<'_>,
        size: Size,
        char: impl Fn(Cell) -> char,
        differs: impl Fn(Cell) -> bool,
    ) {
        let width = size.width as usize;
        if rows.count == size.height as usize && rows.valid.iter().all(|row| row.length == width) {
            self.replace_cells(rows, char, differs);
        } else {
            self.replace_rows(rows, size, char);
        }
    }

    /// Replaces the characters of some cells.
    fn replace_cells(&mut self, rows: &Rows<'_>, char: impl Fn(Cell) -> char, differs: impl Fn(Cell) -> bool) {
        for (row, y) in rows.valid.iter().zip(0..) {
            let cells = || (0..row.length as i32).map(move |x| Cell::new(x, y));
            if cells().any(&differs) {
                let chars = cells().map(|cell| differs(cell).then(|| char(cell)));
                self.replace(row.raw, with_chars(row, chars));
            }
        }
    }

    /// Replaces all rows. The new layer may have more or fewer of them.
    fn replace_rows(&mut self, rows: &Rows<'_>, size: Size, char: impl Fn(Cell) -> char) {
        let height = size.height as i32;
        let new_row = |y: i32| (0..size.width as i32).map(|x| char(Cell::new(x, y))).collect::<String>();
        for (row, y) in rows.valid.iter().zip(0..) {
            if y >= height {
                self.remove_item(self.span_of(row.raw));
            } else {
                let new = new_row(y);
                if new != row.text {
                    self.replace(row.raw, quoted(new.chars()));
                }
            }
        }
        if let Some(last) = rows.valid.last().filter(|_| rows.count < height as usize) {
            let added: Vec<_> = (rows.count as i32..height).map(|y| quoted(new_row(y).chars())).collect();
            self.insert_after(self.span_of(last.raw), &added);
        }
    }

    /// Adds a field with the levels of all cells after the last layer, with one row per line if the file writes rows in
    /// this way.
    fn add_heights(&mut self, map: &MapContent) {
        let fields = written_fields(self.source);
        let layers = fields.iter().filter(|(key, _)| ["base", "overlay"].contains(key));
        let Some((key, value)) = layers.max_by_key(|(_, value)| self.span_of(value).start) else { return };
        let Size { width, height } = map.size();
        let row = |y: i32| quoted((0..width as i32).map(|x| char_of_level(map.level(Cell::new(x, y)))));
        let rows: Vec<_> = (0..height as i32).map(row).collect();
        let first_row = value.find('"').map_or(0, |at| value[..at].trim_end_matches(['#', 'r']).len());
        let indentation = last_line(&value[..first_row]);
        let end = last_line(value);
        let in_lines = value[..first_row].contains('\n') && is_blank(indentation);
        let text = if in_lines {
            let line_break = self.line_break();
            let rows: String = rows.iter().map(|row| format!("{line_break}{indentation}{row},")).collect();
            let closing = &end[..end.len() - end.trim_start().len()];
            format!("heights: [{rows}{line_break}{closing}]")
        } else {
            format!("heights: [{}]", rows.join(", "))
        };
        let item = self.field_start(key)..self.span_of(value).end;
        self.insert_after(item, &[text]);
    }

    /// Removes an item of a list with its comma, and its line if nothing else is in it.
    fn remove_item(&mut self, item: Range<usize>) {
        let mut end = item.end;
        if let Some(comma) = comma_after(self.source, item.end) {
            if is_blank(&self.source[item.end..comma]) {
                end = comma + 1;
            } else {
                // A comment precedes the comma.
                self.edits.push((comma..comma + 1, String::new()));
            }
        }
        let before = &self.source[..item.start];
        let after = &self.source[end..];
        let indentation = last_line(before);
        let rest = first_line(after);
        let part = if is_blank(indentation) && is_blank(rest) {
            let line_break = if after[rest.len()..].starts_with("\r\n") { 2 } else { 1 };
            item.start - indentation.len()..(end + rest.len() + line_break).min(self.source.len())
        } else if end > item.end {
            item.start..end + rest.len() - rest.trim_start_matches([' ', '\t']).len()
        } else {
            before.trim_end_matches([' ', '\t']).len()..end
        };
        self.edits.push((part, String::new()));
    }

    /// Inserts items after another item of a list: each on its own line if the other item begins a line.
    fn insert_after(&mut self, item: Range<usize>, new: &[String]) {
        let comma = comma_after(self.source, item.end);
        let before = &self.source[..item.start];
        let indentation = last_line(before);
        let begins_line = before.len() > indentation.len() && is_blank(indentation);
        let mut at = comma.map_or(item.end, |comma| comma + 1);
        let separator = if begins_line {
            let rest = first_line(&self.source[at..]);
            // A comment on the same line belongs to the previous item.
            if is_blank_or_comment(rest) {
                at += rest.len();
            }
            format!("{}{indentation}", self.line_break())
        } else if before.ends_with(',') {
            String::new()
        } else {
            " ".to_owned()
        };
        let mut text = String::new();
        for (number, item) in new.iter().enumerate() {
            let is_last = number + 1 == new.len();
            let end = if is_last && comma.is_none() { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{item}{end}");
        }
        if comma.is_none() {
            self.edits.push((item.end..item.end, ",".to_owned()));
        }
        self.edits.push((at..at, text));
    }

    /// The line break of the text.
    fn line_break(&self) -> &'static str {
        if first_line(self.source).len() < self.source.find('\n').unwrap_or(0) { "\r\n" } else { "\n" }
    }
}

/// The text of a row with some characters replaced. If its raw string cannot contain the new characters, the result is
/// a plain string.
fn with_chars(row: &Row<'_>, new: impl Iterator<Item = Option<char>>) -> String {
    let raw = row.raw;
    let is_plain = raw.starts_with('"');
    let opening = raw.find('"').map_or(0, |at| at + 1);
    let mut text = raw[..opening].to_owned();
    let mut plain_chars = Vec::with_capacity(row.length);
    let mut at = opening;
    for ((span, old), new) in row.spans().zip(row.text.chars()).zip(new) {
        let between = &raw[at..span.start];
        text.push_str(between);
        match new {
            None => text.push_str(&raw[span.clone()]),
            // An escaped line break would swallow a following space.
            Some(' ') if !between.is_empty() => text.push('.'),
            Some(char) if is_plain => push_escaped(&mut text, char),
            Some(char) => text.push(char),
        }
        plain_chars.push(new.unwrap_or(old));
        at = span.end;
    }
    let closing = &raw[raw.rfind('"').unwrap_or(at)..];
    if !is_plain && text[opening..].contains(closing) {
        return quoted(plain_chars.into_iter());
    }
    text + &raw[at..]
}

/// A plain string of these characters.
fn quoted(chars: impl Iterator<Item = char>) -> String {
    let mut text = String::from('"');
    chars.for_each(|char| push_escaped(&mut text, char));
    text.push('"');
    text
}

fn push_escaped(text: &mut String, char: char) {
    match char {
        '"' | '\\' => text.extend(['\\', char]),
        _ if char.is_control() => text.extend(char.escape_default()),
        _ => text.push(char),
    }
}

/// The file's character for a cell without overlay.
fn empty_char(overlay: &Rows<'_>) -> char {
    let uses = |char| overlay.valid.iter().any(|row| row.text.contains(char));
    if uses(' ') && !uses('.') { ' ' } else { '.' }
}

/// The file's character for level 0.
fn zero_char(heights: &Rows<'_>) -> char {
    let uses = |char: &char| heights.valid.iter().any(|row| row.text.contains(*char));
    ['0', '.', ' '].into_iter().find(uses).unwrap_or('0')
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Whether a line, or the rest of a line, is blank or a single comment that ends in it.
fn is_blank_or_comment(line: &str) -> bool {
    let text = line.trim();
    let is_block = text.ends_with("*/") && text.starts_with("/*") && text.matches("/*").count() == 1;
    text.is_empty() || text.starts_with("//") || is_block
}

/// The text up to the first line break.
fn first_line(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line)
}

/// The text after the last line break.
fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}
