//! The player's traveller: an agent of the crowd that passes through all others until it takes a cell among people.

use emberwalk_crowd::{AgentId, AgentSettings, AgentState, Itinerary, OnArrival};
use emberwalk_map::Map;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_path::time::{CrowdTime, Walker};
use emberwalk_path::{CostGrid, StepRules};

use super::places::rings;
use super::{SAMPLE, Town};
use crate::pace::PACE;

/// The priority of the player's traveller, for whom everybody makes way.
const PRIORITY: i8 = i8::MAX;

/// The player's traveller while it is in no crowd.
#[derive(Clone, Debug)]
pub(crate) struct Traveller {
    pub walker: Walker,
    pub facing: Option<Direction>,
    pub orders: Orders,
}

/// The activity of the player's traveller.
#[derive(Clone, Debug, Default)]
pub(crate) enum Orders {
    /// It stands, and yields to nobody.
    #[default]
    Stand,
    /// It follows a route that was planned elsewhere. This is possible only alone.
    Walk(Itinerary),
    /// The crowd leads it to this cell.
    Go(Cell),
}

/// The player's traveller in a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Player {
    agent: Option<AgentId>,
    /// Where it looked when it came into the crowd.
    facing: Option<Direction>,
    /// While it passes through people: when it takes a cell, at the end of its step, and its orders then.
    joins: Option<(CrowdTime, Orders)>,
}

impl Player {
    /// When it takes a cell.
    pub(super) fn next(&self) -> Option<CrowdTime> {
        self.joins.as_ref().map(|(time, _)| *time)
    }
}

impl Traveller {
    /// A traveller that stands in a cell.
    pub fn standing(cell: Cell) -> Self {
        Self { walker: Walker::standing(cell), facing: None, orders: Orders::Stand }
    }

    /// The same traveller with the times of another clock, which shows `other` when this clock shows `now`.
    pub fn at_clock(mut self, now: CrowdTime, other: CrowdTime) -> Self {
        if let Some(step) = self.walker.step() {
            self.walker = Walker::stepping(step.at_clock(now, other), self.walker.goes_back());
        }
        if let Orders::Walk(itinerary) = &mut self.orders {
            let waits: Vec<_> = itinerary.waits_ahead().map(|(at, until)| (at, other + (until - now))).collect();
            *itinerary = itinerary.clone().with_waits(waits);
        }
        self
    }

    /// Lets it turn round if its step is not possible on this ground, or puts it beside a new wall. `None` if there is no passable
    /// cell.
    pub fn on(mut self, costs: &CostGrid, rules: StepRules, now: CrowdTime) -> Option<Self> {
        if self.walker.revise(costs, now, |from, to| PACE.of_step(costs, rules, from, to)) {
            let direction = self.walker.step().and_then(|step| Direction::from_offset(step.to - step.from));
            self.facing = direction.or(self.facing);
        } else {
            self.walker = Walker::standing(costs.nearest_passable(self.walker.entered())?);
            if let Orders::Walk(_) = self.orders {
                self.orders = Orders::Stand;
            }
        }
        Some(self)
    }
}

impl Town {
    /// The agent of the player's traveller; `None` if there is none.
    pub fn player(&self) -> Option<AgentId> {
        self.player.agent
    }

    /// The activity of the player's traveller; `None` if there is none.
    pub fn player_state(&self) -> Option<AgentState> {
        self.crowd.state(self.player()?)
    }

    /// Where the player's traveller is.
    pub(crate) fn player_walker(&self) -> Option<Walker> {
        self.crowd.walker(self.player()?)
    }

    /// The direction of the last step of the player's traveller.
    pub(crate) fn player_facing(&self) -> Option<Direction> {
        self.player_state().and_then(|state| state.facing).or(self.player.facing)
    }

    /// The planned route along which the player's traveller walks alone.
    pub(crate) fn player_itinerary(&self) -> Option<&Itinerary> {
        self.crowd.itinerary(self.player()?)
    }

    /// Whether the player's traveller has been sent somewhere and is not there yet.
    pub fn player_is_on_the_way(&self) -> bool {
        self.player_state().is_some_and(|state| state.goal.is_some() && !state.has_arrived)
    }

    /// Whether the player's traveller still passes through people, until its step has ended.
    pub fn player_joins(&self) -> bool {
        self.player.joins.is_some()
    }

    /// The current state of the player's traveller.
    fn traveller(&self) -> Option<Traveller> {
        let (walker, facing) = (self.player_walker()?, self.player_facing());
        let goal = self.player_state().and_then(|state| state.goal);
        let itinerary = self.player_itinerary();
        let orders = match (&self.player.joins, itinerary, goal) {
            (Some((_, orders)), ..) => orders.clone(),
            (_, Some(itinerary), _) => Orders::Walk(itinerary.clone()),
            (.., Some(goal)) => Orders::Go(goal),
            _ => Orders::Stand,
        };
        Some(Traveller { walker, facing, orders })
    }

    /// Takes the player's traveller off the map.
    pub(crate) fn take_player(&mut self) -> Option<Traveller> {
        let traveller = self.traveller();
        std::mem::take(&mut self.player).agent.into_iter().for_each(|agent| self.crowd.remove(agent));
        traveller
    }

    /// Puts the player's traveller on the map. Among people it takes the nearest free cell, as soon as it has ended its step.
    pub(crate) fn put_player(&mut self, Traveller { walker, facing, orders }: Traveller) {
        // No time may pass until it takes a cell.
        let is_over = |walker: &Walker| walker.step().is_some_and(|step| step.end <= self.now());
        let walker = if self.has_people && is_over(&walker) { Walker::standing(walker.entered()) } else { walker };
        let before = self.player_walker().filter(|_| self.has_people && !self.player_joins());
        if before.is_some_and(|before| before == walker && matches!(orders, Orders::Stand)) {
            self.player.facing = facing;
            return;
        }
        self.take_player();
        self.player.facing = facing;
        let at = walker.standing_cell().filter(|_| self.has_people);
        let settings = AgentSettings::new().with_priority(PRIORITY);
        self.player.agent = at.and_then(|at| {
            let mut free = rings(at, self.crowd.grid().size()).filter(|cell| self.can_enter(*cell));
            let at = free.find(|cell| !self.crowd.has_waiting_edit(*cell))?;
            self.crowd.add_with(at, settings).ok()
        });
        if self.player.agent.is_none() {
            let standing = Walker::standing(walker.entered());
            let added = self.crowd.add_walker(&walker, settings);
            self.player.agent = added.or_else(|_| self.crowd.add_walker(&standing, settings)).ok();
            if self.has_people {
                let joins = walker.step().map_or(self.now() + SAMPLE, |step| step.end);
                self.player.joins = Some((joins, orders));
                return;
            }
        }
        self.order_player(orders);
    }

    /// Lets the player's traveller take a cell among people, if the time has come.
    pub(super) fn let_player_join(&mut self) {
        if self.player.next().is_some_and(|time| time <= self.now())
            && let Some(traveller) = self.take_player()
        {
            self.put_player(traveller);
        }
    }

    /// Sends the player's traveller to a cell. With `None`, it stops, and yields to nobody.
    pub fn send_player(&mut self, goal: Option<Cell>) {
        self.order_player(goal.map_or(Orders::Stand, Orders::Go));
    }

    /// Gives the player's traveller other orders.
    pub(crate) fn order_player(&mut self, orders: Orders) {
        let Some(player) = self.player() else { return };
        if let Some((_, later)) = &mut self.player.joins {
            *later = orders;
            return;
        }
        if self.has_people {
            self.end_rest(player);
        }
        match orders {
            Orders::Go(goal) => self.crowd.send(player, goal, OnArrival::Stay),
            Orders::Walk(itinerary) if !self.has_people => drop(self.crowd.walk(player, itinerary)),
            Orders::Stand | Orders::Walk(_) if self.has_people => self.crowd.hold(player),
            Orders::Stand | Orders::Walk(_) => self.crowd.stop(player),
        }
    }

    /// Lets the player's traveller turn round, or puts it beside a wall that was built on its route. Otherwise the edit
    /// waits until it has gone.
    pub(super) fn follow_with_player(&mut self, map: &Map) {
        let Some(traveller) = self.traveller() else { return };
        let entered = traveller.walker.entered();
        match traveller.on(map.costs(), self.crowd.rules(), self.now()) {
            Some(traveller) if traveller.walker.entered() == entered => {}
            Some(traveller) => self.put_player(traveller),
            None => drop(self.take_player()),
        }
    }
}
