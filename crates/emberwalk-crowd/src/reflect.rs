//! Reflection, with the feature `reflect`: the types for a registry of `bevy_reflect`.

use bevy_reflect::TypeRegistry;
use bevy_reflect::std_traits::ReflectDefault;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};

use crate::{
    AgentId, AgentSettings, AgentState, AgentStop, Announced, AnnouncedChange, Conflict, ConflictKind, CrowdError,
    CrowdEvent, Danger, Goal, OnArrival, Rest, Wait, WaitingEdit, WaitsFor,
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

/// Registers the types that crowds take and return. The types of `emberwalk-path` are registered by [its own
/// function](emberwalk_path::reflect::register_types). With the feature `serde`, serializable types are registered with
/// that, too.
///
/// ```
/// use bevy_reflect::TypeRegistry;
/// use emberwalk_crowd::CrowdEvent;
/// use emberwalk_crowd::reflect::register_types;
/// let mut registry = TypeRegistry::default();
/// register_types(&mut registry);
/// assert!(registry.contains(std::any::TypeId::of::<CrowdEvent>()));
/// ```
pub fn register_types(registry: &mut TypeRegistry) {
    register!(registry,
        AgentId: Serde;
        AgentSettings: Default Serde;
        AgentState: ;
        AgentStop: Serde;
        Announced: Serde;
        AnnouncedChange: Serde;
        Conflict: ;
        ConflictKind: ;
        CrowdError: ;
        CrowdEvent: Serde;
        Danger: Serde;
        Goal: Serde;
        OnArrival: Default Serde;
        Rest: Serde;
        Wait: Serde;
        WaitingEdit: ;
        WaitsFor: Serde;
    );
}
