//! The custom properties that `export` writes and `import` reads, and how their text is escaped.

use std::borrow::Cow;

use super::xml::Element;

/// The tile property with the character of its terrain.
pub(super) const TERRAIN: &str = "terrain";

/// The map property with its name.
pub(super) const NAME: &str = "name";

/// The map property with its description.
pub(super) const ABOUT: &str = "about";

/// The map property with the hour at which it begins, from 0 to 24.
pub(super) const HOUR: &str = "hour";

/// The map property with the length of its day, in seconds.
pub(super) const DAY: &str = "day";

/// The value of a number property, which may also be written as text.
pub(super) fn number_property(properties: &Element<'_>, name: &str) -> Option<f64> {
    let property = properties.children.iter().find(|property| property.get("name") == name)?;
    property.get("value").parse().ok()
}

/// The names and values of the text properties. Numbers, colours and the like never name a terrain.
pub(super) fn text_properties<'e>(properties: &'e Element<'_>) -> impl Iterator<Item = (&'e str, String)> {
    let texts = properties.children.iter().filter(|property| ["", "string"].contains(&property.get("type")));
    texts.map(|property| {
        let value = property.get("value");
        let value = if value.is_empty() { Cow::from(&*property.text) } else { value.into() };
        (property.get("name"), unescape(&value))
    })
}

/// The property `terrain` of a tile or an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum TerrainProperty {
    #[default]
    Missing,
    Text(String),
    /// It has another type, so that it names no terrain.
    Mistyped(MistypedProperty),
}

/// A property that is not a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MistypedProperty {
    name: String,
    /// What its values are in Tiled, such as `int`.
    kind: String,
    /// The enumeration or the class that its author has defined; empty if there is none.
    custom: String,
}

impl TerrainProperty {
    /// The property of a `tile` or `object` element. If there are several, the last string counts.
    pub fn of(element: &Element<'_>) -> Self {
        let is_terrain = |name: &str| name.eq_ignore_ascii_case(TERRAIN);
        let lists = || element.children.iter().filter(|child| child.name == "properties");
        if let Some((_, text)) = lists().flat_map(text_properties).filter(|(name, _)| is_terrain(name)).last() {
            return Self::Text(text);
        }
        let other = lists().flat_map(|list| &list.children).rfind(|property| is_terrain(property.get("name")));
        other.map_or(Self::Missing, |property| {
            let [name, kind, custom] = ["name", "type", "propertytype"].map(|name| property.get(name).to_owned());
            Self::Mistyped(MistypedProperty { name, kind, custom })
        })
    }

    /// Its text, if it is one.
    pub fn text(&self) -> Option<&String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The property, if it has another type.
    pub fn mistyped(&self) -> Option<&MistypedProperty> {
        if let Self::Mistyped(property) = self { Some(property) } else { None }
    }
}

impl MistypedProperty {
    /// What is wrong with the property of this thing.
    pub fn describe(&self, of: &str) -> String {
        let Self { name, kind, custom } = self;
        let reason = match custom.as_str() {
            "" => String::new(),
            _ if kind == "class" => format!(" {custom:?}"),
            _ => format!(", because the values of {custom:?} are not stored as string (View > Custom Types Editor)"),
        };
        format!("the property `{name}` of {of} is not a string but of the type {kind}{reason}")
    }
}

/// The text with every character that XML cannot contain or would change escaped as `\u{..}`.
pub(super) fn escape_control(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        let looks_escaped = char == '\\' && text[at..].starts_with("\\u{");
        if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') || looks_escaped {
            escaped.extend(char.escape_unicode());
        } else {
            escaped.push(char);
        }
    }
    escaped
}

/// The inverse of [`escape_control`]. Invalid escapes stay as they are.
pub(super) fn unescape(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escaped = part.split_once('}').and_then(|(digits, rest)| {
            let char = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            Some((char, rest))
        });
        match escaped {
            Some((char, rest)) => plain.extend([char.encode_utf8(&mut [0; 4]), rest]),
            None => plain.extend(["\\u{", part]),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescape_is_the_inverse_of_escape_control() {
        for text in
            ["", "plain", "a\nb\t\0c\u{7f}\u{85}", r"C:\new\u{61}\u{", "\u{ffff}\\", r"\\u{5c}", "\u{2028}<&>'\""]
        {
            let escaped = escape_control(text);
            assert!(!escaped.chars().any(char::is_control), "{escaped:?}");
            assert_eq!(unescape(&escaped), text);
        }
        assert_eq!(unescape(r"C:\new \u{x} \u{110000}"), r"C:\new \u{x} \u{110000}", "invalid escapes stay");
    }
}
