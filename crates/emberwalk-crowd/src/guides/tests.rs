//! Own routes compared with fields: they have the same costs.

use std::iter;

use fastrand::Rng;

use super::*;
use emberwalk_path::grid::Size;
use emberwalk_path::{ClimbRule, Diagonal, EntryCost, FieldQuery, Level, Moves};

const SIZE: Size = Size::new(120, 90);

/// Random ground with walls, and levels if it is hilly.
fn random_grid(rng: &mut Rng, is_hilly: bool) -> CostGrid {
    let mut cost = |_| random_cost(rng);
    let mut grid = CostGrid::from_fn(SIZE, Diagonal::GAME, &mut cost).unwrap();
    if is_hilly {
        grid.set_levels(ClimbRule::default(), |_| Level::new(rng.u8(0..2)).unwrap());
    }
    grid
}

fn random_cost(rng: &mut Rng) -> Option<EntryCost> {
    (rng.u8(0..5) > 0).then(|| EntryCost::from_tiles(f64::from(rng.u8(1..4))).unwrap())
}

fn random_cell(rng: &mut Rng) -> Cell {
    Cell::new(rng.i32(0..SIZE.width as i32), rng.i32(0..SIZE.height as i32))
}

/// An agent with an own route, in a cell of it.
struct Walker {
    agent: AgentIndex,
    guide: GuideIndex,
    goal: Cell,
    at: CellIndex,
}

impl Walker {
    /// Takes the cheapest step towards the goal, and returns whether there is one.
    fn step(&mut self, guides: &mut Guides, ground: Ground<'_>) -> bool {
        let here = ground.grid.cell(self.at.get());
        let cost = |cell: Cell| {
            let step = ground.rules.step_cost(ground.grid, here, cell)?.units();
            Some(guides.cost(self.guide, self.agent, CellIndex::new(ground.grid.index(cell))).saturating_add(step))
        };
        let best =
            here.around(Size::new(1, 1)).filter_map(|cell| Some((cost(cell)?, cell))).min_by_key(|&(cost, _)| cost);
        let Some((_, cell)) = best.filter(|&(cost, _)| cost != u64::MAX) else { return false };
        self.at = CellIndex::new(ground.grid.index(cell));
        guides.follow(ground, self.guide, self.agent, self.at);
        true
    }
}

/// After edits, the cost from each agent on its own route is the lowest one, as it is in a field.
#[test]
fn own_routes_stay_the_cheapest() {
    let mut rng = Rng::with_seed(3);
    for round in 0..6 {
        let mut grid = random_grid(&mut rng, round % 2 == 1);
        let rules = StepRules::default();
        let mut guides = Guides::default();
        if round % 3 == 0 {
            guides.prepare(Ground { grid: &grid, rules });
        }
        let passable = |grid: &CostGrid, rng: &mut Rng| loop {
            let cell = random_cell(rng);
            if grid.is_passable(cell) {
                return cell;
            }
        };
        let mut walkers: Vec<_> = (0..8)
            .map(|k| {
                let agent = AgentIndex::new(k);
                let goal = passable(&grid, &mut rng);
                let at = CellIndex::new(grid.index(passable(&grid, &mut rng)));
                let guide = guides.acquire(Ground { grid: &grid, rules }, Target::One(goal), agent, at);
                Walker { agent, guide, goal, at }
            })
            .collect();
        for _ in 0..30 {
            for _ in 0..rng.u8(0..4) {
                let cell = random_cell(&mut rng);
                let is_taken = walkers.iter().any(|walker| walker.goal == cell || grid.cell(walker.at.get()) == cell);
                if !is_taken {
                    grid.set(cell, random_cost(&mut rng));
                }
            }
            let ground = Ground { grid: &grid, rules };
            while !guides.catch_up(ground, |agent| (Some(walkers[agent.get()].guide), walkers[agent.get()].at), None) {}
            for walker in &mut walkers {
                let mut field = Field::new();
                field.compute(&grid, &FieldQuery::routes_to(walker.goal).with_rules(rules)).unwrap();
                let lowest = field.cost_at(walker.at.get());
                if lowest.is_some() && guides.cost(walker.guide, walker.agent, walker.at) == u64::MAX {
                    // It had no route before.
                    guides.follow(ground, walker.guide, walker.agent, walker.at);
                }
                assert!(guides.guides[walker.guide.get()].field.is_none());
                assert_eq!(guides.cost(walker.guide, walker.agent, walker.at), lowest.unwrap_or(u64::MAX));
                for _ in 0..rng.u8(0..12) {
                    walker.step(&mut guides, ground);
                }
            }
        }
    }
}

/// An equally short route beside the planned one is no detour, so an agent that others push there continues.
#[test]
fn an_equally_short_route_is_no_detour() {
    // Two equally short lanes with a wall between them, which has a gap in every sixth column.
    let goal = Cell::new(63, 43);
    let is_lane = |cell: Cell| [42, 44].contains(&cell.y);
    let is_gap = |cell: Cell| cell.y == 43 && cell.x % 6 == 3;
    let cost = |cell| (is_lane(cell) || is_gap(cell)).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(SIZE, Diagonal::GAME, cost).unwrap();
    let ground = Ground { grid: &grid, rules: StepRules::default().with_moves(Moves::Four) };
    let mut guides = Guides::default();
    let (agent, at) = (AgentIndex::new(0), |cell| CellIndex::new(grid.index(cell)));
    let guide = guides.acquire(ground, Target::One(goal), agent, at(Cell::new(3, 43)));
    let mut field = Field::new();
    field.compute(&grid, &FieldQuery::routes_to(goal).with_rules(ground.rules)).unwrap();
    for cell in (3..=63).flat_map(|x| (42..=44).map(move |y| Cell::new(x, y))).filter(|&cell| grid.is_passable(cell)) {
        assert_eq!(Some(guides.cost(guide, agent, at(cell))), field.cost_at(at(cell).get()), "{cell}");
    }
}

/// If a step costs more than 32 bits can hold, an agent still comes to its goal.
#[test]
fn an_agent_crosses_the_most_expensive_ground() {
    let mut grid = CostGrid::from_fn(SIZE, Diagonal::GAME, |_| Some(EntryCost::MAX)).unwrap();
    grid.set_levels(ClimbRule::new(ClimbRule::MAX_FACTOR, ClimbRule::MAX_FACTOR, 1).unwrap(), |cell| {
        Level::new((cell.x % 2) as u8).unwrap()
    });
    let ground = Ground { grid: &grid, rules: StepRules::default() };
    let mut guides = Guides::default();
    let (agent, goal) = (AgentIndex::new(0), Cell::new(100, 60));
    let at = CellIndex::new(grid.index(Cell::new(10, 20)));
    let guide = guides.acquire(ground, Target::One(goal), agent, at);
    let mut walker = Walker { agent, guide, goal, at };
    let steps = iter::repeat_with(|| walker.step(&mut guides, ground).then_some(grid.cell(walker.at.get())));
    assert!(steps.take(1000).flatten().any(|cell| cell == goal));
}

/// When many agents get the same goal, they share a field, which has the same costs.
#[test]
fn many_agents_with_one_goal_share_a_field() {
    let mut rng = Rng::with_seed(4);
    let grid = CostGrid::open(Size::new(200, 200)).unwrap();
    let ground = Ground { grid: &grid, rules: StepRules::default() };
    let mut guides = Guides::default();
    let goal = Cell::new(150, 90);
    let mut costs = Vec::new();
    for k in 0..2000 {
        let agent = AgentIndex::new(k);
        let at = CellIndex::new(grid.index(Cell::new(rng.i32(0..200), rng.i32(0..200))));
        let guide = guides.acquire(ground, Target::One(goal), agent, at);
        costs.push((guide, agent, at, guides.cost(guide, agent, at)));
        if guides.guides[guide.get()].field.is_some() {
            break;
        }
    }
    assert!((MIN_AGENTS_FOR_FIELD..2000).contains(&costs.len()));
    for &(guide, agent, at, cost) in &costs {
        assert_eq!(guides.cost(guide, agent, at), cost);
        guides.release(guide);
    }
    assert!(guides.by_goal.is_empty() && guides.spare_fields.len() == 1);
}
