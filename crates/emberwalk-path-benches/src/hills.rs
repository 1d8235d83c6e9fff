//! Maps with levels: rolling hills, and terraces with cliffs and ramps.

use emberwalk_path::grid::{Cell, Grid, Size};
use emberwalk_path::{ClimbRule, CostGrid, Level};
use fastrand::Rng;

use crate::ground::{flat, knots, smooth};

/// Draws grass on smooth hills. Nearly every change of level is by one, so there are few cliffs.
pub fn rolling(side: u32, rng: &mut Rng) -> CostGrid {
    let heights = Heights::new(side, rng);
    let mut grid = flat(&Grid::from_fn(Size::new(side, side), |_| Some(1.0)));
    grid.set_levels(ClimbRule::default(), |cell| level(heights.at(cell)));
    grid
}

/// Draws terraces: where a second noise is high, slopes by single levels lead from one to the next, elsewhere cliffs of
/// two levels. Lakes are impassable, and there are forests and snow.
pub fn terraced(side: u32, rng: &mut Rng) -> CostGrid {
    let (heights, slopes, forests) = (Heights::new(side, rng), knots(side, 24, rng), knots(side, 16, rng));
    let mut grid = flat(&Grid::from_fn(Size::new(side, side), |cell| match heights.at(cell) {
        ..0.5 => None,
        8.0.. => Some(3.0),
        _ if smooth(&forests, cell) > 0.65 => Some(2.0),
        _ => Some(1.0),
    }));
    grid.set_levels(ClimbRule::default(), |cell| {
        let height = heights.at(cell);
        level(if smooth(&slopes, cell) > 0.6 { height } else { (height / 2.0).floor() * 2.0 })
    });
    grid
}

/// Two octaves of noise, from 0 to 9.99.
struct Heights([(u32, Grid<f64>); 2]);

impl Heights {
    fn new(side: u32, rng: &mut Rng) -> Self {
        Self([64, 20].map(|pitch| knots(side, pitch, rng)))
    }

    fn at(&self, cell: Cell) -> f64 {
        let Self([coarse, fine]) = self;
        let height = 0.75 * smooth(coarse, cell) + 0.25 * smooth(fine, cell);
        ((height - 0.15) / 0.7 * 10.0).clamp(0.0, 9.99)
    }
}

fn level(height: f64) -> Level {
    Level::new(height as u8).expect("all generated heights are in range")
}
