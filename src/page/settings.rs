//! The start settings of the window, from the page address.

use std::time::Duration;

use emberwalk::game::page::FIRST_MAP;
use emberwalk::game::screen::text_size::TextSize;
use emberwalk::game::world::loader::Source;
use emberwalk::game::world::reader::MapReader;
use emberwalk::game::world::requested_endpoints::RequestedEndpoints;
use emberwalk::game::{Preflight, Settings};
use emberwalk::link::{Link, LinkedMap};
use emberwalk_map::BundledMap;
use emberwalk_picture::scene::Look;

/// The name in messages of a map that is in a link.
const MAP_OF_LINK: &str = "the map of the link";

/// The start settings of the window.
///
/// # Errors
/// There is no map with the requested name.
pub fn settings(link: Link) -> Result<Settings, String> {
    let source = match link.map {
        Some(LinkedMap::Bundled(name)) if BundledMap::for_path(name.as_ref()).is_none() => {
            return Err(format!("There is no map {name}. Without ?map= the address opens the valley."));
        }
        Some(LinkedMap::Bundled(name)) => Source { map: name.into(), ..Source::default() },
        Some(LinkedMap::Text(text)) => Source { text: Some((MAP_OF_LINK.to_owned(), text)), ..Source::default() },
        None => Source { map: FIRST_MAP.into(), ..Source::default() },
    };
    let endpoints = RequestedEndpoints { start: link.start, goal: link.goal };
    let mut first = MapReader::start(Source { erupting: link.erupting, endpoints, ..source });
    first.wait(Duration::MAX);
    Ok(Settings {
        give_back: None,
        preflight: Preflight::start(),
        first,
        look: if link.plain { Look::Plain } else { Look::Full },
        planning: link.planning,
        text_size: if link.large_text { TextSize::LARGE } else { TextSize::default() },
        still: link.still,
        bare: false,
    })
}
