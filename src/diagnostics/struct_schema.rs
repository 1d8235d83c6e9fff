//! The fields of a struct in RON with their text, so that every fault of every field can be told.

use std::fmt;

use ron::Options;
use ron::value::RawValue;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::suggestion::closest_match;
use super::{DiagnosticCollector, ron_messages, syntax};

/// A struct of a notation: what it is called and which fields it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StructSchema {
    /// The name that may stand before its bracket.
    pub name: &'static str,
    /// Every field, and what is to be added where it is missing; `None` where it may be.
    pub fields: &'static [(&'static str, Option<&'static str>)],
}

impl StructSchema {
    /// The text of the fields in `part`, a slice of the source, in the order of [`fields`](Self::fields). Notes fields
    /// that are unknown, missing or there twice; a misspelt one counts as the missing one that it is near to. `None`
    /// if `part` is no such struct; `help` then says what is.
    pub fn read<'a>(
        &self,
        part: &'a str,
        options: &Options,
        help: Option<String>,
        faults: &mut DiagnosticCollector<'_>,
    ) -> Option<Vec<Option<&'a str>>> {
        if syntax::is_blank(part) {
            faults.add(&part[part.len()..], "there is nothing in the file", help);
            return None;
        }
        let names: Vec<_> = self.fields.iter().map(|(name, _)| *name).collect();
        let written =
            options.from_str_seed(part, *self).map_err(|error| faults.add_ron_error(part, &error, help)).ok()?;
        let mut found: Vec<Option<&str>> = vec![None; names.len()];
        let mut unknown = Vec::new();
        for (key, value) in written {
            match names.iter().position(|&name| name == key) {
                None => unknown.push((key, value)),
                Some(at) if found[at].is_some() => {
                    faults.add(key, format!("a second field `{key}`"), "take one of them out".to_owned());
                }
                Some(at) => found[at] = Some(value),
            }
        }
        for (key, value) in unknown {
            if faults.count_if_full() {
                continue;
            }
            let meant = closest_match(key, &names);
            let help = meant.map(|name| format!("did you mean `{name}`?")).or_else(|| ron_messages::one_of(&names));
            faults.add(key, format!("unknown field `{key}`"), help);
            if let Some(at) = meant.and_then(|meant| names.iter().position(|&name| name == meant)) {
                found[at].get_or_insert(value);
            }
        }
        for ((name, example), _) in self.fields.iter().zip(&found).filter(|(_, found)| found.is_none()) {
            if let Some(example) = example {
                faults.add(opening(part), format!("missing field `{name}`"), format!("add `{example},`"));
            }
        }
        Some(found)
    }
}

/// Where the text of the struct begins, after comments.
fn opening(part: &str) -> &str {
    RawValue::from_ron(part).map_or(&part[..0], |raw| raw.trim().get_ron().get(..1).unwrap_or_default())
}

impl<'de> DeserializeSeed<'de> for StructSchema {
    type Value = Vec<(&'de str, &'de str)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_struct(self.name, &[], self)
    }
}

impl<'de> Visitor<'de> for StructSchema {
    type Value = Vec<(&'de str, &'de str)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields in brackets")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            fields.push((key, map.next_value::<&RawValue>()?.trim().get_ron()));
        }
        Ok(fields)
    }
}

/// The name of a field, as a slice of the source.
struct Key<'a>(&'a str);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<Self::Value, E> {
                Ok(Key(key))
            }
        }
        deserializer.deserialize_identifier(Any)
    }
}
