//! Recognises texts that other programs write, so that an error can say what they are and what to do with them.

use std::borrow::Cow;

use crate::moving_ai::{KINDS_HELP, is_known_type};
use emberwalk_map::diagnostics::{import_help, replay_help, ron_list, text_lines};

/// What a text of another program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignFile {
    TiledMap,
    TiledTileset,
    TiledTemplate,
    SvgPicture,
    OtherXml,
    TiledWorld,
    JsonMap,
    JsonTileset,
    LuaMap,
    LdtkProject,
    MovingAiMap,
    /// A Moving AI map of a type that cannot be imported.
    OtherMovingAiMap,
    MovingAiScenario,
    TextMap,
    /// A recording of this program, which is not a map either.
    Recording,
}

/// How to convert a Tiled map to a format that can be imported.
const EXPORT_AS_TMX: &str = "in Tiled choose File > Export As, and a name that ends in .tmx; then import that file";

/// How to use a file that belongs to a Tiled map.
pub(crate) const IMPORT_THE_MAP: &str = "import the map that uses it, a file whose name ends in .tmx";

impl ForeignFile {
    /// Recognises a text by its beginning, and JSON also by its fields.
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim_start();
        if let Some(root) = xml_root(text) {
            return Some(match root {
                "map" => Self::TiledMap,
                "tileset" => Self::TiledTileset,
                "template" | "objecttemplate" => Self::TiledTemplate,
                "svg" => Self::SvgPicture,
                _ => Self::OtherXml,
            });
        }
        if text.starts_with('{') {
            let has = |field: &str| text.contains(field);
            return match () {
                () if has("\"__header__\"") && has("LDtk") || has("\"worldLayout\"") => Some(Self::LdtkProject),
                () if has("\"maps\"") && has("\"world\"") => Some(Self::TiledWorld),
                () if has("\"layers\"") => Some(Self::JsonMap),
                () if has("\"tilewidth\"") || has("\"tilecount\"") => Some(Self::JsonTileset),
                () => None,
            };
        }
        let mut words = text.split_ascii_whitespace();
        match (words.next()?, words.next()) {
            ("return", Some("{")) if text.contains("layers") || text.contains("luaversion") => Some(Self::LuaMap),
            ("type", Some(kind)) if is_moving_ai(text) => {
                Some(if is_known_type(kind) { Self::MovingAiMap } else { Self::OtherMovingAiMap })
            }
            ("version", Some(number)) if number.parse::<f64>().is_ok() => Some(Self::MovingAiScenario),
            _ if is_text_map(text) => Some(Self::TextMap),
            _ if is_recording(text) => Some(Self::Recording),
            _ => None,
        }
    }

    /// What the file is, in one sentence.
    pub fn message(self) -> &'static str {
        match self {
            Self::TiledMap => "this is a Tiled map",
            Self::TiledTileset => "this is a Tiled tileset, not a map",
            Self::TiledTemplate => "this is a Tiled template, not a map",
            Self::SvgPicture => "this is an SVG picture, which has no pixels",
            Self::OtherXml => "this is an XML file, not a map",
            Self::TiledWorld => "this is a Tiled world, not a map",
            Self::JsonMap => "this is a Tiled map in JSON",
            Self::JsonTileset => "this is a Tiled tileset in JSON, not a map",
            Self::LuaMap => "this is a Tiled map in Lua",
            Self::LdtkProject => "this is an LDtk project",
            Self::MovingAiMap => "this is a Moving AI map",
            Self::OtherMovingAiMap => "this is a Moving AI map of a type that cannot be imported",
            Self::MovingAiScenario => "this is a Moving AI scenario, not a map",
            Self::TextMap => "this is a text map",
            Self::Recording => "this is a recording, not a map",
        }
    }

    /// What to do with the file that messages call `file`.
    pub fn help(self, file: &str) -> Cow<'static, str> {
        match self {
            Self::TiledMap | Self::MovingAiMap | Self::TextMap => import_help(file).into(),
            Self::TiledTileset | Self::TiledTemplate | Self::JsonTileset => IMPORT_THE_MAP.into(),
            Self::SvgPicture => "save it as a PNG picture with one pixel per cell, and import that".into(),
            Self::TiledWorld => "import its maps, files whose names end in .tmx".into(),
            Self::OtherXml => "of XML files, only Tiled maps can be imported".into(),
            Self::JsonMap | Self::LuaMap => EXPORT_AS_TMX.into(),
            Self::LdtkProject => {
                "in LDtk, tick Tiled (TMX) export in the settings of the project, and save it; then import a .tmx file"
                    .into()
            }
            Self::OtherMovingAiMap => KINDS_HELP.into(),
            Self::Recording => replay_help(file).into(),
            Self::MovingAiScenario => "run it on its map: emberwalk scenario FILE.map FILE.scen".into(),
        }
    }

    /// Whether a parser of `import` reads the file, or reports at which place it is something else.
    pub fn has_parser(self) -> bool {
        let is_xml = matches!(self, Self::TiledMap | Self::TiledTileset | Self::TiledTemplate | Self::OtherXml);
        is_xml || matches!(self, Self::MovingAiMap | Self::OtherMovingAiMap | Self::TextMap)
    }
}

/// The name of the outermost element of an XML text, after its declaration and comments; empty if there is none.
/// Returns `None` if the text is not XML.
pub(crate) fn xml_root(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    let mut is_xml = false;
    loop {
        let end = match () {
            () if rest.starts_with("<?xml") || is_xml && rest.starts_with("<?") => "?>",
            () if rest.starts_with("<!--") => "-->",
            () if rest.starts_with("<!") => ">",
            () => break,
        };
        is_xml = true;
        rest = rest.split_once(end).map_or("", |(_, after)| after).trim_start();
    }
    let name = rest.strip_prefix('<').unwrap_or("");
    let name = &name[..name.find(|char: char| !char.is_alphanumeric()).unwrap_or(name.len())];
    (is_xml || ["map", "tileset", "template", "objecttemplate", "svg"].contains(&name)).then_some(name)
}

/// Whether `text` begins like a Moving AI map.
pub(crate) fn is_moving_ai(text: &str) -> bool {
    let rest = text.trim_ascii_start().strip_prefix("type");
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Whether `text` has the list that recordings have. Its end may be missing.
fn is_recording(text: &str) -> bool {
    ron_list(text, "entries").is_some()
}

/// Whether `text` has only characters of text maps, with walls in at least two lines.
fn is_text_map(text: &str) -> bool {
    let is_of_map = |char: char| matches!(char, 'W' | 'H' | 'M' | '#' | '.' | '_' | '-') || char.is_whitespace();
    text.chars().all(is_of_map) && text_lines(text).filter(|line| line.contains(['W', '#'])).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_recognised() {
        for (text, expected) in [
            ("<map version=\"1.10\"/>", Some(ForeignFile::TiledMap)),
            ("\n<?xml version=\"1.0\"?>\n<!DOCTYPE map>\n<!-- <tileset> -->\n<map/>", Some(ForeignFile::TiledMap)),
            ("<?xml version=\"1.0\"?>\n<tileset name=\"a\"/>", Some(ForeignFile::TiledTileset)),
            ("<template>", Some(ForeignFile::TiledTemplate)),
            ("<?xml version=\"1.0\"?><objecttemplate/>", Some(ForeignFile::TiledTemplate)),
            ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", Some(ForeignFile::SvgPicture)),
            ("{\"maps\":[],\"type\":\"world\"}", Some(ForeignFile::TiledWorld)),
            ("return {\n  version = \"1.10\",\n  luaversion = \"5.1\" }", Some(ForeignFile::LuaMap)),
            ("<?xml version=\"1.0\"?>\n<?a b?><html/>", Some(ForeignFile::OtherXml)),
            ("<!--", Some(ForeignFile::OtherXml)),
            ("<W  H>", None),
            ("{ \"compressionlevel\":-1, \"layers\":[] }", Some(ForeignFile::JsonMap)),
            ("{ \"columns\":8, \"tilecount\":64, \"type\":\"tileset\" }", Some(ForeignFile::JsonTileset)),
            (
                "{ \"__header__\": { \"fileType\": \"LDtk Project JSON\" }, \"layers\": [] }",
                Some(ForeignFile::LdtkProject),
            ),
            ("{ \"name\": \"x\" }", None),
            ("return {\n  version = \"1.10\",\n  layers = {} }", Some(ForeignFile::LuaMap)),
            ("type octile\nheight 2", Some(ForeignFile::MovingAiMap)),
            ("type hex\nheight 2", Some(ForeignFile::OtherMovingAiMap)),
            ("type Octile\nheight 2", Some(ForeignFile::OtherMovingAiMap)),
            ("version 1\n0\ta.map\t5\t4", Some(ForeignFile::MovingAiScenario)),
            ("version one", None),
            ("WWWW\nWM HW\nWWWW\n", Some(ForeignFile::TextMap)),
            ("####\n#  #\n####", Some(ForeignFile::TextMap)),
            ("####\r#  #\r####", Some(ForeignFile::TextMap)),
            ("WHM", None),
            ("(name: \"WW\nWW\")", None),
            ("// Mine\n(format: 1, entries: [(0, order(open(\"(base: [])", Some(ForeignFile::Recording)),
            ("(name: \"entries: [\", base: [])", None),
            ("", None),
        ] {
            assert_eq!(ForeignFile::of_text(text), expected, "{text}");
        }
    }
}
