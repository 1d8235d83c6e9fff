//! The orders of a crowd: goals of every kind, groups, guards, heroes, boats, wagons, buildings, and what the game is
//! told.

use emberwalk_crowd::{AgentSettings, Crowd, CrowdError, CrowdEvent, Danger, Goal, OnArrival, WaitsFor};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::kinds::{AgentKind, ClassGrid};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostError, CostGrid, Diagonal, EntryCost, StepRules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    goals()?;
    groups()?;
    guards_and_heroes()?;
    buildings()?;
    dangers()?;
    stairs()?;
    boats()?;
    wagons()?;
    many_orders()?;
    Ok(())
}

/// A meadow without agents.
fn meadow() -> Result<Crowd, CostError> {
    let grid = CostGrid::open(Size::new(40, 30))?;
    Ok(Crowd::new(grid, StepRules::default(), Pace::default()))
}

/// Goals of their own, any of several, beside a tree, beside another agent, and one after the other.
fn goals() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = meadow()?;
    let [scout, miner, woodcutter] =
        [crowd.add(Cell::new(0, 0))?, crowd.add(Cell::new(0, 2))?, crowd.add(Cell::new(0, 4))?];
    let [dog, messenger, sentry] =
        [crowd.add(Cell::new(0, 6))?, crowd.add(Cell::new(0, 8))?, crowd.add(Cell::new(0, 10))?];
    let tree = Cell::new(9, 4);
    crowd.set(tree, None);

    // A cell; an agent that stays and has to make way rests close to it, and comes back later.
    crowd.send(scout, Cell::new(30, 2), OnArrival::Stay);
    // The nearest of two mines.
    let mines = vec![Cell::new(35, 25), Cell::new(12, 8)];
    crowd.send(miner, Goal::AnyOf(mines), OnArrival::Stay);
    // A cell beside a tree, which is blocked itself.
    crowd.send(woodcutter, Goal::Beside(tree), OnArrival::Stay);
    // A cell beside an agent, also when that walks on.
    crowd.send(dog, Goal::Follow(scout), OnArrival::Stay);

    // One goal after the other, and in the end it leaves the map.
    crowd.then(messenger, Cell::new(10, 20), OnArrival::Stay);
    crowd.then(messenger, Cell::new(0, 20), OnArrival::Leave);
    // To and fro until it gets another order.
    crowd.patrol(sentry, [Cell::new(5, 10), Cell::new(5, 25)]);

    crowd.advance(CrowdTime::from_seconds(60.0));
    assert_eq!(crowd.state(miner).unwrap().cell, Cell::new(12, 8));
    assert_eq!(crowd.state(woodcutter).unwrap().cell.distance_squared(tree), 1);
    let cell = |agent| crowd.state(agent).unwrap().cell;
    assert!(cell(dog).distance_squared(cell(scout)) <= 2);
    assert!(crowd.state(messenger).is_none());
    assert!(!crowd.state(sentry).unwrap().has_arrived);
    Ok(())
}

/// A group that gets one order.
fn groups() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = meadow()?;
    let soldiers: Vec<_> = (0..20).map(|k| crowd.add(Cell::new(k % 4, k / 4))).collect::<Result<_, _>>()?;

    // Each of them gets a place near the banner, and they come to rest there.
    let banner = Cell::new(30, 20);
    crowd.send_group(&soldiers, banner);

    crowd.advance(CrowdTime::from_seconds(60.0));
    for &soldier in &soldiers {
        let state = crowd.state(soldier).unwrap();
        assert!(state.has_arrived && state.cell.distance_squared(banner) <= 3 * 3 + 3 * 3);
    }
    Ok(())
}

/// A guard in a gate, a hero that yields to nobody, and the game's view of waiting agents.
fn guards_and_heroes() -> Result<(), Box<dyn std::error::Error>> {
    let gate = Cell::new(10, 3);
    let cost = |cell: Cell| (cell.x != 10 || cell == gate).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(21, 7), Diagonal::GAME, cost)?;
    let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());

    // It stays in the gate and makes way for nobody, until it gets another order.
    let guard = crowd.add(gate)?;
    crowd.hold(guard);
    // It walks twice as fast as the others, and they make way for it.
    let fast = Pace::new(CrowdTime::from_seconds(0.5));
    let hero = crowd.add_with(Cell::new(0, 3), AgentSettings::new().with_pace(fast).with_priority(1))?;
    crowd.send(hero, Cell::new(20, 3), OnArrival::Stay);

    // The rest of its route: the cost, and the time if it need not wait.
    let rest = crowd.remaining(hero).unwrap();
    assert_eq!((rest.cost.tiles(), rest.time), (20.0, CrowdTime::from_seconds(10.0)));

    let events = crowd.advance(CrowdTime::from_seconds(20.0)).to_vec();
    for event in events {
        match event {
            CrowdEvent::Stuck { agent, on: Some(WaitsFor::Agent(other)), .. } if agent == hero => {
                // The guard is in the way: let it out of the gate.
                crowd.send(other, Cell::new(11, 0), OnArrival::Stay);
            }
            CrowdEvent::Arrived { agent, at, .. } => println!("{agent} is in {at}"),
            CrowdEvent::Unreachable { agent, .. } => println!("no route leads {agent} to its goal any more"),
            _ => {}
        }
    }
    // Whom an agent waits for can be asked at any time.
    let wait = crowd.waiting(hero).unwrap();
    assert_eq!(wait.on, Some(WaitsFor::Agent(guard)));
    println!("it has stood there since {:.1} s", wait.since);

    crowd.advance(CrowdTime::from_seconds(20.0));
    assert!(crowd.state(hero).unwrap().has_arrived);
    Ok(())
}

/// A tower that hits agents that come near, and gunfire.
fn dangers() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = meadow()?;
    let tower = Cell::new(20, 10);

    // Cells near the tower cost more where routes are planned. Steps take as long as before.
    for cell in crowd.grid().size().cells().filter(|cell| cell.distance_squared(tower) <= 5 * 5) {
        crowd.set_danger(cell, Some(EntryCost::from_tiles(4.0)?));
    }
    // Gunfire reaches three cells around, and is forgotten after 30 seconds.
    let gunfire = Danger::new(Cell::new(20, 17), 3, EntryCost::from_tiles(8.0)?, CrowdTime::from_seconds(30.0));
    crowd.add_danger(gunfire);

    let scout = crowd.add(Cell::new(2, 10))?;
    crowd.send(scout, Cell::new(38, 10), OnArrival::Stay);
    let route = crowd.route(scout);
    assert!(route.iter().all(|&cell| crowd.danger(0, cell).tiles() == 0.0), "it goes round all of them");
    Ok(())
}

/// A building on ground where agents are.
fn buildings() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = meadow()?;
    let idle = crowd.add(Cell::new(10, 10))?;
    let guard = crowd.add(Cell::new(12, 12))?;
    crowd.hold(guard);

    // All cells of a building are blocked at one time, as soon as nobody is in the way.
    let corner = Cell::new(10, 10);
    let size = Size::new(3, 3);
    crowd.set_area(corner, size, None);
    crowd.advance(CrowdTime::from_seconds(5.0));
    // Agents without orders have stepped aside. Which agents are still in the way?
    let in_way: Vec<_> = crowd.waiting_edits().filter_map(|edit| edit.agent).collect();
    assert_eq!(in_way, [guard]);
    assert!(crowd.state(idle).unwrap().cell != corner);

    // Without an order to hold, it steps aside, too.
    crowd.stop(guard);
    crowd.advance(CrowdTime::from_seconds(5.0));
    assert_eq!(crowd.waiting_edits().count(), 0);
    assert!(!crowd.grid().is_passable(corner));
    Ok(())
}

/// A house of two floors, and stairs that are built while people walk.
fn stairs() -> Result<(), Box<dyn std::error::Error>> {
    let cost = |cell: Cell| (cell.x != 10).then_some(EntryCost::TILE);
    let grid = CostGrid::from_fn(Size::new(21, 7), Diagonal::GAME, cost)?;
    let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    let people = (0..5).map(|y| crowd.add(Cell::new(0, y))).collect::<Result<Vec<_>, _>>()?;
    crowd.send_group(&people, Cell::new(18, 3));

    let (foot, head) = (Cell::new(9, 3), Cell::new(11, 3));
    crowd.add_link(foot, head, EntryCost::from_tiles(4.0)?);
    crowd.add_link(head, foot, EntryCost::from_tiles(3.0)?);
    // They go up one after the other.
    crowd.advance(CrowdTime::from_seconds(60.0));
    assert!(people.iter().all(|&agent| crowd.state(agent).unwrap().cell.x > 11));

    // Who is on the stairs ends the step.
    crowd.remove_link(foot, head);
    assert_eq!(crowd.grid().links().count(), 1);
    Ok(())
}

/// Boats and soldiers in one crowd.
fn boats() -> Result<(), Box<dyn std::error::Error>> {
    let map = ["......", "~~~~~~", "~~~~~~", "......"];
    let soldier = AgentKind::new().with_cost(b'.', Some(EntryCost::TILE)).with_cost(b'=', Some(EntryCost::TILE));
    let boat = AgentKind::new().with_cost(b'~', Some(EntryCost::TILE));
    let class = |cell: Cell| map[cell.y as usize].as_bytes()[cell.x as usize];
    let classes = ClassGrid::from_fn(Size::new(6, 4), Diagonal::GAME, [soldier, boat], class)?;

    let mut crowd = Crowd::with_kinds(classes, StepRules::default(), Pace::default())?;
    let soldier = crowd.add(Cell::new(0, 0))?;
    let boat = crowd.add_with(Cell::new(5, 1), AgentSettings::new().with_kind(1))?;
    assert_eq!(
        crowd.add_with(Cell::new(5, 0), AgentSettings::new().with_kind(1)),
        Err(CrowdError::Blocked(Cell::new(5, 0)))
    );
    crowd.send(soldier, Cell::new(0, 3), OnArrival::Stay);
    crowd.send(boat, Cell::new(0, 2), OnArrival::Stay);
    // A bridge, which soldiers can cross and boats cannot pass.
    crowd.set_class_area(Cell::new(3, 1), Size::new(1, 2), b'=');

    crowd.advance(CrowdTime::from_seconds(30.0));
    assert_eq!(crowd.state(soldier).unwrap().cell, Cell::new(0, 3));
    assert_eq!(crowd.waiting(boat).unwrap().on, Some(WaitsFor::Route));
    Ok(())
}

/// A wagon of 2 x 2 cells, for which people make way.
fn wagons() -> Result<(), Box<dyn std::error::Error>> {
    let person = AgentKind::new().with_cost(b'.', Some(EntryCost::TILE));
    let wagon = person.clone().with_side(2);
    let classes = ClassGrid::from_fn(Size::new(20, 6), Diagonal::GAME, [person, wagon], |_| b'.')?;

    let mut crowd = Crowd::with_kinds(classes, StepRules::default(), Pace::default())?;
    let wagon = crowd.add_with(Cell::new(0, 2), AgentSettings::new().with_kind(1))?;
    for y in 0..6 {
        crowd.add(Cell::new(8, y))?;
    }
    // A large agent is where the north-western cell of its square is.
    crowd.send(wagon, Cell::new(18, 2), OnArrival::Stay);
    assert_eq!(crowd.agent_at(Cell::new(1, 3)), Some(wagon));

    crowd.advance(CrowdTime::from_seconds(40.0));
    assert!(crowd.state(wagon).unwrap().has_arrived);
    Ok(())
}

/// More orders in one frame than there is time for: the agents set out one after the other.
fn many_orders() -> Result<(), Box<dyn std::error::Error>> {
    let cost = |cell: Cell| EntryCost::from_tiles(f64::from(1 + (cell.x * 7 + cell.y * 13) % 5)).ok();
    let grid = CostGrid::from_fn(Size::new(200, 200), Diagonal::GAME, cost)?;
    let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    let agents = (0..200).map(|y| crowd.add(Cell::new(0, y))).collect::<Result<Vec<_>, _>>()?;
    let goals: Vec<_> = (0..200).map(|y| Cell::new(199, 199 - y)).collect();

    crowd.set_search_budget(50_000);
    for (&agent, &goal) in agents.iter().zip(&goals) {
        crowd.send(agent, goal, OnArrival::Stay);
    }
    crowd.advance(CrowdTime::from_seconds(1.0 / 60.0));
    let waiting =
        agents.iter().filter(|&&agent| crowd.waiting(agent).is_some_and(|wait| wait.on == Some(WaitsFor::Search)));
    assert!(waiting.count() > 0);

    crowd.advance(CrowdTime::from_seconds(5.0));
    assert!(agents.iter().all(|&agent| crowd.waiting(agent).is_none_or(|wait| wait.on != Some(WaitsFor::Search))));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_orders_are_carried_out() -> Result<(), Box<dyn std::error::Error>> {
        super::main()
    }
}
