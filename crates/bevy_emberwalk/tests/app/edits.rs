//! Edits that wait, and what a game is told about them.

use bevy_emberwalk::WaitingEdit;

use super::*;

/// What observers were told about edits.
#[derive(Resource, Default)]
struct Edits {
    waiting: Vec<EditWaits>,
    applied: Vec<EditApplied>,
}

fn app_with_edits() -> App {
    let mut app = app(10);
    app.init_resource::<Edits>();
    app.add_observer(|waits: On<EditWaits>, mut edits: ResMut<Edits>| edits.waiting.push(*waits));
    app.add_observer(|applied: On<EditApplied>, mut edits: ResMut<Edits>| edits.applied.push(*applied));
    app
}

#[test]
fn a_building_that_waits_for_a_guard_says_so_and_when_it_stands() {
    let mut app = app_with_edits();
    let map = app.world_mut().spawn(NavGrid::new(10, 5)).id();
    let guard = app.world_mut().spawn((NavAgent::at(5, 2), Solid, Hold)).id();
    run(&mut app, 10, 1);
    let (corner, size) = (Cell::new(4, 1), Size::new(3, 2));
    let mut grid = app.world_mut().get_mut::<NavGrid>(map).unwrap();
    assert_eq!(grid.set_area(corner, size, None), Edited::Waits);
    assert_eq!(grid.set((0, 0), None), Edited::Applied);
    let waiting: Vec<_> = grid.waiting_edits().collect();
    assert_eq!(waiting.len(), 6);
    assert!(waiting.contains(&WaitingEdit { cell: Cell::new(5, 2), agent: Some(guard) }));
    run(&mut app, 10, 20);
    let edits = app.world().resource::<Edits>();
    let waits = EditWaits { entity: map, corner, size, cell: Cell::new(5, 2), agent: Some(guard) };
    assert_eq!((&edits.waiting[..], &edits.applied[..]), (&[waits][..], &[][..]), "it is told once");
    app.world_mut().entity_mut(guard).remove::<Hold>();
    run(&mut app, 10, 5);
    let edits = app.world().resource::<Edits>();
    assert_eq!(edits.applied, [EditApplied { entity: map, corner, size }]);
    assert_eq!(edits.waiting.len(), 1);
    let grid = app.world().get::<NavGrid>(map).unwrap();
    assert!(!grid.is_passable((5, 2)) && grid.waiting_edits().next().is_none());
}

/// A wall that is cancelled never stands, and a wall that is ordered twice waits once.
#[test]
fn edits_that_wait_are_replaced_by_later_ones() {
    let mut app = app_with_edits();
    let map = app.world_mut().spawn(NavGrid::new(10, 3)).id();
    app.world_mut().spawn((NavAgent::at(5, 1), Solid, Hold));
    run(&mut app, 10, 1);
    let set = |app: &mut App, cost| app.world_mut().get_mut::<NavGrid>(map).unwrap().set((5, 1), cost);
    assert_eq!([0, 1].map(|_| set(&mut app, None)), [Edited::Waits; 2]);
    run(&mut app, 10, 1);
    assert_eq!(set(&mut app, Some(EntryCost::TILE)), Edited::Applied);
    run(&mut app, 10, 10);
    let edits = app.world().resource::<Edits>();
    assert_eq!((edits.waiting.len(), edits.applied.len()), (1, 0));
}

#[test]
fn edits_that_are_not_possible_are_refused() {
    let mut grid = NavGrid::new(5, 5);
    let refused = [
        grid.set((5, 0), None),
        grid.set_area((3, 3), Size::new(3, 1), None),
        grid.set_area((1, 1), Size::new(0, 1), None),
        grid.set_class((1, 1), 9),
        grid.set_class_area((1, 1), Size::new(2, 2), 9),
    ];
    assert_eq!(refused, [Edited::Refused; 5]);
    assert!(grid.is_passable((3, 3)));
}
