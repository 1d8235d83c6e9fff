//! The name and the description of a map, read without its cells.

use super::MapText;
use super::parse::written_fields;

/// The name and the description of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapTitle {
    /// Its name.
    pub name: String,
    /// Its description; empty if it has none.
    pub about: String,
}

impl MapTitle {
    /// Reads the title of a map from the text of its file, without checking its cells; `None` if it has no valid name.
    ///
    /// ```
    /// use emberwalk_map::MapTitle;
    /// let title = MapTitle::of_source(r#"(name: "The road", about: "It bends.", base: ["unknown"])"#).unwrap();
    /// assert_eq!((title.name.as_str(), title.about.as_str()), ("The road", "It bends."));
    /// assert_eq!(MapTitle::of_source("(name: "), None);
    /// ```
    pub fn of_source(source: &str) -> Option<Self> {
        let fields = written_fields(source);
        let text = |name: &str, kind: MapText| {
            let (_, written) = fields.iter().find(|(key, _)| *key == name)?;
            ron::from_str::<String>(written).ok().filter(|text| kind.check(text).is_ok())
        };
        let name = text("name", MapText::Name)?;
        Some(Self { name, about: text("about", MapText::About).unwrap_or_default() })
    }
}
