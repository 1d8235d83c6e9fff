//! The start settings of the window, from the page address.

use std::time::Duration;

use emberwalk::game::page::FIRST_MAP;
use emberwalk::game::people::town::Travellers;
use emberwalk::game::screen::text_size::TextSize;
use emberwalk::game::world::reader::MapReader;
use emberwalk::game::world::request::{MapRequest, MapSource, RequestedEndpoints};
use emberwalk::game::{Preflight, Settings};
use emberwalk::link::{Link, LinkedMap};
use emberwalk_map::BundledMap;
use emberwalk_picture::scene::Look;
use emberwalk_world::VolcanoChoice;

/// The name in messages of a map that is in a link.
const MAP_OF_LINK: &str = "the map of the link";

/// The name in messages of a recording that is in a link, like a file name.
const RECORDING_OF_LINK: &str = "link.emberplay.ron";

/// The start settings of the window.
///
/// # Errors
/// There is no map with the requested name.
pub fn settings(link: Link) -> Result<Settings, String> {
    let request = match link.map {
        Some(LinkedMap::Bundled(name)) => match BundledMap::for_path(name.as_ref()) {
            Some(map) => MapRequest::new(MapSource::Bundled(map)),
            None => return Err(format!("There is no map {name}. Without ?map= the address opens the valley.")),
        },
        Some(LinkedMap::Text(text)) => MapRequest::of_text(MAP_OF_LINK, text),
        Some(LinkedMap::Recording(text)) => MapRequest::of_text(RECORDING_OF_LINK, text),
        None => MapRequest::of_path(FIRST_MAP),
    };
    let mut first = MapReader::start(MapRequest {
        volcanoes: VolcanoChoice::of_erupting(link.erupting),
        day: link.day,
        endpoints: RequestedEndpoints { start: link.start, goal: link.goal },
        ..request
    });
    first.wait(Duration::MAX);
    Ok(Settings {
        look: if link.plain { Look::Plain } else { Look::Full },
        planning: link.planning,
        text_size: if link.large_text { TextSize::LARGE } else { TextSize::default() },
        still: link.still,
        travellers: Travellers { number: link.travellers, ..Travellers::default() },
        ..Settings::new(Preflight::start(), first)
    })
}
