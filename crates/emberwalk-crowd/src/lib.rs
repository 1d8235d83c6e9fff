#![doc = include_str!("../README.md")]
//!
//! ## Orders and questions
//! [`Crowd::send`] takes a [`Goal`]: a cell, any of several cells, a cell beside another one, as near to a cell as
//! possible, an agent to follow, to come in range or in sight of, or to flee from. [`Crowd::then`] and
//! [`Crowd::patrol`] add goals for later, [`Crowd::send_group`] gives each agent of a group its own place near one
//! goal, and [`Crowd::hold`] makes an agent yield to nobody. [`AgentSettings`] give an agent its kind, its pace and its
//! priority. [`Crowd::waiting`] tells what an agent waits for, and [`Crowd::remaining`] the cost and time of the rest
//! of its route. [`Crowd::set_danger`] and [`Crowd::add_danger`] say which cells agents keep away from where that pays.
//! [`Crowd::announce`] tells the crowd which cells will change, and when.
//!
//! ## Rules
//! An agent is in the cell that it is nearer to: in the old one for the first half of a step, then in the new one.
//!
//! - No two agents are ever in one cell. An agent of [several cells](emberwalk_path::kinds#agents-of-several-cells)
//!   takes up all cells of its square, and the north-western one is its cell.
//! - No two agents change places, and no two cross on the two diagonals between the same four cells, while their steps
//!   overlap in time.
//! - An agent may follow into a cell that another one is leaving.
//! - An agent of one cell takes a [link](CostGrid::add_link) as a step: it is in one cell for the first half of it, and
//!   then in the other one. Only one agent at a time is on a link, or on the link between the same two cells in the
//!   other direction: a step along it is decided when the previous one has ended. Nothing else is in the way of a link,
//!   and links may cross. A link between neighbours only changes the cost of the step between them, or makes it
//!   possible.
//! - No agent enters a blocked cell or takes a step that the [`StepRules`] forbid, even while the grid is edited. An
//!   edit [waits](Crowd::set) while an agent is in its way.
//! - The time of a step follows from its cost and the [`Pace`] of the agent or, if it has none of its own, of the
//!   crowd. [Danger](Crowd::set_danger) takes no time. If the pace [changes](Crowd::set_pace), so does the rest of the
//!   step. If an agent enters a cell that another agent is leaving, and the other agent becomes slower, it is held up
//!   until the middle of its step. If the other agent is [removed](Crowd::remove), it need not wait any more.
//!
//! ## Passing agents
//! An agent that [passes](AgentSettings::passes) is in nobody's way: it takes no cell, pushes nobody, and is pushed by
//! nobody. It obeys the same orders, and takes a cheapest route. No edit waits for it. If a cell becomes blocked while
//! the agent enters it, the agent turns back. If the cost changes, it continues at the pace of the new terrain. If it
//! is in a blocked cell and cannot turn back, it is put into the nearest passable cell. It can [follow a
//! route](Crowd::walk) that the game has planned itself; otherwise it plans with [announced](Crowd::announce) changes:
//! its route has the earliest arrival, and it waits where that is quicker than a detour. [`Crowd::stops`] has the
//! times. Agents that do not pass make the same moves with it and without it.
//!
//! [`conflicts`] checks a log of events against these rules, without knowing how a crowd decides. [`check_plan`] checks
//! plans of other programs, in which all agents move in step.
//!
//! The same orders and edits at the same times give the same moves on every machine, whatever the durations given to
//! [`Crowd::advance`]. [`Crowd::state_hash`] compares crowds on several machines. A clone of a crowd is a snapshot, and
//! with the feature `serde` a crowd is saved and loaded as a whole.
//!
//! ## How it works
//! Agents move by priority inheritance with backtracking (PIBT; Okumura et al., 2022), in its causal form, which needs
//! no common clock (Okumura et al., 2021): an agent decides when its step has ended. It prefers the neighbour from
//! which its goal costs least. Agents that share a goal share a [`Field`](emberwalk_path::Field) of these costs. On a
//! grid of more than about 90 x 90 cells, an agent whose goal few others have follows its own cheapest route instead.
//! It knows the costs of the route's next 64 cells and of the cells up to six steps beside them; if others push it
//! farther away, it plans again. If an agent of lower rank waits in the preferred cell, that agent has to make way
//! first, with the rank of the agent that pushes it, and so on, until there is a chain of agents that can all move.
//! Where two agents have to change places in a narrow passage, one pulls the other back to where they can pass each
//! other (LaCAM2; Okumura, 2023).
//!
//! Agents go round resting agents, if that costs less than two tiles more, and take a step back only if every other
//! step costs three tiles more. An agent that has arrived and is pushed off rests where it stands, if the route back
//! costs at most five tiles, and comes back after eight seconds. An agent waits if it would soon be pushed out of a
//! cell: it yields the cell to a higher-ranked agent that will soon arrive beside it and needs that cell. An agent of
//! one cell takes its last step back within two seconds only to make room for an edit or for an agent of higher
//! priority, to get out of a jam, or for a new order.
//!
//! If an agent blocks another that must come out and cannot retreat, it backs off after two seconds, with its queue. So
//! agents that leave a full room have priority at the door.
//!
//! A few agents that get no nearer to their goals for some seconds are led out together, whatever their kinds and
//! sizes, by a search for their moves over the cells around them (LaCAM; Okumura, 2023). Until they are out, no other
//! agent enters these cells. If no solution is found, the next search has more cells. If one of them is large, this
//! begins after one second, and if there are at most five, best-first search over the steps of one agent at a time
//! finds short solutions.
//!
//! Agents in narrow passages have the highest ranks, as they have to come out before others can go in. Next come agents
//! that have been on the way for longer. A room is a wide area between narrow passages. Agents that set out at about
//! the same time to goals in the same room have neighbouring ranks: they go through a passage as a group. An agent does
//! not push aside others that queue ahead of it, unless its priority is higher. An agent that has stood in one cell for
//! half a minute is impatient until it takes a step: then it overtakes, and makes way for agents in passages only if they
//! have been on the way for longer.
//!
//! ## Time and memory
//! A decision takes O(1), and more only where agents push others. Longer work is done in slices, one in each beat, 32
//! times per second of the crowd's time. A slice ends after a fixed number of visited cells, so a tick stays short
//! whatever changes, and all machines do the same work at the same times. After an edit, fields are repaired one after
//! the other. A field whose repair takes too long is computed again, in several slices. Then routes are checked, and
//! planned again if a cheaper one may exist. Until then, agents follow the old fields and routes. Each beat also
//! continues the searches of jams and, at most once per second, the search for the rooms of a changed grid. If more
//! than 500 agents get their orders at the same time, they set out in waves, within less than a second.
//!
//! An order is searched for immediately, unless searches have a [budget](Crowd::set_search_budget): then agents wait
//! for their routes, and no tick has more work than the budget.
//!
//! In addition to the grids and the agents, a crowd takes up to 40 bytes per cell for each kind. Each goal that agents
//! share takes a [`Field`](emberwalk_path::Field) of 8 bytes per cell. The planner of agents' own routes takes about 60
//! bytes per cell (twice as much if it is [prepared](Crowd::prepare)). If changes are [announced](Crowd::announce) and
//! an agent has no route, its kind has a second grid, on which all announced openings are made. Each agent with such a
//! route takes about 5 KB, and jams take up to some tens of megabytes. A crowd keeps its memory: [`Crowd::advance`]
//! allocates nothing, unless there is more to do than ever before.
//!
//! ## Sources
//! - Okumura, Machida, Défago, Tamura: "Priority inheritance with backtracking for iterative multi-agent path finding",
//!   2022
//! - Okumura, Tamura, Défago: "Time-independent planning for multiple moving agents", 2021
//! - Okumura: "LaCAM: search-based algorithm for quick multi-agent pathfinding", 2023
//! - Okumura: "Improving LaCAM for scalable eventually optimal multi-agent pathfinding", 2023
//!
//! ## Limits
//! Agents do not plan routes around other agents. If nearly all of them have to go through a few narrow passages in
//! both directions, they take several times as long as alone. It is measured, not proved, that all of them arrive: if
//! agents with different goals are packed so that almost no cell is free, they may never arrive. Agents that meet in a
//! passage are led out together if one of them can go back, some hundred cells at most, to where they can pass each
//! other. If there is no such place, they wait for each other for ever, and are reported as
//! [`Stuck`](CrowdEvent::Stuck).
//!
//! ## Features
//! - `glam`: the conversions of `emberwalk-path` between cells and the vectors of `glam`.
//! - `reflect`: `Reflect` of `bevy_reflect` for the orders, queries and events of a crowd, in the version of Bevy 0.19,
//!   and a function `reflect::register_types`.
//! - `serde`: `Serialize` and `Deserialize` for the orders, queries and events of a crowd, and for a whole [`Crowd`],
//!   which continues in the same way when it is loaded.

#![forbid(unsafe_code)]

// Where to start: this file has the orders of users, `asking` their queries, and `moving` shows how a crowd moves: what
// happens when time passes, and how an agent decides its next step. Below them, each layer knows only the layers after
// it:
//
// - `orders` say where agents go, and edits wait for agents.
// - `making_way` has the steps of an agent, the chains of agents that have to make way, and jams.
// - `board` knows where all agents are, when they decide, and which has the higher rank.
// - `guides` know the costs to each goal, and `timetable` the announced changes and their effect on routes.
// - `land` has the grids of all kinds, the dangers and the rooms on them.
//
// `danger` has the dangers that users set, and `announced` the changes that they announce. `large` is about agents of
// several cells, and `saved` about saved crowds. `checker` and `plan` stand alone.
//
// Tuned constants say how half and twice their value change the crowds of `docs/src/pathfinder/experiments.md`.
mod agent;
mod announced;
mod asking;
mod board;
mod checker;
mod conflict;
mod danger;
mod error;
mod event;
mod formation;
mod goal;
mod group_places;
mod guides;
mod index;
mod itinerary;
mod land;
mod large;
mod making_way;
mod moving;
mod orders;
mod passages;
mod plan;
#[cfg(feature = "reflect")]
pub mod reflect;
#[cfg(feature = "serde")]
mod saved;
mod timetable;

pub use agent::{AgentId, AgentSettings, AgentState, AgentStop, OnArrival, Rest, Wait, WaitsFor};
pub use announced::{Announced, AnnouncedChange};
pub use checker::{Checker, conflicts};
pub use conflict::{Conflict, ConflictKind};
pub use danger::Danger;
pub use error::CrowdError;
pub use event::CrowdEvent;
pub use formation::Formation;
pub use goal::Goal;
pub use group_places::{GroupGround, GroupMember, GroupPlace, group_places};
pub use itinerary::Itinerary;
pub use orders::edits::WaitingEdit;
pub use plan::{PlanConflict, PlanConflictKind, PlanVerdict, check_plan};

use std::ops::BitOr;
use std::sync::Arc;

use board::Board;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::ClassGrid;
use emberwalk_path::time::{CrowdTime, Pace, Walker};
use emberwalk_path::{CostGrid, EntryCost, Level, StepRules};
use land::{Change, Land};
use making_way::chain::Chain;
use making_way::jam::Jams;
use orders::edits::{Edit, Edits};
use orders::queues::Queues;

/// Agents that move on one grid at the same time, never two in one cell; see the [crate].
///
/// A clone is a snapshot: it shares the grid, the fields and the routes with the crowd until one of them changes, and
/// makes the same moves if it gets the same orders. With the feature `serde` a crowd can be saved and loaded.
#[derive(Clone, Debug)]
pub struct Crowd {
    board: Board,
    jams: Jams,
    edits: Edits,
    queues: Queues,
    /// The last chain of agents that moved. Its memory is kept.
    chain: Chain,
    /// The number of events that the last call of `advance` returned, so that the next call drops them.
    returned: usize,
}

impl Crowd {
    /// Creates a crowd without agents on this grid, at time zero. O(1).
    ///
    /// The grid can be shared with the rest of a program by an [`Arc`]. An edit copies it only while it is shared.
    pub fn new(grid: impl Into<Arc<CostGrid>>, rules: StepRules, pace: Pace) -> Self {
        Self::on(Land::new(grid.into(), rules), pace)
    }

    /// Creates a crowd on classes of terrain, without agents, at time zero. Each agent walks on the grid of its kind, and
    /// [`set_class`](Self::set_class) edits all of them together. O(cells) for each kind.
    ///
    /// ```
    /// use emberwalk_crowd::{AgentSettings, Crowd, CrowdError};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::kinds::{AgentKind, ClassGrid};
    /// use emberwalk_path::time::Pace;
    /// use emberwalk_path::{Diagonal, EntryCost, StepRules};
    /// const LAND: u8 = 0;
    /// const WATER: u8 = 1;
    /// let kinds = [LAND, WATER].map(|class| AgentKind::new().with_cost(class, Some(EntryCost::TILE)));
    /// let class = |cell: Cell| if cell.y == 0 { WATER } else { LAND };
    /// let classes = ClassGrid::from_fn(Size::new(9, 4), Diagonal::GAME, kinds, class)?;
    /// let mut crowd = Crowd::with_kinds(classes, StepRules::default(), Pace::default())?;
    /// let boat = AgentSettings::new().with_kind(1);
    /// assert!(crowd.add_with(Cell::new(0, 0), boat).is_ok());
    /// assert_eq!(crowd.add_with(Cell::new(0, 1), boat), Err(CrowdError::Blocked(Cell::new(0, 1))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CrowdError`] if there is no kind.
    pub fn with_kinds(classes: ClassGrid, rules: StepRules, pace: Pace) -> Result<Self, CrowdError> {
        Ok(Self::on(Land::with_kinds(classes, rules)?, pace))
    }

    /// Creates a crowd with a cost grid for each kind of agents, without agents, at time zero. [`set`](Self::set) and
    /// [`set_level`](Self::set_level) edit all grids, and [`set_for`](Self::set_for) one of them. O(cells) for each
    /// kind.
    ///
    /// In contrast to [`with_kinds`](Self::with_kinds), costs need not follow from a few classes of terrain. Agents of
    /// all kinds take up one cell.
    ///
    /// ```
    /// use emberwalk_crowd::{AgentSettings, Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace, Walker};
    /// use emberwalk_path::{CostGrid, EntryCost, StepRules};
    /// let size = Size::new(9, 3);
    /// let walkers = CostGrid::open(size)?;
    /// let mut carts = walkers.clone();
    /// let mud = EntryCost::from_tiles(5.0)?;
    /// (1..8).for_each(|x| drop(carts.set(Cell::new(x, 1), Some(mud))));
    /// let mut crowd = Crowd::with_grids([walkers, carts], StepRules::default(), Pace::default())?;
    /// let cart = crowd.add_with(Cell::new(0, 1), AgentSettings::new().with_kind(1))?;
    /// crowd.send(cart, Cell::new(8, 1), OnArrival::Stay);
    /// crowd.advance(CrowdTime::SECOND);
    /// assert_ne!(crowd.state(cart).unwrap().cell.y, 1, "it goes round the mud");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CrowdError`] if there is no grid, or if the grids differ in size.
    pub fn with_grids(
        grids: impl IntoIterator<Item = impl Into<Arc<CostGrid>>>,
        rules: StepRules,
        pace: Pace,
    ) -> Result<Self, CrowdError> {
        Ok(Self::on(Land::with_grids(grids.into_iter().map(Into::into).collect(), rules)?, pace))
    }

    fn on(land: Land, pace: Pace) -> Self {
        Self {
            board: Board::new(land, pace),
            jams: Jams::default(),
            edits: Edits::default(),
            queues: Queues::default(),
            chain: Chain::default(),
            returned: 0,
        }
    }

    /// Puts an agent on the map, where it stays and makes way for others until it is [sent](Self::send) to a goal.
    ///
    /// # Errors
    /// [`CrowdError`] if the cell is blocked, off the map or taken.
    pub fn add(&mut self, at: Cell) -> Result<AgentId, CrowdError> {
        self.add_with(at, AgentSettings::new())
    }

    /// Puts an agent of this kind, pace and priority on the map, as [`add`](Self::add) does.
    ///
    /// # Errors
    /// [`CrowdError`] if the cell is blocked, off the map or taken, or if there is no such kind.
    pub fn add_with(&mut self, at: Cell, settings: AgentSettings) -> Result<AgentId, CrowdError> {
        self.board.check_room(settings, at)?;
        let Self { board, jams, .. } = self;
        let agent = board.add(board.index(at), settings);
        board.square(agent, board.index(at)).for_each(|cell| jams.end_at(board, cell));
        board.report_added(agent);
        match settings.pace {
            Some(pace) => board.set_pace(agent, pace),
            None => board.update_hold(agent),
        }
        Ok(board.id(agent))
    }

    /// Puts an agent that [passes](AgentSettings::passes) through others on the map in place of a walker, perhaps in
    /// the middle of a step, which the agent continues at its own pace. The times of the step are times of this crowd.
    ///
    /// ```
    /// use emberwalk_crowd::{AgentSettings, Crowd};
    /// use emberwalk_path::time::{CrowdTime, Pace, Step, Walker};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let mut crowd = Crowd::new(CostGrid::open(Size::new(3, 1))?, StepRules::default(), Pace::default());
    /// let [start, end] = [0.0, 1.0].map(CrowdTime::from_seconds);
    /// let step = Step { from: Cell::new(0, 0), to: Cell::new(1, 0), start, end };
    /// crowd.advance(CrowdTime::from_seconds(0.25));
    /// let agent = crowd.add_walker(&Walker::stepping(step, false), AgentSettings::new().passing())?;
    /// assert_eq!(crowd.state(agent).unwrap().step, Some(step));
    /// crowd.advance(CrowdTime::SECOND);
    /// assert_eq!(crowd.state(agent).unwrap().cell, step.to);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CrowdError`] if the cell that it enters, or in which it stands, is blocked or off the map, if the cell that it
    /// leaves is off the map, or if there is no such kind.
    pub fn add_walker(&mut self, walker: &Walker, settings: AgentSettings) -> Result<AgentId, CrowdError> {
        let settings = settings.passing();
        let from = walker.step().map_or(walker.entered(), |step| step.from);
        self.board.check_room(settings, walker.entered())?;
        if !self.grid().size().contains(from) {
            return Err(CrowdError::Blocked(from));
        }
        let Self { board, .. } = self;
        let agent = board.add(board.index(from), settings);
        board.report_added(agent);
        board.go_on_with(agent, walker);
        match settings.pace {
            Some(pace) => board.set_pace(agent, pace),
            None => board.update_hold(agent),
        }
        board.update_step(agent);
        Ok(board.id(agent))
    }

    /// Sets the priority of an agent, see [`AgentSettings::priority`].
    pub fn set_priority(&mut self, agent: AgentId, priority: i8) {
        if let Some(agent) = self.board.find(agent) {
            self.board.set_priority(agent, priority);
        }
    }

    /// Gives an agent its own pace. The rest of a step that it is taking continues at the new pace; with
    /// [`Pace::STILL`], it stands still wherever it is, and makes way for nobody.
    ///
    /// An agent that follows into the cell that it leaves is held up with it, until the middle of its step.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace, Walker};
    /// use emberwalk_path::{CostGrid, StepRules};
    /// let grid = CostGrid::open(Size::new(3, 1))?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(0, 0))?;
    /// crowd.send(agent, Cell::new(2, 0), OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(0.5));
    /// crowd.set_pace(agent, Pace::STILL);
    /// crowd.advance(CrowdTime::from_seconds(2.0));
    /// assert_eq!(crowd.state(agent).unwrap().step.unwrap().progress(crowd.now()), 0.5);
    /// crowd.set_pace(agent, Pace::new(CrowdTime::from_seconds(2.0)));
    /// assert_eq!(crowd.state(agent).unwrap().step.unwrap().end.seconds(), 3.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_pace(&mut self, agent: AgentId, pace: Pace) {
        if let Some(agent) = self.board.find(agent) {
            self.board.set_pace(agent, pace);
        }
    }

    /// Prepares searches for the routes of agents with goals of their own, as
    /// [`Planner::prepare`](emberwalk_path::Planner::prepare) does: afterwards they take a fraction of the time.
    pub fn prepare(&mut self) {
        self.board.prepare();
    }

    /// Takes an agent off the map, immediately. The step of an agent that follows it may then begin or end earlier,
    /// which [`StepChanged`](CrowdEvent::StepChanged) reports.
    pub fn remove(&mut self, agent: AgentId) {
        let Self { board, edits, .. } = self;
        let Some(agent) = board.find(agent) else { return };
        board.end_to_hold(agent);
        let followers = board.followers(agent);
        board.break_off_step(agent, |cell| edits.claim(cell));
        self.leave(agent);
        // They may have been held up by it.
        followers.into_iter().for_each(|follower| self.board.update_step(follower));
    }

    /// Sets the entry cost of a cell for agents of all kinds, or blocks it with `None`. Returns `false` if the cell is
    /// off the grid, or in a crowd [on classes](Self::with_kinds).
    ///
    /// The edit takes effect immediately, unless an agent is on the way into the cell, or the edit blocks the cell and
    /// an agent is in it or passes it diagonally. Then the edit waits until that is over, and it is tried again every
    /// 1/32 second. Meanwhile no other agent starts to enter the cell, and an agent that stays there steps aside,
    /// unless it [holds](Self::hold), and after a second all others make room for it. Another `set` of the cell
    /// replaces an edit that waits.
    pub fn set(&mut self, cell: Cell, cost: Option<EntryCost>) -> bool {
        (0..self.board.land().kinds()).all(|kind| self.set_for(kind, cell, cost))
    }

    /// Sets the entry cost of a cell for agents of one kind, as [`set`](Self::set) does for all kinds. Also returns
    /// `false` if there is no such kind.
    ///
    /// An edit that blocks a cell for this kind alone still waits for agents of all kinds.
    pub fn set_for(&mut self, kind: usize, cell: Cell, cost: Option<EntryCost>) -> bool {
        let has_costs = self.classes().is_none() && kind < self.board.land().kinds();
        has_costs && self.edit(cell, Change::Cost(kind, cost))
    }

    /// Sets the class of a cell in a crowd [on classes](Self::with_kinds). Returns `false` if the cell is off the grid, or
    /// in other crowds.
    ///
    /// The edit waits as in [`set`](Self::set), even if it blocks the cell only for some kinds.
    pub fn set_class(&mut self, cell: Cell, class: u8) -> bool {
        self.classes().is_some() && self.edit(cell, Change::Class(class))
    }

    /// Sets the level of a cell. Returns `false` if the cell is off the grid.
    ///
    /// The edit waits, as in [`set`](Self::set), until no agent steps into the cell, out of it or diagonally past it, and
    /// until no agent [of several cells](emberwalk_path::kinds#agents-of-several-cells) stands there whose place would become too
    /// steep for it.
    pub fn set_level(&mut self, cell: Cell, level: Level) -> bool {
        self.edit(cell, Change::Level(level))
    }

    /// Sets the entry cost of all cells of a rectangle together, or blocks them: a building. Returns `false`, and does
    /// nothing, if a part of it is off the grid.
    ///
    /// `corner` is its north-western cell. The edit waits until no agent is in the way in any of its cells. Meanwhile
    /// no agent enters it from outside, and agents inside leave it by the shortest route, even if they want to stay
    /// there. They enter a pocket, a few cells that the area encloses, only if they cannot get farther, and agents in a
    /// pocket may still leave. After a second, all others make room for them, whatever their rank and priority. If no
    /// step leads out, or no cell outside is free, the edit continues to wait; [`relocate`](Self::relocate) puts an
    /// agent elsewhere. Otherwise, and for an area of one cell, it is as in [`set`](Self::set).
    pub fn set_area(&mut self, corner: Cell, size: Size, cost: Option<EntryCost>) -> bool {
        let has_costs = self.classes().is_none();
        has_costs && (0..self.board.land().kinds()).all(|kind| self.edit_area(corner, size, Change::Cost(kind, cost)))
    }

    /// Sets the class of all cells of a rectangle together, as [`set_area`](Self::set_area) does.
    pub fn set_class_area(&mut self, corner: Cell, size: Size, class: u8) -> bool {
        self.classes().is_some() && self.edit_area(corner, size, Change::Class(class))
    }

    /// Adds a [link](CostGrid::add_link) for agents of all kinds, or changes its cost. Returns whether that changes
    /// anything: not if `from` is `to`, or if either is off the grid.
    ///
    /// It takes effect immediately. Agents of [several cells](emberwalk_path::kinds#agents-of-several-cells) use no
    /// links. With rules [without links](StepRules::without_links), no agent does.
    ///
    /// ```
    /// use emberwalk_crowd::{Crowd, OnArrival};
    /// use emberwalk_path::grid::{Cell, Size};
    /// use emberwalk_path::time::{CrowdTime, Pace, Walker};
    /// use emberwalk_path::{CostGrid, Diagonal, EntryCost, StepRules};
    /// // Two floors, and stairs between them.
    /// let cost = |cell: Cell| (cell.x != 3).then_some(EntryCost::TILE);
    /// let grid = CostGrid::from_fn(Size::new(7, 3), Diagonal::GAME, cost)?;
    /// let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    /// let agent = crowd.add(Cell::new(1, 1))?;
    /// let (bottom, top) = (Cell::new(2, 1), Cell::new(4, 1));
    /// crowd.add_link(bottom, top, EntryCost::from_tiles(3.0)?);
    /// crowd.send(agent, Cell::new(5, 1), OnArrival::Stay);
    /// crowd.advance(CrowdTime::from_seconds(4.0));
    /// assert_eq!(crowd.state(agent).unwrap().cell, top, "after a second, and three on the stairs");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_link(&mut self, from: Cell, to: Cell, cost: EntryCost) -> bool {
        let changes = (0..self.board.land().kinds()).map(|kind| self.add_link_for(kind, from, to, cost));
        changes.fold(false, BitOr::bitor)
    }

    /// Adds a link for agents of one kind, as [`add_link`](Self::add_link) does for all kinds.
    pub fn add_link_for(&mut self, kind: usize, from: Cell, to: Cell, cost: EntryCost) -> bool {
        self.set_link(kind, from, to, Some(cost))
    }

    /// Removes a link for agents of all kinds; returns whether there was one. An agent that is on it, or has
    /// decided to take it, does so as before.
    pub fn remove_link(&mut self, from: Cell, to: Cell) -> bool {
        let changes = (0..self.board.land().kinds()).map(|kind| self.remove_link_for(kind, from, to));
        changes.fold(false, BitOr::bitor)
    }

    /// Removes a link for agents of one kind, as [`remove_link`](Self::remove_link) does for all kinds.
    pub fn remove_link_for(&mut self, kind: usize, from: Cell, to: Cell) -> bool {
        self.set_link(kind, from, to, None)
    }

    fn set_link(&mut self, kind: usize, from: Cell, to: Cell, cost: Option<EntryCost>) -> bool {
        let changes = self.board.set_link(kind, from, to, cost);
        if changes {
            for at in [from, to].map(|cell| self.board.index(cell)) {
                self.jams.end_at(&mut self.board, at);
            }
        }
        changes
    }

    fn edit_area(&mut self, corner: Cell, size: Size, change: Change) -> bool {
        let grid = self.board.grid().size();
        // Checked first, so that the last cell can be computed.
        let fits = size.area() > 0 && size.width <= grid.width && size.height <= grid.height && grid.contains(corner);
        let are_on_grid = fits && grid.contains(corner + (size.width as i32 - 1, size.height as i32 - 1));
        if are_on_grid {
            let edit = Edit::new(&self.board, corner, size, change);
            self.edits.add(&mut self.board, &mut self.jams, edit);
        }
        are_on_grid
    }

    fn edit(&mut self, cell: Cell, change: Change) -> bool {
        let board = &self.board;
        let is_known = board.grid().size().contains(cell) && self.edits.has(board, board.index(cell), change);
        is_known || self.edit_area(cell, Size::new(1, 1), change)
    }

    /// Lets this time pass, at most an hour, and returns all events since the last call, including the events of other
    /// calls such as [`add`](Self::add). Events are in the order of decisions; a step may start later than
    /// [`now`](Self::now).
    ///
    /// Agents decide after all orders and edits of one moment. So with [`CrowdTime::ZERO`] no agent decides: the call
    /// only returns events.
    pub fn advance(&mut self, duration: CrowdTime) -> &[CrowdEvent] {
        self.board.forget_events(self.returned.min(self.board.events().len()));
        if duration > CrowdTime::ZERO {
            self.pass(duration);
        }
        self.returned = self.board.events().len();
        self.board.events()
    }
}
