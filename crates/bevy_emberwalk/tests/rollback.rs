//! Two players of one game, each on a machine of its own, with a network that delays what they order: the code of the guide.
#![cfg(feature = "serde")]

use std::collections::BTreeMap;
use std::time::Duration;

use bevy_app::{App, PluginGroup, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_emberwalk::NavSnapshot;
use bevy_emberwalk::prelude::*;
use bevy_time::{Time, TimePlugin};

/// What happens in one tick of the game, the same on all machines.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Tick;

/// The time of one tick. It never depends on a frame.
const TICK: Duration = Duration::from_nanos(1_000_000_000 / 32);

/// How many ticks later an order takes effect, even for the player who gives it.
const INPUT_DELAY: u32 = 3;

/// How far back orders of others may reach.
const LONGEST_ROLLBACK: u32 = 16;

/// What players send each other: numbers and cells, no entities and no floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    player: u8,
    agent: u64,
    to: Cell,
}

#[derive(Resource, Default)]
struct Session {
    /// The tick that comes next.
    next: u32,
    orders: BTreeMap<u32, Vec<Order>>,
    /// The state before each tick.
    saved: BTreeMap<u32, NavSnapshot>,
}

/// Makes one tick: saves the state, carries out the orders of the tick, and lets agents walk.
fn make_tick(world: &mut World) {
    let snapshot = NavSnapshot::take(world);
    let mut session = world.resource_mut::<Session>();
    let tick = session.next;
    session.next += 1;
    session.saved.insert(tick, snapshot);
    session.saved.retain(|&saved, _| saved + LONGEST_ROLLBACK >= tick);
    let orders = session.orders.get(&tick).cloned().unwrap_or_default();
    let mut agents = world.query::<(&AgentNumber, &mut Goal)>();
    for order in orders {
        if let Some((_, mut goal)) = agents.iter_mut(world).find(|(number, _)| number.0 == order.agent) {
            *goal = Goal::Cell(order.to);
        }
    }
    let mut time = Time::<()>::default();
    time.advance_by(TICK);
    world.insert_resource(time);
    world.run_schedule(Tick);
}

/// Takes an order of any player. If its tick is over, goes back to it, and runs the ticks since then again.
fn take_order(world: &mut World, tick: u32, order: Order) {
    let mut session = world.resource_mut::<Session>();
    let orders = session.orders.entry(tick).or_default();
    orders.push(order);
    // The order of arrival differs between machines, so it must not matter.
    orders.sort_unstable();
    let now = session.next;
    if let Some(snapshot) = session.saved.get(&tick).cloned() {
        session.next = tick;
        snapshot.restore(world);
        (tick..now).for_each(|_| make_tick(world));
    }
}

/// The checksum that players compare, for a tick before which all orders have arrived.
fn checksum(world: &World, tick: u32) -> Option<u64> {
    Some(world.resource::<Session>().saved.get(&tick)?.checksum())
}

fn machine() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, EmberwalkPlugins.set(EmberwalkPlugin::in_schedule(Tick))));
    app.init_resource::<Session>();
    // The same map and the same agents, before the first tick.
    app.world_mut().spawn(NavGrid::new(24, 16));
    for number in 1..=20 {
        let agent = NavAgent::at(2 + 19 * (number % 2), number / 2).with_speed(3.0);
        let agent = app.world_mut().spawn((AgentNumber(number as u64), agent)).id();
        if number > 4 {
            app.world_mut().entity_mut(agent).insert(Solid);
        }
    }
    app
}

/// Two machines play for this many ticks. Returns the checksums that they compare. `drops_late` leaves out orders that
/// come too late, instead of a rollback.
fn play(seed: u64, drops_late: bool) -> [Vec<u64>; 2] {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut machines = [machine(), machine()];
    // When an order arrives at the other machine, for which tick.
    let mut sent: Vec<(u32, usize, u32, Order)> = Vec::new();
    let mut checksums = [Vec::new(), Vec::new()];
    for now in 0..400 {
        for (player, machine) in machines.iter_mut().enumerate() {
            if rng.u8(..4) == 0 && now < 300 {
                let agent = u64::from(rng.u8(1..=20));
                let to = Cell::new(rng.i32(0..24), rng.i32(0..16));
                let order = Order { player: player as u8, agent, to };
                take_order(machine.world_mut(), now + INPUT_DELAY, order);
                sent.push((now + rng.u32(1..12), 1 - player, now + INPUT_DELAY, order));
            }
        }
        for (_, machine, tick, order) in sent.extract_if(.., |(at, ..)| *at <= now) {
            if !drops_late || tick >= now {
                take_order(machines[machine].world_mut(), tick, order);
            }
        }
        for (machine, checksums) in machines.iter_mut().zip(&mut checksums) {
            make_tick(machine.world_mut());
            let confirmed = (now + 1).checked_sub(LONGEST_ROLLBACK);
            checksums.extend(confirmed.and_then(|tick| checksum(machine.world(), tick)));
        }
    }
    checksums
}

#[test]
fn two_players_play_the_same_game() {
    for seed in 0..4 {
        let [one, other] = play(seed, false);
        assert_eq!(one.len(), 385, "seed {seed}");
        assert_eq!(one, other, "seed {seed}");
        assert_ne!(one[100], one[101]);
    }
}

#[test]
fn the_checksums_tell_when_an_order_was_lost() {
    let [one, other] = play(0, true);
    assert_ne!(one, other);
}
