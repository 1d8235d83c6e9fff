//! Entities as they are saved: as numbers, so that the engine needs no feature for it.

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

/// A single entity, for types that contain entities.
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
