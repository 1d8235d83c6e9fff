// A*, for `rustc --edition 2024 -O my_search.rs && emberwalk judge -- ./my_search`: one problem in, one JSON object per event out.
use std::collections::{BTreeSet, HashMap};

type Cell = (i32, i32);

struct Problem {
    moves: i32,
    /// How many of the cells beside a diagonal step may be impassable.
    allowed: usize,
    costs: Vec<Vec<Option<f64>>>,
    cheapest: f64,
    start: Cell,
    goal: Cell,
}

impl Problem {
    /// Reads the line, which has no spaces.
    fn parse(line: &str) -> Self {
        let value = |key: &str| line.split_once(&format!("\"{key}\":")).expect("the problem has this key").1;
        let cell = |key: &str| {
            let (x, rest) = value(key)[1..].split_once(',').expect("a cell has two numbers");
            (x.parse().expect("x"), rest.split(']').next().unwrap().parse().expect("y"))
        };
        let rows = value("costs")[2..].split_once("]]").expect("the rows end").0.split("],[");
        let costs: Vec<Vec<Option<f64>>> = rows.map(|row| row.split(',').map(|cost| cost.parse().ok()).collect()).collect();
        let allowed = ["\"never", "\"one", "\"always"].iter().position(|rule| value("corners").starts_with(rule));
        Self {
            moves: value("moves")[..1].parse().expect("moves"),
            allowed: allowed.expect("a corner rule"),
            cheapest: costs.iter().flatten().flatten().copied().fold(f64::INFINITY, f64::min),
            costs,
            start: cell("start"),
            goal: cell("goal"),
        }
    }

    fn cost(&self, (x, y): Cell) -> Option<f64> {
        *self.costs.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?)?
    }

    /// The cells that can be entered from a cell, with the cost of the step.
    fn successors(&self, (x, y): Cell) -> Vec<(Cell, f64)> {
        let mut found = Vec::new();
        for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)] {
            let is_diagonal = dx != 0 && dy != 0;
            let Some(cost) = self.cost((x + dx, y + dy)) else { continue };
            let blocked = [(x + dx, y), (x, y + dy)].into_iter().filter(|side| self.cost(*side).is_none()).count();
            if is_diagonal && (self.moves == 4 || blocked > self.allowed) {
                continue;
            }
            found.push(((x + dx, y + dy), cost * if is_diagonal { 2f64.sqrt() } else { 1.0 }));
        }
        found
    }

    /// Never more than the cheapest route from the cell to the goal costs.
    fn estimate(&self, (x, y): Cell) -> f64 {
        let [dx, dy] = [self.goal.0 - x, self.goal.1 - y].map(|d| f64::from(d.abs()));
        let steps = if self.moves == 4 { dx + dy } else { dx.max(dy) + (2f64.sqrt() - 1.0) * dx.min(dy) };
        steps * self.cheapest
    }
}

fn text((x, y): Cell) -> String {
    format!("[{x},{y}]")
}

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("a problem");
    let problem = Problem::parse(&line);
    let mut g = HashMap::from([(problem.start, 0.0)]);
    let mut parent: HashMap<Cell, Cell> = HashMap::new();
    // The open list, in order of f, then h. Numbers that are not negative are ordered as their bits are.
    let mut open: BTreeSet<(u64, u64, Cell)> = BTreeSet::new();
    let key = |g: f64, cell: Cell| ((g + problem.estimate(cell)).to_bits(), problem.estimate(cell).to_bits(), cell);
    let say_opened = |cell: Cell, parent: Option<&Cell>, g: f64| {
        let (parent, h) = (parent.map_or("null".into(), |cell| text(*cell)), problem.estimate(cell));
        println!(r#"{{"event":"opened","cell":{},"parent":{parent},"g":{g},"h":{h},"f":{}}}"#, text(cell), g + h);
    };
    open.insert(key(0.0, problem.start));
    say_opened(problem.start, None, 0.0);
    while let Some((_, _, cell)) = open.pop_first() {
        println!(r#"{{"event":"closed","cell":{},"g":{}}}"#, text(cell), g[&cell]);
        if cell == problem.goal {
            let route = std::iter::successors(Some(cell), |cell| parent.get(cell).copied());
            let mut cells: Vec<_> = route.map(text).collect();
            cells.reverse();
            return println!(r#"{{"event":"found","cells":[{}],"cost":{}}}"#, cells.join(","), g[&cell]);
        }
        for (next, step) in problem.successors(cell) {
            let (old, new) = (g.get(&next).copied().unwrap_or(f64::INFINITY), g[&cell] + step);
            // The estimate is consistent, so a closed cell gets no lower g, except by rounding.
            if new < old - 1e-9 {
                open.remove(&key(old, next));
                g.insert(next, new);
                parent.insert(next, cell);
                open.insert(key(new, next));
                say_opened(next, parent.get(&next), new);
            }
        }
    }
    println!(r#"{{"event":"exhausted"}}"#);
}
