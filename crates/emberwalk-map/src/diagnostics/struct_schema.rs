//! Splits a RON struct into the texts of its fields, so that errors in all fields can be reported.

use std::collections::BTreeMap;
use std::fmt;

use ron::Options;
use ron::error::SpannedError;
use ron::value::RawValue;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::collector::DiagnosticCollector;
use super::ron_tokens::Tokens;
use super::suggestion::closest_match;
use super::{ron_messages, syntax_error_finder};

/// The maximum number of fields that are read. No schema has that many, and nobody would read more errors.
const MAX_FIELDS: usize = 100;

/// A struct's fields by name.
pub(crate) type Fields<'a> = BTreeMap<&'static str, FieldText<'a>>;

/// The text of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldText<'a> {
    pub text: &'a str,
    /// The help for an invalid value.
    pub help: &'static str,
}

/// The schema of a RON struct: its name and its fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StructSchema {
    /// The name that may be written before the opening bracket.
    pub name: &'static str,
    /// The help for a text that is not this struct.
    pub help: &'static str,
    pub fields: &'static [FieldSchema],
}

/// The schema of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldSchema {
    name: &'static str,
    /// For a required field, an example for the help about a missing field.
    example: Option<&'static str>,
    /// The help for an invalid value.
    help: &'static str,
}

impl FieldSchema {
    pub const fn required(name: &'static str, example: &'static str, help: &'static str) -> Self {
        Self { name, example: Some(example), help }
    }

    pub const fn optional(name: &'static str, help: &'static str) -> Self {
        Self { name, example: None, help }
    }
}

impl StructSchema {
    /// The texts of the fields in `part`, a slice of the source, by field name. Reports unknown, missing and duplicate
    /// fields; a misspelt field counts as the missing field that it resembles. If `part` is not this struct, reports
    /// that and returns `None`.
    pub fn read<'a>(
        &self,
        part: &'a str,
        options: &Options,
        diagnostics: &mut DiagnosticCollector<'_>,
    ) -> Option<Fields<'a>> {
        let help = self.help.to_owned();
        if syntax_error_finder::is_blank(part) {
            diagnostics.add(&part[part.len()..], "the file has no content", help);
            return None;
        }
        let names: Vec<_> = self.fields.iter().map(|field| field.name).collect();
        let mut written =
            self.written_fields(part, options).map_err(|error| diagnostics.add_ron_error(part, &error, help)).ok()?;
        let surplus = written.get(MAX_FIELDS).map(|(key, _)| *key);
        written.truncate(MAX_FIELDS);
        let mut found = Fields::new();
        let mut unknown = Vec::new();
        for (key, text) in written {
            match self.fields.iter().find(|field| field.name == key) {
                None => unknown.push((key, text)),
                Some(field) if found.contains_key(field.name) => {
                    diagnostics.add(key, format!("duplicate field `{key}`"), "remove one of them".to_owned());
                }
                Some(FieldSchema { name, help, .. }) => drop(found.insert(name, FieldText { text, help })),
            }
        }
        for (key, text) in unknown {
            let similar = closest_match(key, &names);
            let help = similar.map(|name| format!("did you mean `{name}`?")).or_else(|| ron_messages::one_of(&names));
            diagnostics.add(key, format!("unknown field `{key}`"), help);
            if let Some(FieldSchema { name, help, .. }) = self.fields.iter().find(|field| Some(field.name) == similar) {
                found.entry(name).or_insert(FieldText { text, help });
            }
        }
        if let Some(key) = surplus {
            diagnostics.add(key, format!("more than {MAX_FIELDS} fields: the others are not checked"), None);
            return Some(found);
        }
        for FieldSchema { name, example, .. } in self.fields.iter().filter(|field| !found.contains_key(field.name)) {
            if let Some(example) = example {
                diagnostics.add(opening(part), format!("missing field `{name}`"), format!("add `{example},`"));
            }
        }
        Some(found)
    }

    /// The names and texts of the fields in `part`, as slices of it, in written order. Reads at most one field more
    /// than [`MAX_FIELDS`].
    pub fn written_fields<'a>(
        &self,
        part: &'a str,
        options: &Options,
    ) -> Result<Vec<(&'a str, &'a str)>, SpannedError> {
        let mut fields = Vec::new();
        let read = options.from_str_seed(part, FieldReader { name: self.name, fields: &mut fields });
        if fields.len() > MAX_FIELDS { Ok(fields) } else { read.map(|()| fields) }
    }
}

/// The first character of the struct, after comments.
fn opening(part: &str) -> &str {
    Tokens::new(part).next().and_then(|token| part.get(token.span.start..token.span.start + 1)).unwrap_or_default()
}

/// Reads the names and texts of fields.
struct FieldReader<'f, 'a> {
    /// The name of the struct.
    name: &'static str,
    fields: &'f mut Vec<(&'a str, &'a str)>,
}

impl<'de> DeserializeSeed<'de> for FieldReader<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_struct(self.name, &[], self)
    }
}

impl<'de> Visitor<'de> for FieldReader<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields in brackets")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while self.fields.len() <= MAX_FIELDS
            && let Some(key) = map.next_key()?
        {
            self.fields.push((key, map.next_value::<&RawValue>()?.trim().get_ron()));
        }
        Ok(())
    }
}
