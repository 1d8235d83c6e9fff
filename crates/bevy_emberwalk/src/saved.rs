//! Entities and vectors as they are saved: as numbers, so that the engine needs no feature for it.

/// An entity.
pub(crate) mod entity {
    use bevy_ecs::entity::Entity;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(entity: &Entity, serializer: S) -> Result<S::Ok, S::Error> {
        entity.to_bits().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Entity, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        Entity::try_from_bits(bits).ok_or_else(|| D::Error::custom("this number is no entity"))
    }
}

/// An entity by itself, for what contains some.
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved(#[serde(with = "entity")] bevy_ecs::entity::Entity);

/// An entity, or none.
pub(crate) mod optional_entity {
    use bevy_ecs::entity::Entity;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Saved;

    pub(crate) fn serialize<S: Serializer>(entity: &Option<Entity>, serializer: S) -> Result<S::Ok, S::Error> {
        entity.map(Saved).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Entity>, D::Error> {
        Ok(Option::<Saved>::deserialize(deserializer)?.map(|saved| saved.0))
    }
}

/// Several entities.
#[cfg(feature = "replay")]
pub(crate) mod entities {
    use bevy_ecs::entity::Entity;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Saved;

    pub(crate) fn serialize<S: Serializer>(entities: &[Entity], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(entities.iter().copied().map(Saved))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Entity>, D::Error> {
        Ok(Vec::<Saved>::deserialize(deserializer)?.into_iter().map(|saved| saved.0).collect())
    }
}

/// Agents that are gone, with their grids.
#[cfg(feature = "replay")]
pub(crate) mod removed {
    use bevy_ecs::entity::Entity;
    use emberwalk_crowd::AgentId;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Saved;

    pub(crate) fn serialize<S: Serializer>(agents: &[(Entity, AgentId)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(agents.iter().map(|&(map, agent)| (Saved(map), agent)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(Entity, AgentId)>, D::Error> {
        Ok(Vec::<(Saved, _)>::deserialize(deserializer)?.into_iter().map(|(map, agent)| (map.0, agent)).collect())
    }
}

/// A vector.
#[cfg(feature = "replay")]
pub(crate) mod vector {
    use bevy_math::Vec2;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(vector: &Vec2, serializer: S) -> Result<S::Ok, S::Error> {
        vector.to_array().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec2, D::Error> {
        <[f32; 2]>::deserialize(deserializer).map(Vec2::from_array)
    }
}
