//! A worksheet for a search by hand: the map with its costs and an empty table, and on a second page the solution.

use std::collections::BTreeMap;

use emberwalk_map::{Map, format_number};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::{Opened, Recording, SearchEvent};
use emberwalk_path::{Algorithm, RouteCost};
use image::{GrayImage, Luma};

use crate::overlay::{GLYPH_HEIGHT, moves_text, search_name, steps_of, text_pixels, text_width, written_h};

/// The size of a page in pixels: A4 upright at 150 dpi.
pub const PAGE: (u32, u32) = (1240, 1754);

/// The largest map that a page has room for, in cells.
pub const MAX_SIZE: Size = Size::new(20, 12);

/// Why a map has no worksheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorksheetError {
    /// The map is too large.
    #[error("a worksheet has room for {MAX_SIZE} cells, and the map has {0}")]
    TooLarge(Size),
    /// The map has hills, whose climbs a page does not show.
    #[error("a worksheet needs a flat map, because the costs of climbs are not written in cells")]
    Hills,
}

const PAPER: u8 = 255;
const INK: u8 = 0;
const RULE: u8 = 120;
const SHADE: u8 = 200;

/// The margin of a page, in pixels.
const MARGIN: i32 = 80;

/// The height of the rows of the table in pixels, and their least height if the search opens many cells.
const ROW: i32 = 36;
const LEAST_ROW: i32 = 20;

/// The top of the map, and the largest sides of a cell.
const MAP_TOP: i32 = 280;
const MAX_CELL: i32 = 100;
const MAP_HEIGHT: i32 = 600;

/// The table has several blocks side by side, with these columns.
const BLOCKS: i32 = 3;
const BLOCK_GAP: i32 = 20;
const COLUMNS: [&str; 5] = ["CELL", "g", "h", "f", "PARENT"];

/// The sizes of texts: how many pixels wide each pixel of a glyph is.
const SMALL: i32 = 2;
const TEXT: i32 = 3;
const TITLE: i32 = 5;

/// The two pages of a worksheet about a recorded search on a map: the task, and the solution. The first has the cost of
/// entering each cell and an empty table of the open list; the second also has the order in which cells are closed, the
/// route, and all entries of the table.
///
/// Both have the size [`PAGE`]. Characters without a glyph are left out of the name of the map. The rows of the table are
/// lower if the search opens many cells; if there are still too few, the last row tells how many entries are missing.
///
/// # Errors
/// [`WorksheetError`] if the map is larger than [`MAX_SIZE`], or has hills.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_map::terrain::Tileset;
/// use emberwalk_path::trace::Recording;
/// use emberwalk_path::{Algorithm, Options, Planner, RouteQuery};
/// use emberwalk_picture::worksheet::{PAGE, worksheet};
/// let map = Map::open("figures/blackboard".as_ref(), &Tileset::load(None)?.into())?;
/// let options = Options::default().with_algorithm(Algorithm::AStar);
/// let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap()).with_options(options);
/// let recording = Recording::new(&mut Planner::new(), map.costs(), &query)?;
/// let [task, solution] = worksheet(&map, &recording)?;
/// assert!(task.dimensions() == PAGE && solution.dimensions() == PAGE && task != solution);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worksheet(map: &Map, recording: &Recording) -> Result<[GrayImage; 2], WorksheetError> {
    let size = map.size();
    if size.width > MAX_SIZE.width || size.height > MAX_SIZE.height {
        return Err(WorksheetError::TooLarge(size));
    }
    if map.top() > 0 {
        return Err(WorksheetError::Hills);
    }
    let sheet = Sheet::new(map, recording);
    Ok([sheet.page(false), sheet.page(true)])
}

/// The content of both pages.
struct Sheet<'a> {
    map: &'a Map,
    recording: &'a Recording,
    /// The side of a cell, and the corner of the map.
    side: i32,
    corner: (i32, i32),
}

impl<'a> Sheet<'a> {
    fn new(map: &'a Map, recording: &'a Recording) -> Self {
        let Size { width, height } = map.size();
        let left = MARGIN + 40;
        let across = PAGE.0.cast_signed() - MARGIN - left;
        let side = MAX_CELL.min(across / width.cast_signed()).min(MAP_HEIGHT / height.cast_signed());
        Self { map, recording, side, corner: (left, MAP_TOP) }
    }

    fn page(&self, is_solved: bool) -> GrayImage {
        let mut page = Page(GrayImage::from_pixel(PAGE.0, PAGE.1, Luma([PAPER])));
        self.head(&mut page, is_solved);
        if is_solved {
            self.route(&mut page);
        }
        self.cells(&mut page, is_solved);
        self.table(&mut page, is_solved);
        page.0
    }

    /// The name of the map, the search, and the meaning of the map's letters.
    fn head(&self, page: &mut Page, is_solved: bool) {
        let options = self.recording.query().options;
        let result = self.recording.result();
        let name = self.map.name().to_uppercase();
        let title = if is_solved { format!("{name}: SOLUTION") } else { name };
        let room = PAGE.0.cast_signed() - 2 * MARGIN;
        let title_size = [TITLE, TEXT, SMALL].into_iter().find(|size| text_width(&title) * size <= room);
        let sum = match options.algorithm {
            Algorithm::Weighted { weight } => format!("f = g + {} * h", format_number(weight)),
            Algorithm::Dijkstra => "f = g".to_owned(),
            Algorithm::Greedy => "f = h".to_owned(),
            Algorithm::BreadthFirst => "g COUNTS STEPS".to_owned(),
            _ => "f = g + h".to_owned(),
        };
        let search = search_name(&options).replace(" ·", ",").to_uppercase();
        let search = format!("{search}, {}: {sum}", moves_text(options.rules.moves).label.to_uppercase());
        let outcome = match result.cost() {
            Some(cost) => format!("{} CELLS EXPANDED, COST {}", result.expanded, format_number(cost.tiles())),
            None => format!("{} CELLS EXPANDED, NO ROUTE", result.expanded),
        };
        let task = "WRITE EACH CELL THAT YOU OPEN INTO THE TABLE. CROSS IT OUT WHEN YOU CLOSE IT.";
        let about = "NUMBERS: COST OF ENTERING. HATCHED: IMPASSABLE. S: START. G: GOAL.";
        let order = "LARGE NUMBERS: THE ORDER IN WHICH CELLS ARE CLOSED. GREY LINE: THE ROUTE.";
        page.text(&title, (MARGIN, MARGIN), title_size.unwrap_or(1));
        page.text(&search, (MARGIN, 138), TEXT);
        page.text(if is_solved { &outcome } else { task }, (MARGIN, 178), SMALL);
        page.text(if is_solved { order } else { about }, (MARGIN, 206), SMALL);
    }

    fn cell_corner(&self, cell: Cell) -> (i32, i32) {
        (self.corner.0 + cell.x * self.side, self.corner.1 + cell.y * self.side)
    }

    /// The route, as a broad line.
    fn route(&self, page: &mut Page) {
        let middle = |cell: Cell| {
            let (left, top) = self.cell_corner(cell);
            (left + self.side / 2, top + self.side / 2)
        };
        for step in self.recording.result().cells().windows(2) {
            let (from, to) = (middle(step[0]), middle(step[1]));
            for part in 0..=self.side {
                let at = |from: i32, to: i32| from + (to - from) * part / self.side;
                let broad = self.side / 8;
                page.fill((at(from.0, to.0) - broad / 2, at(from.1, to.1) - broad / 2), (broad, broad), SHADE);
            }
        }
    }

    /// The cells with their costs, the numbers of columns and rows, and the order in which cells were closed.
    fn cells(&self, page: &mut Page, is_solved: bool) {
        let query = self.recording.query();
        let text = if self.side >= 80 { TEXT } else { SMALL };
        for cell in self.map.size().cells() {
            let (left, top) = self.cell_corner(cell);
            page.frame((left, top), (self.side + 1, self.side + 1), 2, RULE);
            match self.map.cost(cell) {
                Some(cost) => page.text(&format_number(cost.tiles()), (left + 8, top + 8), text),
                None => page.hatch((left + 2, top + 2), (self.side - 3, self.side - 3)),
            }
        }
        // Above the lines of their neighbours.
        for (end, letter) in [(query.from, "S"), (query.to, "G")] {
            let (left, top) = self.cell_corner(end);
            page.frame((left, top), (self.side + 1, self.side + 1), 5, INK);
            page.text(letter, (left + self.side - 8 - text_width(letter) * text, top + 8), text);
        }
        for x in 0..self.map.size().width.cast_signed() {
            let (left, top) = self.cell_corner(Cell::new(x, 0));
            page.centred(&x.to_string(), left + self.side / 2, top - 22, SMALL);
        }
        for y in 0..self.map.size().height.cast_signed() {
            let (left, top) = self.cell_corner(Cell::new(0, y));
            let number = y.to_string();
            page.text(&number, (left - 14 - text_width(&number) * SMALL, top + self.side / 2 - 7), SMALL);
        }
        // A cell that is reopened has its last number.
        let closed = self.recording.events().filter(SearchEvent::is_closed);
        let numbers: BTreeMap<Cell, i32> = closed.map(|event| event.cell()).zip(1..).collect();
        for (cell, number) in numbers.into_iter().filter(|_| is_solved) {
            let (left, top) = self.cell_corner(cell);
            let middle = top + self.side * 2 / 3 - GLYPH_HEIGHT * text / 2;
            page.centred(&number.to_string(), left + self.side / 2, middle, text + 1);
        }
    }

    /// The table of the open list, empty or with all its entries.
    fn table(&self, page: &mut Page, is_solved: bool) {
        let top = MAP_TOP + self.map.size().height.cast_signed() * self.side + 40;
        let opened: Vec<_> = self.recording.events().filter_map(opened).collect();
        let height = PAGE.1.cast_signed() - MARGIN - top;
        let row_height = row_height(height, opened.len());
        let rows = height / row_height;
        let width = (PAGE.0.cast_signed() - 2 * MARGIN - (BLOCKS - 1) * BLOCK_GAP) / BLOCKS;
        let column = width / COLUMNS.len() as i32;
        let left = |block: i32| MARGIN + block * (width + BLOCK_GAP);
        let text_top = |row: i32| top + row * row_height + (row_height - GLYPH_HEIGHT * SMALL) / 2;
        for block in 0..BLOCKS {
            page.fill((left(block), top), (column * COLUMNS.len() as i32, row_height), SHADE);
            for (place, heading) in (0..).zip(COLUMNS) {
                page.centred(heading, left(block) + place * column + column / 2, text_top(0), SMALL);
                for row in 0..rows {
                    let corner = (left(block) + place * column, top + row * row_height);
                    page.frame(corner, (column + 1, row_height + 1), 1, RULE);
                }
            }
        }
        let is_counting = self.recording.query().options.algorithm == Algorithm::BreadthFirst;
        let room = (BLOCKS * (rows - 1)) as usize;
        let shown = if opened.len() > room { room - 1 } else { opened.len() };
        let places = (0..BLOCKS).flat_map(|block| (1..rows).map(move |row| (block, row)));
        for (number, (block, row)) in places.enumerate().take(shown + 1).filter(|_| is_solved) {
            let Some(entry) = opened.get(number) else { break };
            if number == shown {
                let more = format!("AND {} MORE", opened.len() - shown);
                page.text(&more, (left(block) + 8, text_top(row)), SMALL);
                break;
            }
            for (place, value) in (0..).zip(columns(entry, is_counting)) {
                page.centred(&value, left(block) + place * column + column / 2, text_top(row), SMALL);
            }
        }
    }
}

/// The height of the rows of a table of this height with so many entries.
fn row_height(table_height: i32, entries: usize) -> i32 {
    let heading_and_rows = 1 + entries.div_ceil(BLOCKS as usize) as i32;
    (table_height / heading_and_rows).clamp(LEAST_ROW, ROW)
}

/// The entry that an event adds to the open list.
fn opened(event: SearchEvent) -> Option<Opened> {
    if let SearchEvent::Opened(opened) = event { Some(opened) } else { None }
}

/// The row of the table for an entry of the open list.
fn columns(&Opened { cell, parent, g, h, f, .. }: &Opened, is_counting: bool) -> [String; 5] {
    let parent = parent.map_or_else(|| "-".to_owned(), |parent| parent.to_string());
    if is_counting {
        return [cell.to_string(), steps_of(g).to_string(), String::new(), String::new(), parent];
    }
    let number = |cost: RouteCost| format_number(cost.tiles());
    [cell.to_string(), number(g), format_number(written_h(g, h, f)), number(f), parent]
}

/// A page, on which everything is clipped.
struct Page(GrayImage);

impl Page {
    fn fill(&mut self, (left, top): (i32, i32), (width, height): (i32, i32), ink: u8) {
        for y in top..top + height {
            for x in left..left + width {
                self.dot((x, y), ink);
            }
        }
    }

    fn dot(&mut self, (x, y): (i32, i32), ink: u8) {
        if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
            && let Some(pixel) = self.0.get_pixel_mut_checked(x, y)
        {
            pixel.0 = [ink];
        }
    }

    /// Lines of this width along the inner side of a rectangle.
    fn frame(&mut self, (left, top): (i32, i32), (width, height): (i32, i32), line: i32, ink: u8) {
        self.fill((left, top), (width, line), ink);
        self.fill((left, top + height - line), (width, line), ink);
        self.fill((left, top), (line, height), ink);
        self.fill((left + width - line, top), (line, height), ink);
    }

    /// Diagonal lines in a rectangle.
    fn hatch(&mut self, (left, top): (i32, i32), (width, height): (i32, i32)) {
        for y in top..top + height {
            for x in (left..left + width).filter(|x| (x + y) % 12 < 4) {
                self.dot((x, y), RULE);
            }
        }
    }

    /// Writes a text with its top left corner at a point, each pixel of its glyphs `size` pixels wide.
    fn text(&mut self, text: &str, (left, top): (i32, i32), size: i32) {
        for (x, y) in text_pixels(text) {
            self.fill((left + x * size, top + y * size), (size, size), INK);
        }
    }

    /// Writes a text with its middle at a column of pixels.
    fn centred(&mut self, text: &str, middle: i32, top: i32, size: i32) {
        self.text(text, (middle - text_width(text) * size / 2, top), size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lower_where_a_search_opens_many_cells() {
        let height = 754;
        let room = |entries: usize| (BLOCKS * (height / row_height(height, entries) - 1)) as usize;
        assert_eq!([0, 57].map(|entries| row_height(height, entries)), [ROW; 2]);
        for entries in [58, 75, 100] {
            assert!(row_height(height, entries) < ROW && room(entries) >= entries, "{entries}");
        }
        assert_eq!(row_height(height, 1000), LEAST_ROW);
    }
}
