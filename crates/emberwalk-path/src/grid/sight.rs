//! Whether one cell is seen from another one.

use std::cmp::Ordering;

use super::Cell;

impl Cell {
    /// Whether another cell is seen from this one: whether no cell between the two hides it.
    ///
    /// The line of sight leads from the middle of one cell to the middle of the other. A cell hides the other one if the line
    /// passes through its inside; the two cells themselves hide nothing. Where the line touches a corner, it passes between
    /// the two cells there unless both hide. Sight is mutual: the other cell sees this one, too. O(distance).
    ///
    /// The caller decides which cells hide others: walls and mountains, say, but no water. `hides` is asked for some
    /// cells that may be off every grid only if one of the two cells is.
    ///
    /// ```
    /// use emberwalk_path::grid::Cell;
    /// let (archer, target) = (Cell::new(0, 0), Cell::new(6, 2));
    /// assert!(archer.sees(target, |_| false));
    /// assert!(!archer.sees(target, |cell| cell.x == 3), "a wall is between them");
    /// // It passes one corner of a house, but not between two houses.
    /// assert!(Cell::new(0, 0).sees(Cell::new(1, 1), |cell| cell == Cell::new(1, 0)));
    /// assert!(!Cell::new(0, 0).sees(Cell::new(1, 1), |cell| cell.x != cell.y));
    /// ```
    pub fn sees(self, other: Self, mut hides: impl FnMut(Self) -> bool) -> bool {
        let along = |from: i32, to: i32| i128::from(from).abs_diff(i128::from(to));
        let (across, down) = (along(self.x, other.x), along(self.y, other.y));
        let (step_x, step_y) = ((other.x > self.x) as i32 * 2 - 1, (other.y > self.y) as i32 * 2 - 1);
        let mut at = self;
        while at != other {
            // Where the line crosses the next edge to the side, and the next one to below, as a share of its length times
            // twice the area that it spans.
            let to_edge = (1 + 2 * along(self.x, at.x)) * down;
            let to_row = (1 + 2 * along(self.y, at.y)) * across;
            // A cell that the line does not enter may be beyond the last column or row that there can be.
            let beside = Self::new(at.x.wrapping_add(step_x), at.y);
            let below = Self::new(at.x, at.y.wrapping_add(step_y));
            at = match to_edge.cmp(&to_row) {
                Ordering::Less => beside,
                Ordering::Greater => below,
                Ordering::Equal if hides(beside) && hides(below) => return false,
                Ordering::Equal => Self::new(beside.x, below.y),
            };
            if at != other && hides(at) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells whose insides a line passes, and the pairs of cells between which it touches a corner, by cutting the line at
    /// all edges: the middle of each piece is in a cell.
    fn passed(from: Cell, to: Cell) -> (Vec<Cell>, Vec<[Cell; 2]>) {
        let (ax, ay, bx, by) = (from.x as f64, from.y as f64, to.x as f64, to.y as f64);
        let at = |share: f64| (ax + (bx - ax) * share, ay + (by - ay) * share);
        let cuts = |a: f64, b: f64| {
            let (low, high) = (a.min(b) as i32, a.max(b) as i32);
            (low..high).map(move |k| (f64::from(k) + 0.5 - a) / (b - a)).collect::<Vec<_>>()
        };
        let (columns, rows) = (cuts(ax, bx), cuts(ay, by));
        let mut all = [vec![0.0, 1.0], columns.clone(), rows.clone()].concat();
        all.sort_by(f64::total_cmp);
        let pieces = all.windows(2).filter(|piece| piece[1] - piece[0] > 1e-9);
        let cells = pieces.map(|piece| {
            let (x, y) = at((piece[0] + piece[1]) / 2.0);
            Cell::new(x.round() as i32, y.round() as i32)
        });
        let touches = columns.iter().filter(|&&cut| rows.iter().any(|other| (other - cut).abs() < 1e-9));
        let corners = touches.map(|&cut| {
            let (x, y) = at(cut);
            let (left, top) = (x.floor() as i32, y.floor() as i32);
            match (bx > ax) == (by > ay) {
                true => [Cell::new(left + 1, top), Cell::new(left, top + 1)],
                false => [Cell::new(left, top), Cell::new(left + 1, top + 1)],
            }
        });
        (cells.collect(), corners.collect())
    }

    #[test]
    fn a_cell_is_seen_unless_one_on_the_line_hides_it() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut seen = 0;
        for _ in 0..20_000 {
            let walls: u128 = rng.u128(..) & rng.u128(..) & rng.u128(..);
            let hides = |cell: Cell| walls >> (cell.y * 11 + cell.x) & 1 == 1;
            let mut cell = || Cell::new(rng.i32(0..11), rng.i32(0..11));
            let (from, to) = (cell(), cell());
            let (cells, corners) = passed(from, to);
            let on_line = cells.iter().any(|&cell| cell != from && cell != to && hides(cell));
            let between = corners.iter().any(|&[one, other]| hides(one) && hides(other));
            let sees = from.sees(to, hides);
            assert_eq!(sees, !on_line && !between, "{from} to {to}, walls {walls:b}");
            assert_eq!(sees, to.sees(from, hides), "{from} to {to} and back");
            seen += u32::from(sees);
        }
        assert!((5_000..18_000).contains(&seen), "{seen}");
    }

    #[test]
    fn a_line_along_the_edge_of_all_cells_is_possible() {
        for edge in [i32::MIN, i32::MAX] {
            assert!(Cell::new(edge, 0).sees(Cell::new(edge, 3), |_| false));
            assert!(Cell::new(0, edge).sees(Cell::new(3, edge), |_| false));
        }
    }
}
