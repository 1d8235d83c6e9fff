//! Reflection, with the feature `reflect`: the types for a registry of `bevy_reflect`.

use bevy_reflect::TypeRegistry;
use bevy_reflect::std_traits::ReflectDefault;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

use crate::ahead::{Hours, Stop};
use crate::grid::{Cell, Direction, Size};
use crate::kinds::AgentKind;
use crate::time::{CrowdTime, Pace, Step};
use crate::trace::{CellState, Closed, ComparedSearch, Comparison, ListSizes, Opened, SearchEvent};
use crate::{
    Algorithm, Breach, CellChange, ClimbRule, Corners, CostError, Diagonal, Endpoint, EntryCost, FieldDirection,
    FieldQuery, Heuristic, HeuristicScale, Level, LimitKind, Limits, Link, Moves, Options, OwnedSearchResult,
    QueryError, Route, RouteCost, RouteQuery, Stamp, StepRules, Ties,
};

/// Registers the types with the traits behind the names, and with `serde` if they have it.
macro_rules! register {
    ($registry:ident, $($type:ty: $($data:ident)*;)+) => {
        $(
            $registry.register::<$type>();
            $(register!(@ $registry, $type, $data);)*
        )+
    };
    (@ $registry:ident, $type:ty, Default) => {
        $registry.register_type_data::<$type, ReflectDefault>();
    };
    (@ $registry:ident, $type:ty, Serde) => {
        #[cfg(feature = "serde")]
        {
            $registry.register_type_data::<$type, ReflectSerialize>();
            $registry.register_type_data::<$type, ReflectDeserialize>();
        }
    };
}

/// Registers the value types of this crate: cells, costs, rules, options, queries, results, times and the
/// events of searches.
/// With the feature `serde`, the types that can be serialized are registered with that, too.
///
/// ```
/// use bevy_reflect::TypeRegistry;
/// use emberwalk_path::RouteQuery;
/// use emberwalk_path::reflect::register_types;
/// let mut registry = TypeRegistry::default();
/// register_types(&mut registry);
/// assert!(registry.contains(std::any::TypeId::of::<RouteQuery>()));
/// ```
pub fn register_types(registry: &mut TypeRegistry) {
    register!(registry,
        AgentKind: Default;
        Algorithm: Default Serde;
        Breach: ;
        Cell: Default Serde;
        CellChange: ;
        CellState: ;
        ClimbRule: Default Serde;
        Closed: ;
        ComparedSearch: ;
        Comparison: ;
        Corners: Default Serde;
        CostError: ;
        CrowdTime: Default Serde;
        Diagonal: Serde;
        Direction: Serde;
        Endpoint: Serde;
        EntryCost: Serde;
        FieldDirection: Default Serde;
        FieldQuery: Default Serde;
        FieldQuery<Vec<Cell>>: Default Serde;
        Heuristic: Default Serde;
        HeuristicScale: Default Serde;
        Hours: Serde;
        Level: Default Serde;
        LimitKind: Serde;
        Limits: Default Serde;
        Link: Serde;
        ListSizes: Default;
        Moves: Default Serde;
        Opened: ;
        Options: Default Serde;
        OwnedSearchResult: ;
        Pace: Serde;
        QueryError: ;
        Route: Default Serde;
        RouteCost: Default Serde;
        RouteQuery: Serde;
        SearchEvent: ;
        Size: Default Serde;
        Stamp: Default;
        Step: Serde;
        StepRules: Default Serde;
        Stop: Serde;
        Ties: Default Serde;
    );
}
