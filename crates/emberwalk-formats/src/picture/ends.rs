//! Chooses the first and the last pixel of the path through a picture.

use super::PictureWalls;
use emberwalk_map::diagnostics::counted;
use emberwalk_path::grid::{Cell, Size};

/// The path to find in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureQuery {
    /// The first pixel; by default the top left one, or an opening of the border if that is a wall.
    pub from: Option<Cell>,
    /// The last pixel; by default the bottom right one, or an opening of the border if that is a wall.
    pub to: Option<Cell>,
    /// Which pixels are walls.
    pub walls: PictureWalls,
}

/// The first and the last pixel of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    pub from: Cell,
    pub to: Cell,
}

/// The ends of the path for `query` in a picture of this size, which is not empty. `is_free` tells whether a pixel of the
/// picture is not a wall.
///
/// # Errors
/// Why there are none, in words that follow a colon.
pub(crate) fn ends(query: &PictureQuery, size: Size, is_free: impl Fn(Cell) -> bool) -> Result<Ends, String> {
    let corner = Cell::new(size.width as i32 - 1, size.height as i32 - 1);
    for (given, end) in [(query.from, "start"), (query.to, "goal")] {
        match given {
            Some(cell) if !size.contains(cell) => {
                return Err(format!("the {end} {cell} is not in the picture, which has {size} pixels"));
            }
            Some(cell) if !is_free(cell) => return Err(format!("the {end} {cell} is a wall")),
            _ => {}
        }
    }
    let known = |given: Option<Cell>, by_default: Cell| given.or(Some(by_default).filter(|&cell| is_free(cell)));
    let (from, to) = (known(query.from, Cell::new(0, 0)), known(query.to, corner));
    if let (Some(from), Some(to)) = (from, to) {
        return Ok(Ends { from, to });
    }
    let mut openings = openings(size, is_free);
    let count = openings.len();
    // An opening with a known end is not the other end too.
    openings.retain(|opening| ![from, to].into_iter().flatten().any(|end| opening.contains(&end)));
    // The first one is nearest to the top left.
    openings.sort_by_key(|opening| middle(opening).map(|cell| cell.x + cell.y));
    let mut middles = openings.iter().filter_map(|opening| middle(opening));
    match (from, to, &openings[..]) {
        (None, None, [_, _]) => {
            Ok(Ends { from: middles.next().unwrap_or_default(), to: middles.next().unwrap_or_default() })
        }
        (None, Some(to), [_]) => Ok(Ends { from: middles.next().unwrap_or_default(), to }),
        (Some(from), None, [_]) => Ok(Ends { from, to: middles.next().unwrap_or_default() }),
        _ => {
            let walls = match (from, to) {
                (None, None) => "the top left and the bottom right pixel are walls",
                (None, Some(_)) => "the top left pixel is a wall",
                (Some(_), _) => "the bottom right pixel is a wall",
            };
            let openings = counted(count, "opening");
            Err(format!("{walls}, and the border has {openings}, not 2; use `--from X,Y --to X,Y`"))
        }
    }
}

fn middle(opening: &[Cell]) -> Option<Cell> {
    opening.get(opening.len().saturating_sub(1) / 2).copied()
}

/// The openings of the border: the free pixels between two walls of the border, clockwise.
fn openings(size: Size, is_free: impl Fn(Cell) -> bool) -> Vec<Vec<Cell>> {
    let mut border = border(size);
    let Some(wall) = border.iter().position(|&cell| !is_free(cell)) else { return vec![border] };
    border.rotate_left(wall);
    let free = border.split(|&cell| !is_free(cell)).filter(|opening| !opening.is_empty());
    free.map(<[Cell]>::to_vec).collect()
}

/// The pixels of the border, clockwise from the top left.
fn border(size: Size) -> Vec<Cell> {
    match (size.width.checked_sub(2), size.height.checked_sub(2)) {
        (Some(width), Some(height)) => Cell::new(1, 1).around(Size::new(width, height)).collect(),
        // There is nothing inside.
        _ => size.cells().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &[&str], query: PictureQuery) -> Result<[(i32, i32); 2], String> {
        let size = Size::new(rows[0].len() as u32, rows.len() as u32);
        let ends = ends(&query, size, |cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b' ');
        ends.map(|Ends { from, to }| [from, to].map(|cell| (cell.x, cell.y)))
    }

    #[test]
    fn the_border_has_each_pixel_once() {
        for size in [(1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (2, 2), (3, 4), (6, 3)] {
            let size = Size::new(size.0, size.1);
            let (mut cells, mut expected) = (border(size), Vec::new());
            expected.extend(size.cells().filter(|cell| {
                cell.x == 0 || cell.y == 0 || cell.x == size.width as i32 - 1 || cell.y == size.height as i32 - 1
            }));
            cells.sort_by_key(|cell| (cell.y, cell.x));
            assert_eq!(cells, expected, "{size}");
        }
    }

    #[test]
    fn openings_are_used_where_corners_are_walls() {
        let any = PictureQuery::default();
        assert_eq!(found(&["   ", "# #", "   "], any), Ok([(0, 0), (2, 2)]));
        assert_eq!(found(&["# ##", "#  #", "## #"], any), Ok([(1, 0), (2, 2)]));
        assert_eq!(found(&["####", "    ", "####"], any), Ok([(0, 1), (3, 1)]));
        assert_eq!(
            found(&["#####", "#   #", "#   #", "# ###"], any).map_err(|error| error.contains("1 opening, not 2")),
            Err(true)
        );
        assert_eq!(found(&["#   #", "#   #", "##  #"], any), Ok([(2, 0), (3, 2)]), "the middles of wide openings");
        assert_eq!(found(&[" ###", "   #", "## #"], any), Ok([(0, 0), (2, 2)]), "one end is a corner");
        assert_eq!(found(&["# ##", "#   ", "### "], any), Ok([(1, 0), (3, 2)]));
        let three = found(&["# # #", "#   #", "## ##"], any).unwrap_err();
        assert_eq!(
            three,
            "the top left and the bottom right pixel are walls, and the border has 3 openings, not 2; use `--from X,Y \
             --to X,Y`"
        );
        assert!(found(&["####"; 4], any).unwrap_err().contains("0 openings"));
        let query = PictureQuery { from: Some(Cell::new(3, 0)), ..any };
        assert!(found(&["# # #", "#   #", "##  #"], query).unwrap_err().contains("3 openings"));
        assert_eq!(found(&["### #", "#   #", "##  #"], query), Ok([(3, 0), (3, 2)]));
        let query = PictureQuery { from: Some(Cell::new(1, 1)), to: Some(Cell::new(2, 1)), ..any };
        assert_eq!(found(&["####", "#  #", "####"], query), Ok([(1, 1), (2, 1)]));
        for (cell, expected) in [
            ((0, 0), "the start 0,0 is a wall"),
            ((4, 0), "the start 4,0 is not in the picture, which has 4 x 3 pixels"),
        ] {
            let query = PictureQuery { from: Some(cell.into()), ..any };
            assert_eq!(found(&["####", "#  #", "####"], query), Err(expected.to_owned()));
        }
    }
}
