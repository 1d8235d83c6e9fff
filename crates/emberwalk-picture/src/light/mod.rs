//! The light of an hour: the picture at noon, times the light at each point.
//!
//! The light is the ambient light of the hour plus the lamps, in linear red, green and blue. A
//! [`LightPicture`] has it for a part of a map's picture, at a low resolution. At noon the light is exactly 1 everywhere.

use emberwalk_map::Hour;

mod ambient;
mod lamp;
mod light_picture;
mod surface;

pub use lamp::{ROUTE_LIGHT, is_lit_at};
pub use light_picture::{CarriedLight, LightArea, LightPicture, TerrainLight};

/// The light of the sky at an hour, in linear red, green and blue; 1 at noon.
pub fn sky_light(hour: Hour) -> [f32; 3] {
    ambient::Ambient::at(hour).light()
}

/// The light changes in steps of a minute of the day, which are too small to be seen.
const MINUTES: u32 = 24 * 60;

/// The hour whose light is shown at an hour, as long as the day passes.
pub fn shown_hour(hour: Hour) -> Hour {
    hour_at(minute_of(hour))
}

/// The next hour at which the light differs from the light at this hour, at the latest after a day.
pub fn next_change(hour: Hour) -> Hour {
    let is_seen = |minute: u32| TerrainLight::is_seen(hour_at(minute));
    let first = minute_of(hour);
    let is_now_seen = is_seen(first);
    hour_at((first + 1..first + MINUTES).find(|minute| is_now_seen || is_seen(*minute)).unwrap_or(first))
}

fn minute_of(hour: Hour) -> u32 {
    (hour.hours() * 3600.0).round() as u32 / 60
}

fn hour_at(minute: u32) -> Hour {
    Hour::from_hours(f64::from(minute % MINUTES) / 60.0).unwrap_or_default()
}

/// The light of the [lamps](crate::scene::Scene::lamps) that are lit at an hour, in linear red, green and blue: 0 at
/// noon. It is added to the picture in the light of the hour.
pub fn lamp_light(hour: Hour) -> [f32; 3] {
    let darkness = ambient::Ambient::at(hour).darkness();
    lamp::LAMP_LIGHT.map(|channel| channel * darkness)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_light_changes_every_minute_but_not_by_day() {
        let hour = |text: &str| -> Hour { text.parse().unwrap() };
        assert_eq!(next_change(hour("20:15")).to_string(), "20:16");
        assert_eq!(next_change(hour("23:59")).to_string(), "0:00");
        assert_eq!(next_change(hour("11:00")).to_string(), "16:31");
        let between = Hour::from_hours(20.258).unwrap();
        assert_eq!((shown_hour(between), next_change(between)), (hour("20:15"), hour("20:16")));
    }
}
