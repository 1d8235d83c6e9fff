//! What a few agents of several sizes can do on a small map, by a search over all positions of all of them.

use emberwalk_path::grid::{Cell, Size};

/// A set of cells of a small map.
type Cells = u128;

/// An agent of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cart {
    pub(super) side: u32,
    pub(super) from: Cell,
    /// `None` if it has no goal.
    pub(super) to: Option<Cell>,
    /// Whether it makes way for nobody.
    pub(super) holds: bool,
}

/// A small map with its agents.
#[derive(Clone)]
pub(super) struct Case {
    pub(super) size: Size,
    pub(super) rocks: Cells,
    pub(super) carts: Vec<Cart>,
}

/// Whether all can be in their goals at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// After so many rounds at least, in each of which every agent takes at most one step.
    Rounds(u32),
    /// The least number of rounds is not known.
    Possible,
    Impossible,
    /// There are too many positions to tell.
    Unknown,
}

impl Case {
    pub(super) fn bit(&self, cell: Cell) -> Cells {
        1 << (cell.y as u32 * self.size.width + cell.x as u32)
    }

    pub(super) fn is_rock(&self, cell: Cell) -> bool {
        self.rocks & self.bit(cell) != 0
    }

    /// The cells that an agent of a side takes up, if they are on the map.
    pub(super) fn square(&self, side: u32, at: Cell) -> Option<Cells> {
        let cells = || Size::new(side, side).cells().map(|cell| at + (cell.x, cell.y));
        let is_on_map = cells().all(|cell| self.size.contains(cell));
        is_on_map.then(|| cells().map(|cell| self.bit(cell)).sum())
    }

    /// Searches over all positions. No step cuts a corner.
    pub(super) fn solve(&self) -> Answer {
        let movers: Vec<_> = self.carts.iter().map(|cart| Mover::new(self, cart)).collect();
        if movers.iter().any(|mover| mover.goal == Some(usize::MAX)) {
            return Answer::Impossible;
        }
        let positions: usize = movers.iter().map(|mover| mover.places.len()).product();
        match positions << movers.len() {
            0..=3_000_000 => solve(&movers, true).map_or(Answer::Impossible, Answer::Rounds),
            _ if positions < 3_000_000 => solve(&movers, false).map_or(Answer::Impossible, |_| Answer::Possible),
            _ => Answer::Unknown,
        }
    }
}

/// An agent that moves: the places that it could reach alone, and the steps between them.
struct Mover {
    places: Vec<Cells>,
    steps: Vec<Vec<usize>>,
    /// `usize::MAX` for a cell that it cannot reach.
    goal: Option<usize>,
}

impl Mover {
    fn new(case: &Case, cart: &Cart) -> Self {
        let place = |at: Cell| case.square(cart.side, at).filter(|cells| cells & case.rocks == 0);
        let mut cells = vec![cart.from];
        let mut steps = Vec::new();
        while let Some(&at) = cells.get(steps.len()) {
            let mut list = Vec::new();
            for (x, y) in [(0, -1), (1, 0), (0, 1), (-1, 0), (-1, -1), (1, -1), (1, 1), (-1, 1)] {
                let is_free = [(x, y), (x, 0), (0, y)].into_iter().all(|offset| place(at + offset).is_some());
                if is_free && !cart.holds {
                    let to = at + (x, y);
                    let known = cells.iter().position(|&cell| cell == to);
                    list.push(known.unwrap_or_else(|| {
                        cells.push(to);
                        cells.len() - 1
                    }));
                }
            }
            steps.push(list);
        }
        let goal = |to| cells.iter().position(|&cell| cell == to).unwrap_or(usize::MAX);
        let places = cells.iter().map(|&at| place(at).unwrap()).collect();
        Self { places, steps, goal: cart.to.map(goal) }
    }
}

/// Breadth-first search. One agent moves after the other, so that each only enters cells which others have left before; a
/// round ends when an agent would have to move twice. Without rounds, it only finds out whether there is a solution.
fn solve(movers: &[Mover], counts_rounds: bool) -> Option<u32> {
    let masks = if counts_rounds { 1 << movers.len() } else { 1 };
    let node = |at: &[usize], moved: usize| {
        movers.iter().zip(at).fold(0, |node, (mover, at)| node * mover.places.len() + at) * masks + moved
    };
    let are_there = |at: &[usize]| movers.iter().zip(at).all(|(mover, &at)| mover.goal.is_none_or(|goal| goal == at));
    let mut at = vec![0; movers.len()];
    if are_there(&at) {
        return Some(0);
    }
    let positions: usize = movers.iter().map(|mover| mover.places.len()).product();
    let mut seen = vec![0_u64; positions * masks / 64 + 1];
    let mut is_new = |node: usize| {
        let bit = 1 << (node % 64);
        let word = &mut seen[node / 64];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    };
    let start = node(&at, 0);
    is_new(start);
    let (mut open, mut later, mut round) = (vec![start], Vec::new(), 0);
    loop {
        while let Some(next) = open.pop() {
            let moved = next % masks;
            let mut rest = next / masks;
            for (mover, at) in movers.iter().zip(&mut at).rev() {
                *at = rest % mover.places.len();
                rest /= mover.places.len();
            }
            let all = movers.iter().zip(&at).fold(0, |cells, (mover, &at)| cells | mover.places[at]);
            for (k, mover) in movers.iter().enumerate().filter(|(k, _)| moved >> k & 1 == 0 || !counts_rounds) {
                let from = at[k];
                let others = all & !mover.places[from];
                for &to in mover.steps[from].iter().filter(|&&to| mover.places[to] & others == 0) {
                    at[k] = to;
                    if are_there(&at) {
                        return Some(round + 1);
                    }
                    let next = node(&at, if counts_rounds { moved | 1 << k } else { 0 });
                    if is_new(next) {
                        open.push(next);
                    }
                }
                at[k] = from;
            }
            let next = node(&at, 0);
            if moved != 0 && is_new(next) {
                later.push(next);
            }
        }
        if later.is_empty() {
            return None;
        }
        std::mem::swap(&mut open, &mut later);
        round += 1;
    }
}
