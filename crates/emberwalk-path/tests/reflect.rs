//! The public value types are in a type registry, and can be read, changed and built by reflection.
#![cfg(feature = "reflect")]

use std::any::TypeId;

use bevy_reflect::prelude::*;
use bevy_reflect::structs::DynamicStruct;
use bevy_reflect::{FromReflect, GetPath, TypeRegistry, Typed};
use emberwalk_path::ahead::{Hours, Stop};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_path::kinds::AgentKind;
use emberwalk_path::reflect::register_types;
use emberwalk_path::time::{CrowdTime, Pace, Step};
use emberwalk_path::trace::{ComparedSearch, Comparison, Recording, SearchEvent};
use emberwalk_path::{
    Algorithm, CostError, CostGrid, Diagonal, EntryCost, FieldQuery, Heuristic, Limits, Moves, Options, Planner, Route,
    RouteCost, RouteQuery, Ties,
};

fn registry() -> TypeRegistry {
    let mut registry = TypeRegistry::empty();
    register_types(&mut registry);
    registry
}

/// Checks that the registry has the type, and that a value survives a copy by reflection.
#[track_caller]
fn check<T: Reflect + Typed + FromReflect + PartialEq + std::fmt::Debug>(registry: &TypeRegistry, value: T) {
    assert!(registry.contains(TypeId::of::<T>()), "{}", T::type_path());
    assert_eq!(T::from_reflect(value.as_partial_reflect()).as_ref(), Some(&value));
    assert_eq!(value.reflect_clone().unwrap().take::<T>().unwrap(), value);
    assert_eq!(value.reflect_partial_eq(value.as_partial_reflect()), Some(true));
}

#[test]
fn the_value_types_are_registered_and_can_be_copied() {
    let registry = registry();
    check(&registry, Cell::new(3, -4));
    check(&registry, Size::new(5, 6));
    check(&registry, Direction::NE);
    check(&registry, EntryCost::from_tiles(0.5).unwrap());
    check(&registry, RouteCost::from_units(u64::MAX));
    check(&registry, Diagonal::SQRT_2);
    check(&registry, AgentKind::new().with_cost(7, Some(EntryCost::TILE)).with_side(2));
    check(&registry, Limits::new().with_max_length(7));
    let options = Options::default().with_algorithm(Algorithm::Weighted { weight: 2.5 }).with_moves(Moves::Four);
    check(&registry, options.with_heuristic(Some(Heuristic::Manhattan)));
    check(&registry, RouteQuery::new(Cell::new(0, 0), Cell::new(1, 1)).with_options(options).with_partial());
    check(&registry, FieldQuery::routes_to(Cell::new(1, 2)).with_ties(Ties::Canonical));
    check(&registry, FieldQuery::routes_to(vec![Cell::new(1, 2), Cell::new(3, 4)]));
    check(&registry, Route { cells: vec![Cell::new(0, 0), Cell::new(1, 0)], cost: RouteCost::from_units(7) });
    let [one, two, five] = [1, 2, 5].map(RouteCost::from_units);
    check(&registry, Hours::new(five, one, two));
    check(&registry, Stop { cell: Cell::new(1, 2), arrival: one, departure: two });
    check(&registry, Pace::default());
    let [start, end] = [1, 3].map(CrowdTime::from_whole_seconds);
    check(&registry, Step { from: Cell::new(0, 0), to: Cell::new(1, 0), start, end });
    check(&registry, CostError::Size { width: 0, height: 7 });
}

/// A recorded search can be looked at in an editor, too.
#[test]
fn the_events_of_a_search_are_registered_and_can_be_copied() {
    let registry = registry();
    let grid = CostGrid::open(Size::new(3, 1)).unwrap();
    check(&registry, grid.stamp());
    let query = RouteQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    let recording = Recording::new(&mut Planner::new(), &grid, &query).unwrap();
    for event in recording.events() {
        check(&registry, event);
        match event {
            SearchEvent::Opened(opened) => check(&registry, opened),
            SearchEvent::Closed(closed) => check(&registry, closed),
        }
    }
    let moment = recording.at(3);
    check(&registry, moment.state(Cell::new(1, 0)).unwrap());
    check(&registry, moment.sizes());
    for id in [TypeId::of::<Comparison>(), TypeId::of::<ComparedSearch>()] {
        assert!(registry.contains(id));
    }
}

/// An editor changes fields by their paths.
#[test]
fn fields_can_be_changed_by_their_path() {
    let mut query = RouteQuery::new(Cell::new(0, 0), Cell::new(1, 1));
    *query.path_mut::<i32>("to.x").unwrap() = 9;
    *query.path_mut::<Moves>("options.rules.moves").unwrap() = Moves::Six;
    assert_eq!(
        query,
        RouteQuery::new(Cell::new(0, 0), Cell::new(9, 1)).with_options(Options::new().with_moves(Moves::Six))
    );
}

/// Types that must keep a rule have no fields that reflection could set.
#[test]
fn costs_cannot_be_made_invalid() {
    let zero = DynamicStruct::default();
    assert_eq!(EntryCost::from_reflect(&zero), None);
    let mut cost = EntryCost::TILE;
    assert!(cost.try_apply(&zero).is_err() && cost == EntryCost::TILE);
    assert!(matches!(EntryCost::type_info(), bevy_reflect::TypeInfo::Opaque(_)));
    assert!(matches!(Diagonal::type_info(), bevy_reflect::TypeInfo::Opaque(_)));
}

#[test]
fn defaults_are_known_to_the_registry() {
    let registry = registry();
    let default = registry.get_type_data::<ReflectDefault>(TypeId::of::<Options>()).unwrap().default();
    assert_eq!(default.take::<Options>().unwrap(), Options::default());
}

#[cfg(feature = "serde")]
#[test]
fn the_registry_serializes_values_as_serde_does() {
    let registry = registry();
    let cell = Cell::new(3, -4);
    let serializer = bevy_reflect::serde::TypedReflectSerializer::new(&cell, &registry);
    assert_eq!(serde_json::to_string(&serializer).unwrap(), "[3,-4]");
}
