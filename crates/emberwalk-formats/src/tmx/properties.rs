//! The custom properties that `export` writes and `import` reads, and how their text is escaped.

use std::borrow::Cow;

use super::xml::Element;

/// The tile property with the character of its terrain.
pub(super) const TERRAIN: &str = "terrain";

/// The map property with its name.
pub(super) const NAME: &str = "name";

/// The map property with its description.
pub(super) const ABOUT: &str = "about";

/// The names and values of the text properties. Numbers, colours and the like never name a terrain.
pub(super) fn text_properties<'e>(properties: &'e Element<'_>) -> impl Iterator<Item = (&'e str, String)> {
    let texts = properties.children.iter().filter(|property| ["", "string"].contains(&property.get("type")));
    texts.map(|property| {
        let value = property.get("value");
        let value = if value.is_empty() { Cow::from(&*property.text) } else { value.into() };
        (property.get("name"), unescape(&value))
    })
}

/// A property that is a number, such as an enumeration whose values are stored as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The name of the property.
    pub name: String,
    pub value: String,
    /// The name of the enumeration; empty if the property has a plain number.
    pub kind: String,
}

/// The properties that are whole numbers.
pub(super) fn numbers(properties: &Element<'_>) -> impl DoubleEndedIterator<Item = Number> {
    let numbers = properties.children.iter().filter(|property| property.get("type") == "int");
    numbers.map(|property| {
        let [name, value, kind] = ["name", "value", "propertytype"].map(|name| property.get(name).to_owned());
        Number { name, value, kind }
    })
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
