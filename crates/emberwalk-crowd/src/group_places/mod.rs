//! Which place each agent of a group gets.

mod first_reached;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::passages::is_passage;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::internal::{Backward, Steps, at_distance, distance_squared, with_steps};
use emberwalk_path::{Components, CostGrid, StepRules};
use first_reached::FirstReached;

/// How many cells are looked at for each place before passages count as places, too.
const CELLS_PER_PLACE: usize = 16;
/// How many free cells are found for each place around a goal that is unreachable, so that the nearest are among them.
const CELLS_PER_PLACE_BY_DISTANCE: usize = 4;

/// The ground of the agents of one kind.
#[derive(Clone, Copy, Debug)]
pub struct GroupGround<'a> {
    /// Their grid; of large agents the grid of their places. All kinds have grids of one size.
    pub grid: &'a CostGrid,
    /// The connected components of this grid, up to date.
    pub components: &'a Components,
    /// The number of columns, and of rows, of cells that an agent takes up.
    pub side: usize,
    /// Whether narrow passages are no places as long as there are others.
    pub spares_passages: bool,
}

/// An agent of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The index of its kind.
    pub kind: usize,
    /// Where it is, or where its step leads: of several cells the north-western one.
    pub at: Cell,
    /// The place where it is or to which it goes by an earlier order.
    pub place: Option<Cell>,
}

/// The place of an agent of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupPlace {
    /// The place: of several cells the north-western one.
    pub cell: Cell,
    /// Whether the goal of the group is reachable for the agent. Otherwise the place is one of the nearest reachable
    /// ones.
    pub reaches_goal: bool,
}

/// Chooses a place near a goal for each agent of a group, in the order of the agents; `None` for agents in a blocked
/// cell or off the map.
///
/// The places are the free cells to which the routes from the goal cost least. If an agent cannot reach the goal,
/// because it is blocked, off the map or in another component, or because a large agent does not fit there, its place
/// is near the reachable cell that is nearest to the goal. `is_taken` tells which cells are not free because of others.
/// If no agent can stand in the goal itself, then of several equally near cells the agents get the cells that they
/// reach first: for example, the cells on their side of a house.
///
/// A group that stands at the goal already stays as it is, and so does an agent that stands in one of the places. If
/// all agents have these places by an earlier order, nothing changes. Otherwise the agents nearest to the goal get the
/// places on its far side, so that no agent has to pass others that have arrived. A group that is all around the goal
/// comes closer from all sides. If there are too few places, several agents get the place nearest to the goal.
///
/// Agents that can reach the goal over [links](emberwalk_path::CostGrid::add_link) get places around it, which are chosen without
/// links; all others get places on their own side. Links count if they do for the components.
///
/// It looks at 16 cells for each place, and at more where others have taken them; if the goal is unreachable, also at
/// all cells nearer to it than the reachable ones. One search of at most 65,536 cells from the agents finds which cells
/// they reach first; beyond, the straight line counts.
///
/// ```
/// use emberwalk_crowd::{GroupGround, GroupMember, group_places};
/// use emberwalk_path::grid::{Cell, Size};
/// use emberwalk_path::{Components, CostGrid, Diagonal, EntryCost, StepRules};
/// let rules = StepRules::default();
/// // The goal is a wall.
/// let goal = Cell::new(6, 2);
/// let grid = CostGrid::from_fn(Size::new(9, 5), Diagonal::GAME, |cell| (cell != goal).then_some(EntryCost::TILE))?;
/// let mut components = Components::new(rules);
/// components.update(&grid);
/// let ground = GroupGround { grid: &grid, components: &components, side: 1, spares_passages: false };
/// let group = [0, 1, 2].map(|y| GroupMember { kind: 0, at: Cell::new(0, y), place: None });
/// let places = group_places(&[ground], rules, goal, &group, |_| false);
/// for place in places.iter().flatten() {
///     assert!(place.cell.distance_squared(goal) <= 2 && !place.reaches_goal);
/// }
/// # Ok::<(), emberwalk_path::CostError>(())
/// ```
pub fn group_places(
    grounds: &[GroupGround],
    rules: StepRules,
    goal: Cell,
    members: &[GroupMember],
    is_taken: impl Fn(Cell) -> bool,
) -> Vec<Option<GroupPlace>> {
    let mut places = vec![None; members.len()];
    for share in shares(grounds, rules, goal, members, &is_taken) {
        let reaches_goal = share.reaches_goal;
        let distances: Vec<_> =
            share.starts.iter().map(|at| at.distance_squared(share.centre).unsigned_abs()).collect();
        for (member, cell) in share.assign(&distances) {
            places[member] = Some(GroupPlace { cell, reaches_goal });
        }
    }
    places
}

/// The agents of a group that are of one kind and in one component, and their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Share {
    pub(crate) kind: usize,
    /// The goal, or the nearest cell to it that they can reach.
    pub(crate) centre: Cell,
    pub(crate) reaches_goal: bool,
    /// The agents that keep their places, by their positions in the list of the group.
    kept: Vec<(usize, Cell)>,
    /// Whether all keep the places that they have by an earlier order.
    keeps_orders: bool,
    /// The others, and where they are.
    rest: Vec<usize>,
    pub(crate) starts: Vec<Cell>,
    /// The places for them, the nearest to the centre first.
    places: Vec<Cell>,
    /// How many cells were visited to find out which they reach first.
    pub(crate) visited: u64,
}

impl Share {
    /// Its agents, by their positions in the list of the group.
    pub(crate) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.kept.iter().map(|&(member, _)| member).chain(self.rest.iter().copied())
    }

    /// Gives each agent a place. `costs` are the costs of routes from the [starts](Self::starts) to the centre.
    pub(crate) fn assign(self, costs: &[u64]) -> impl Iterator<Item = (usize, Cell)> {
        let Self { centre, kept, rest, starts, mut places, .. } = self;
        let mut order: Vec<_> = (0..rest.len()).collect();
        order.sort_by_key(|&k| (costs[k], rest[k]));
        let offsets = || starts.iter().map(|&at| centre - at).map(|(x, y)| (i64::from(x), i64::from(y)));
        let (x, y) = offsets().fold((0, 0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
        let lengths: i64 = offsets().map(|(x, y)| (x * x + y * y).isqrt()).sum();
        // As seen from the goal, they come from all sides if their directions are nearly balanced.
        if 2 * (x * x + y * y).isqrt() < lengths {
            // From the centre outwards, each place is for the nearest agent.
            for (k, &place) in places.iter().enumerate().take(rest.len()) {
                let nearest = (k..rest.len()).min_by_key(|&k| (starts[order[k]].distance_squared(place), k));
                order[k..=nearest.unwrap_or(k)].rotate_right(1);
            }
        } else {
            // From the far side to the near one, as seen by the group.
            places.sort_by_key(|&place| {
                let (dx, dy) = place - centre;
                (Reverse(i64::from(dx) * x + i64::from(dy) * y), place.y, place.x)
            });
        }
        let places = places.into_iter().chain(std::iter::repeat(centre));
        kept.into_iter().chain(order.into_iter().map(move |k| rest[k]).zip(places))
    }
}

/// Divides a group into parts that get places together, and finds these places.
pub(crate) fn shares(
    grounds: &[GroupGround],
    rules: StepRules,
    goal: Cell,
    members: &[GroupMember],
    is_taken: &dyn Fn(Cell) -> bool,
) -> Vec<Share> {
    let mut search = Search { grounds, rules, goal, members, is_taken, taken: HashSet::new() };
    let stands_at_goal = search.stands_at_goal();
    let mut parts: Vec<((usize, usize), Vec<usize>)> = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let Some(component) = search.destination(member.kind, member.at) else { continue };
        let key = (member.kind, component);
        match parts.iter_mut().find(|(other, _)| *other == key) {
            Some((_, part)) => part.push(number),
            None => parts.push((key, vec![number])),
        }
    }
    parts.sort_by_key(|((kind, _), part)| (*kind, part[0]));
    let shares: Vec<_> =
        parts.into_iter().map(|((kind, component), part)| search.share(kind, component, &part)).collect();
    if stands_at_goal && !shares.iter().all(|share| share.keeps_orders) {
        let kept = members.iter().map(|member| member.at).enumerate().collect();
        return vec![Share { centre: goal, reaches_goal: true, kept, ..Share::default() }];
    }
    shares
}

/// The search for the places of a group.
struct Search<'a> {
    grounds: &'a [GroupGround<'a>],
    rules: StepRules,
    goal: Cell,
    members: &'a [GroupMember],
    is_taken: &'a dyn Fn(Cell) -> bool,
    /// The cells of the places that were given away.
    taken: HashSet<Cell>,
}

/// In which order cells become places.
#[derive(Clone, Copy)]
enum Order {
    /// By the cost of the route to the centre.
    Cost,
    /// By the distance from this cell.
    Distance(Cell),
}

/// The places that have been found for some members.
#[derive(Default)]
struct Chosen {
    places: Vec<Cell>,
    /// The free cells that are places only if there are too few others.
    passages: Vec<Cell>,
    taken: HashSet<Cell>,
}

impl Chosen {
    fn leaves_free(&self, mut cells: impl Iterator<Item = Cell>) -> bool {
        cells.all(|cell| !self.taken.contains(&cell))
    }

    fn add(&mut self, place: Cell, cells: impl Iterator<Item = Cell>) {
        self.places.push(place);
        self.taken.extend(cells);
    }
}

impl Search<'_> {
    fn component(&self, kind: usize, cell: Cell) -> Option<usize> {
        let ground = self.grounds.get(kind)?;
        ground.components.component(ground.grid, cell)
    }

    /// The component of the goal if an agent in a cell can reach it, perhaps over links, and otherwise the agent's own.
    fn destination(&self, kind: usize, at: Cell) -> Option<usize> {
        let own = self.component(kind, at)?;
        let ground = &self.grounds[kind];
        let is_linked = ground.components.are_connected(ground.grid, at, self.goal);
        self.component(kind, self.goal).filter(|_| is_linked).or(Some(own))
    }

    /// The cells that an agent takes up.
    fn square(&self, kind: usize, at: Cell) -> impl Iterator<Item = Cell> + use<> {
        let side = self.grounds.get(kind).map_or(1, |ground| ground.side) as u32;
        Size::new(side, side).cells().map(move |offset| at + (offset.x, offset.y))
    }

    fn is_free(&self, kind: usize, at: Cell) -> bool {
        self.square(kind, at).all(|cell| !self.taken.contains(&cell) && !(self.is_taken)(cell))
    }

    /// Whether the group is at the goal already: one agent stands there, each is beside another, and all are so close
    /// that no smaller square around the goal is sure to have room for them.
    fn stands_at_goal(&self) -> bool {
        let Self { members, goal, .. } = *self;
        let mut owners = HashMap::new();
        for (number, member) in members.iter().enumerate() {
            if self.component(member.kind, member.at).is_none() || !self.is_free(member.kind, member.at) {
                return false;
            }
            owners.extend(self.square(member.kind, member.at).map(|cell| (cell, number)));
        }
        let reach = owners.len().isqrt() + usize::from(owners.len().isqrt().pow(2) < owners.len());
        let is_near = |cell: &Cell| (cell.x - goal.x).abs().max((cell.y - goal.y).abs()) < reach as i32;
        let Some(&first) = owners.get(&goal) else { return false };
        if members.len() == 1 && members[0].at != goal || !owners.keys().all(is_near) {
            return false;
        }
        let mut reached = HashSet::from([first]);
        let mut open = vec![first];
        while let Some(number) = open.pop() {
            let around =
                self.square(members[number].kind, members[number].at).flat_map(|cell| cell.around(Size::new(1, 1)));
            open.extend(around.filter_map(|cell| owners.get(&cell).copied()).filter(|&other| reached.insert(other)));
        }
        reached.len() == members.len()
    }

    /// Finds the places of the members that are of one kind and in one component.
    fn share(&mut self, kind: usize, component: usize, part: &[usize]) -> Share {
        let grid = self.grounds[kind].grid;
        let starts = part.iter().map(|&member| self.members[member].at).collect();
        let mut first = FirstReached::new(grid, self.rules, starts, grid.size().nearest(self.goal));
        let (centre, order) = self.centre(kind, component, &mut first);
        let reaches_goal = self.square(kind, centre).any(|cell| cell == self.goal);
        let mut places = self.find_places(kind, centre, order, part, &mut first);
        for &place in &places {
            let cells = self.square(kind, place);
            self.taken.extend(cells);
        }
        let (kept, keeps_orders) = self.kept(kind, part, &places);
        let is_left = |member: &usize| kept.iter().all(|(other, _)| other != member);
        let rest: Vec<_> = part.iter().copied().filter(is_left).collect();
        let starts = rest.iter().map(|&member| self.members[member].at).collect();
        let given: HashSet<_> = kept.iter().map(|&(_, place)| place).collect();
        places.retain(|place| !given.contains(place));
        Share { kind, centre, reaches_goal, kept, keeps_orders, rest, starts, places, visited: first.visited() }
    }

    /// The nearest cell to the goal that they can reach, and the order in which cells around it become places.
    fn centre(&self, kind: usize, component: usize, first: &mut FirstReached<'_>) -> (Cell, Order) {
        let size = self.grounds[kind].grid.size();
        let aim = size.nearest(self.goal);
        let is_reachable = |cell: Cell| self.component(kind, cell) == Some(component);
        if is_reachable(aim) {
            return (aim, Order::Cost);
        }
        let squared = distance_squared(size, aim, is_reachable).unwrap_or_default();
        let nearest = at_distance(aim, squared).filter(|&cell| is_reachable(cell));
        let centre = nearest.min_by_key(|&cell| (first.at(cell), cell.y, cell.x));
        (centre.unwrap_or(aim), Order::Distance(aim))
    }

    /// As many places around a centre as there are members in the part, or fewer if there is no room, the nearest ones
    /// first. Among equally near cells, cells where members stand come first, and then, if no agent can stand in the
    /// goal, the cells that they reach first.
    fn find_places(
        &self,
        kind: usize,
        centre: Cell,
        order: Order,
        part: &[usize],
        first: &mut FirstReached<'_>,
    ) -> Vec<Cell> {
        let GroupGround { grid, side, .. } = self.grounds[kind];
        let count = part.len();
        let stands: HashSet<_> = part.iter().map(|&member| grid.index(self.members[member].at)).collect();
        let mut chosen = Chosen::default();
        // Places found by distance do not come in order.
        let mut found = Vec::new();
        let enough = CELLS_PER_PLACE_BY_DISTANCE * (count * side * side + CELLS_PER_PLACE_BY_DISTANCE);
        let key = |at: usize, cost: u64| match order {
            Order::Cost => cost,
            Order::Distance(aim) => grid.cell(at).distance_squared(aim).unsigned_abs(),
        };
        let is_goal_free = matches!(order, Order::Cost) && self.is_free(kind, centre);
        let mut entry = |at: usize, cost: u64| {
            let reached = if is_goal_free { (0, 0) } else { first.at(grid.cell(at)) };
            Reverse((key(at, cost), !stands.contains(&at), reached, at, cost))
        };
        let mut seen = HashSet::new();
        let mut open = BinaryHeap::from([entry(grid.index(centre), 0)]);
        while let Some(Reverse((key, is_empty, reached, at, cost))) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let is_enough = match order {
                Order::Cost => {
                    self.choose(kind, at, &mut chosen);
                    let Chosen { places, passages, .. } = &chosen;
                    let has_seen_enough = seen.len() > CELLS_PER_PLACE * (count + CELLS_PER_PLACE);
                    places.len() == count || places.len() + passages.len() >= count && has_seen_enough
                }
                Order::Distance(_) => {
                    found.extend(self.is_free(kind, grid.cell(at)).then_some((key, is_empty, reached, at)));
                    found.len() >= enough
                }
            };
            if is_enough {
                break;
            }
            with_steps!(grid, self.rules.without_links(), steps => Backward::new(steps).for_each(at, None, |step| {
                if !seen.contains(&step.to) {
                    open.push(entry(step.to, cost + step.cost));
                }
            }));
        }
        found.sort_unstable();
        for (.., at) in found {
            if chosen.places.len() < count {
                self.choose(kind, at, &mut chosen);
            }
        }
        for at in std::mem::take(&mut chosen.passages) {
            if chosen.places.len() < count && chosen.leaves_free(self.square(kind, at)) {
                chosen.add(at, self.square(kind, at));
            }
        }
        chosen.places
    }

    /// Makes a cell a place, if it is free and not a passage that others need.
    fn choose(&self, kind: usize, at: usize, chosen: &mut Chosen) {
        let GroupGround { grid, spares_passages, .. } = self.grounds[kind];
        let cell = grid.cell(at);
        if self.is_free(kind, cell) && chosen.leaves_free(self.square(kind, cell)) {
            if spares_passages && is_passage(grid, at) {
                chosen.passages.push(cell);
            } else {
                chosen.add(cell, self.square(kind, cell));
            }
        }
    }

    /// The members of a part that keep their places: all if each has a place by an earlier order, and otherwise the
    /// members that stand in a place. Also returns whether all have one.
    fn kept(&self, kind: usize, part: &[usize], places: &[Cell]) -> (Vec<(usize, Cell)>, bool) {
        let free: HashSet<_> = places.iter().copied().collect();
        let keep = |place: fn(&GroupMember) -> Option<Cell>| -> Vec<(usize, Cell)> {
            let mut free = free.clone();
            let with_places = part.iter().filter_map(|&member| Some((member, place(&self.members[member])?)));
            with_places.filter(|(_, place)| free.remove(place)).collect()
        };
        let ordered = keep(|member| member.place);
        if ordered.len() == part.len() {
            return (ordered, true);
        }
        let mut standing = keep(|member| Some(member.at));
        if standing.len() < part.len() {
            // No agent can pass others that stand in a passage: there they move on, one behind the other.
            let grid = self.grounds[kind].grid;
            standing.retain(|&(_, at)| !is_passage(grid, grid.index(at)));
        }
        (standing, false)
    }
}
