//! The attributes of an element of a Tiled file, and what is wrong with one.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use crate::map::MAX_SIDE;

/// What is wrong, and the mend.
pub(super) type Wrong = (String, Option<&'static str>);

pub(super) fn not_xml(error: impl std::fmt::Display) -> Wrong {
    (format!("this is not XML: {error}"), None)
}

/// The attributes of an element, by name without prefix.
pub(super) struct Attributes(HashMap<String, String>);

impl Attributes {
    pub fn new(element: &BytesStart<'_>) -> Result<Self, Wrong> {
        let mut values = HashMap::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(not_xml)?;
            let value = attribute.unescape_value().map_err(not_xml)?;
            let name = attribute.key.local_name();
            values.insert(String::from_utf8_lossy(name.as_ref()).into_owned(), value.into_owned());
        }
        Ok(Self(values))
    }

    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Width times height.
    pub fn sides(&self) -> Result<u64, Wrong> {
        for name in ["width", "height"] {
            if self.get(name).is_empty() {
                return Err((format!("no {name}"), None));
            }
        }
        Ok(u64::from(self.number("width", 1, MAX_SIDE)?) * u64::from(self.number("height", 1, MAX_SIDE)?))
    }

    /// The number in an attribute; the least if there is no such attribute.
    pub fn number(&self, name: &str, least: u32, most: u32) -> Result<u32, Wrong> {
        let value = self.get(name);
        if value.is_empty() {
            return Ok(least);
        }
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| (format!("{name} is {value:?}; it is a number from {least} to {most}"), None))
    }
}
