//! Recognises texts that other programs write, so that an error can say what they are and what to do with them.

use std::borrow::Cow;

use crate::octile_kind::{KINDS_HELP, OctileKind};
use emberwalk_map::diagnostics::{
    DiagnosticCollector, Diagnostics, import_help, plan_help, replay_help, ron_list, text_lines,
};

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
    /// A problem of multi-agent path finding: obstacles, and the starts and goals of agents.
    MapfInstance,
    /// The solution of such a problem.
    MapfSchedule,
    /// The names of the files with the map, the agents and the tasks of a problem.
    LeagueProblem,
    /// The solution of such a problem.
    LeagueResult,
    /// The starts of its agents, or the goals of its tasks.
    LeagueCells,
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
                () if has("\"mapFile\"") && (has("\"agentFile\"") || has("\"teamSize\"")) => Some(Self::LeagueProblem),
                () if has("\"actionModel\"") && has("\"teamSize\"") => Some(Self::LeagueResult),
                // JSON, or YAML without quotes.
                () if has("agents") && has("map") && has("obstacles") => Some(Self::MapfInstance),
                () => None,
            };
        }
        let mut words = text.split_ascii_whitespace();
        match (words.next()?, words.next()) {
            ("return", Some("{")) if text.contains("layers") || text.contains("luaversion") => Some(Self::LuaMap),
            ("type", Some(kind)) if is_moving_ai(text) => {
                Some(if OctileKind::of_name(kind).is_some() { Self::MovingAiMap } else { Self::OtherMovingAiMap })
            }
            ("version", Some(number)) if number.parse::<f64>().is_ok() => Some(Self::MovingAiScenario),
            _ if is_text_map(text) => Some(Self::TextMap),
            _ if is_recording(text) => Some(Self::Recording),
            _ if has_yaml_keys(text, ["agents", "map"]) || has_yaml_keys(text, ["agents", "roadmap"]) => {
                Some(Self::MapfInstance)
            }
            _ if has_yaml_keys(text, ["statistics", "schedule"]) => Some(Self::MapfSchedule),
            _ if is_list_of_numbers(text) => Some(Self::LeagueCells),
            _ => None,
        }
    }

    /// What the file is, where a map is expected: a sentence without a full stop.
    pub fn message(self) -> String {
        let what = self.what();
        match self {
            Self::SvgPicture => format!("this is {what}, which has no pixels"),
            Self::TiledMap
            | Self::JsonMap
            | Self::LuaMap
            | Self::LdtkProject
            | Self::MovingAiMap
            | Self::OtherMovingAiMap
            | Self::TextMap => format!("this is {what}"),
            _ => format!("this is {what}, not a map"),
        }
    }

    /// What the file is, in words.
    fn what(self) -> &'static str {
        match self {
            Self::TiledMap => "a Tiled map",
            Self::TiledTileset => "a Tiled tileset",
            Self::TiledTemplate => "a Tiled template",
            Self::SvgPicture => "an SVG picture",
            Self::OtherXml => "an XML file",
            Self::TiledWorld => "a Tiled world",
            Self::JsonMap => "a Tiled map in JSON",
            Self::JsonTileset => "a Tiled tileset in JSON",
            Self::LuaMap => "a Tiled map in Lua",
            Self::LdtkProject => "an LDtk project",
            Self::MovingAiMap => "a Moving AI map",
            Self::OtherMovingAiMap => "a Moving AI map of a type that cannot be imported",
            Self::MovingAiScenario => "a Moving AI scenario",
            Self::MapfInstance => "a MAPF instance",
            Self::MapfSchedule => "a MAPF schedule",
            Self::LeagueProblem => "a problem of the League of Robot Runners",
            Self::LeagueResult => "a result of the League of Robot Runners",
            Self::LeagueCells => "a list of cell numbers, as the League of Robot Runners has for agents and tasks",
            Self::TextMap => "a text map",
            Self::Recording => "a recording",
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
            Self::MapfInstance => {
                "write the map as a text map, with W for obstacles, and import it; write a line `x,y x,y` for each \
                 agent, its start and goal, and run them: emberwalk crowd MAP --orders FILE"
                    .into()
            }
            Self::LeagueProblem => {
                "import its map, the file that \"mapFile\" names; to run agents on it, write a line `x,y x,y` for \
                 each, its start and goal: emberwalk crowd MAP --orders FILE"
                    .into()
            }
            Self::LeagueCells => {
                "write a line `x,y x,y` for each agent, its start and goal; the cell number N is x = N % width, \
                 y = N / width"
                    .into()
            }
            Self::LeagueResult => plan_help(file).into(),
            Self::MapfSchedule => {
                "only the problem can be run: write a line `x,y x,y` for each agent, its start and goal, and run them: \
                 emberwalk crowd MAP --orders FILE"
                    .into()
            }
        }
    }

    /// Whether [`help`](Self::help) is right wherever the file is given, and not only in place of a map.
    fn is_problem(self) -> bool {
        matches!(
            self,
            Self::MovingAiScenario
                | Self::MapfInstance
                | Self::MapfSchedule
                | Self::LeagueProblem
                | Self::LeagueResult
                | Self::LeagueCells
        )
    }

    /// Whether a parser of `import` reads the file, or reports at which place it is something else.
    pub fn has_parser(self) -> bool {
        let is_xml = matches!(self, Self::TiledMap | Self::TiledTileset | Self::TiledTemplate | Self::OtherXml);
        is_xml || matches!(self, Self::MovingAiMap | Self::OtherMovingAiMap | Self::TextMap)
    }
}

/// Refuses the text of a file that messages call `file` if another program, or this one, writes such files for another
/// purpose. Otherwise each of its lines might be an error. `expected` is what the file should be, such as `a list of
/// orders`, and `help` how that is written.
///
/// ```
/// use emberwalk_formats::refuse_other_files;
/// let refused = refuse_other_files("a.yaml", "agents:\n- start: [0, 0]\nmap:\n", "a list of orders", "").unwrap_err();
/// assert_eq!(refused.list()[0].message, "this is a MAPF instance, not a list of orders");
/// assert!(refuse_other_files("a.txt", "0,0 3,4", "a list of orders", "").is_ok());
/// ```
///
/// # Errors
/// What the file is, and what to do with it.
pub fn refuse_other_files(file: &str, source: &str, expected: &str, help: &str) -> Result<(), Diagnostics> {
    ForeignFile::of_text(source).map_or(Ok(()), |foreign| {
        let message = format!("this is {}, not {expected}", foreign.what());
        let help = if foreign.is_problem() { foreign.help(file) } else { help.into() };
        Err(at_first_word(file, source, &message, &help))
    })
}

/// An error at the first word of a text.
pub(crate) fn at_first_word(file: &str, source: &str, message: &str, help: &str) -> Diagnostics {
    let mut diagnostics = DiagnosticCollector::new(file, source);
    let first_word = source.split_ascii_whitespace().next().unwrap_or(source);
    diagnostics.add(first_word, message, help.to_owned());
    diagnostics.finish().expect_err("an error has been added")
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

/// Whether `text` is YAML with these keys at its outermost level.
fn has_yaml_keys(text: &str, keys: [&str; 2]) -> bool {
    const QUOTES: [char; 2] = ['"', '\''];
    let is_key = |line: &str, key| {
        let rest = line.trim_start_matches(QUOTES).strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start_matches(QUOTES).trim_start().starts_with(':'))
    };
    keys.iter().all(|key| text_lines(text).any(|line| is_key(line, *key)))
}

/// Whether `text` has a number, and then as many lines with numbers. Lines that begin with `#` do not count.
fn is_list_of_numbers(text: &str) -> bool {
    let mut lines = text_lines(text).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let count = lines.next().and_then(|line| line.parse::<usize>().ok());
    let is_of_numbers = |line: &str| line.split(',').all(|number| number.trim().parse::<u32>().is_ok());
    let numbers = lines.map(is_of_numbers).collect::<Vec<_>>();
    count.is_some_and(|count| count > 0 && count == numbers.len()) && !numbers.contains(&false)
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
            ("{\"mapFile\": \"a.map\", \"agentFile\": \"a.agents\"}", Some(ForeignFile::LeagueProblem)),
            ("{\"actionModel\": \"MAPF_T\", \"teamSize\": 2, \"start\": []}", Some(ForeignFile::LeagueResult)),
            ("# version for LoRR 2024\n2\n17\n3\n", Some(ForeignFile::LeagueCells)),
            ("1\n345,123\n", Some(ForeignFile::LeagueCells)),
            ("2\n17\n", None),
            ("0110\n0001\n", None),
            ("# Mine\nagents:\n-   goal: [2, 0]\nmap:\n    dimensions: [3, 3]\n", Some(ForeignFile::MapfInstance)),
            ("map : {dimensions: [3, 3]}\r\nagents: []\r\n", Some(ForeignFile::MapfInstance)),
            ("\"agents\":\n- 'goal': [2, 0]\n'map':\n", Some(ForeignFile::MapfInstance)),
            ("{\"agents\": [], \"map\": {\"obstacles\": []}}", Some(ForeignFile::MapfInstance)),
            ("{agents: [], map: {obstacles: []}}", Some(ForeignFile::MapfInstance)),
            ("statistics:\n  cost: 7\nschedule:\n  agent0:\n", Some(ForeignFile::MapfSchedule)),
            ("  agents:\n  map:\n", None),
            ("agents of the map: many", None),
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
