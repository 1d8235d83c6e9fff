//! The attributes of an XML element of a Tiled file, and the errors in them.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use crate::map::MAX_SIDE;

/// What is wrong with an element, and how to correct it if that is not obvious.
pub(super) struct ElementError {
    pub message: String,
    pub help: Option<&'static str>,
}

impl ElementError {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    pub fn with_help(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help: Some(help) }
    }

    pub fn invalid_xml(error: impl std::fmt::Display) -> Self {
        Self::new(format!("this is not valid XML: {error}"))
    }
}

/// The attributes of an element, by name without prefix.
pub(super) struct Attributes(HashMap<String, String>);

impl Attributes {
    pub fn new(element: &BytesStart<'_>) -> Result<Self, ElementError> {
        let mut values = HashMap::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(ElementError::invalid_xml)?;
            let value = attribute.unescape_value().map_err(ElementError::invalid_xml)?;
            let name = attribute.key.local_name();
            values.insert(String::from_utf8_lossy(name.as_ref()).into_owned(), value.into_owned());
        }
        Ok(Self(values))
    }

    /// Returns the value of an attribute, or an empty text if it is missing.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Returns the product of the attributes `width` and `height`.
    pub fn area(&self) -> Result<u64, ElementError> {
        for name in ["width", "height"] {
            if self.get(name).is_empty() {
                return Err(ElementError::new(format!("{name} is missing")));
            }
        }
        Ok(u64::from(self.number("width", 1, MAX_SIDE)?) * u64::from(self.number("height", 1, MAX_SIDE)?))
    }

    /// Returns the number in an attribute, or `min` if it is missing.
    pub fn number(&self, name: &str, min: u32, max: u32) -> Result<u32, ElementError> {
        let value = self.get(name);
        if value.is_empty() {
            return Ok(min);
        }
        let number = value.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| ElementError::new(format!("{name} is {value:?}; it must be a number from {min} to {max}")))
    }
}
