//! What crowds take and return is in a type registry, and can be copied by reflection.
#![cfg(feature = "reflect")]

use std::any::TypeId;

use bevy_reflect::prelude::*;
use bevy_reflect::{FromReflect, TypeRegistry, Typed};
use emberwalk_crowd::reflect::register_types;
use emberwalk_crowd::{AgentSettings, Crowd, CrowdError, Goal, OnArrival};
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::time::{CrowdTime, Pace};
use emberwalk_path::{CostGrid, StepRules};

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
fn the_orders_and_events_of_a_crowd_are_registered_and_can_be_copied() {
    let registry = registry();
    let grid = CostGrid::open(Size::new(9, 1)).unwrap();
    let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
    let settings = AgentSettings::new().with_priority(2);
    check(&registry, settings);
    let agent = crowd.add_with(Cell::new(0, 0), settings).unwrap();
    check(&registry, agent);
    check(&registry, Goal::AnyOf(vec![Cell::new(3, 0), Cell::new(4, 0)]));
    crowd.send(agent, Cell::new(8, 0), OnArrival::Leave);
    for &event in crowd.advance(CrowdTime::from_seconds(2.5)) {
        check(&registry, event);
    }
    check(&registry, crowd.state(agent).unwrap());
    check(&registry, crowd.remaining(agent).unwrap());
    check(&registry, CrowdError::Taken(Cell::new(1, 0)));
}
