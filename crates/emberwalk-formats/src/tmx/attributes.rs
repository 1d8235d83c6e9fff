//! The attributes of an XML element of a Tiled file, and the errors in them.

use std::collections::HashMap;

use quick_xml::events::BytesStart;

use super::xml_error::describe_xml_error;
use emberwalk_map::MAX_SIDE;
use emberwalk_path::grid::Size;

/// The maximum distance of a chunk or a layer from the origin, in cells.
const MAX_DISTANCE: u32 = 1 << 20;

/// The maximum distance by which a layer can be moved, in pixels.
const MAX_PIXELS: f64 = (1 << 30) as f64;

/// The help if the cells of a layer are written in a way that cannot be read.
pub(super) const FORMAT_HELP: &str = "in Tiled choose Map > Map Properties > Tile Layer Format: CSV, and save it again";

/// An error in an element, and how to correct it if that is not obvious.
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

    pub fn invalid_xml(error: impl Into<quick_xml::Error>) -> Self {
        Self::new(format!("this is not valid XML: {}", describe_xml_error(&error.into())))
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

    /// The value of an attribute, or an empty text if it is missing.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The size that the attributes `width` and `height` say.
    pub fn size(&self) -> Result<Size, ElementError> {
        for name in ["width", "height"] {
            if self.get(name).is_empty() {
                return Err(ElementError::new(format!("{name} is missing")));
            }
        }
        Ok(Size::new(self.number("width", 1, MAX_SIDE)?, self.number("height", 1, MAX_SIDE)?))
    }

    /// The number in an attribute, or `min` if it is missing.
    pub fn number(&self, name: &str, min: u32, max: u32) -> Result<u32, ElementError> {
        let value = self.get(name);
        if value.is_empty() {
            return Ok(min);
        }
        let number = value.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| ElementError::new(format!("{name} is {value:?}; it must be a number from {min} to {max}")))
    }

    /// The column or row in an attribute, or that in `if_missing`.
    pub fn position(&self, name: &str, if_missing: &str) -> Result<i32, ElementError> {
        let value = self.0.get(name).map_or(if_missing, String::as_str);
        let is_near = |position: &i32| position.unsigned_abs() <= MAX_DISTANCE;
        value.parse().ok().filter(is_near).ok_or_else(|| {
            let help = "it must be a column or row near the origin";
            ElementError::with_help(format!("{name} is {value:?}"), help)
        })
    }

    /// The number of pixels in an attribute, or 0 if it is missing.
    pub fn pixels(&self, name: &str) -> Result<f64, ElementError> {
        let value = self.get(name);
        if value.is_empty() {
            return Ok(0.0);
        }
        let pixels = value.parse().ok().filter(|pixels: &f64| pixels.abs() <= MAX_PIXELS);
        pixels.ok_or_else(|| ElementError::new(format!("{name} is {value:?}; it must be a number of pixels")))
    }
}
