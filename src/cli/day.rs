//! The hour at which a map is drawn, and how fast days pass.

use clap::Args;
use emberwalk_map::{DayLength, DayTime, Hour, HourError, Map};

/// Options that replace the hour and the day of a map.
#[derive(Clone, Copy, Debug, Args)]
pub struct DayArgs {
    /// Begin at this hour instead of the map's; the classic look has no hours
    #[arg(long, value_name = "H:MM", value_parser = parse_hour)]
    hour: Option<Hour>,
    /// Let a day pass in this number of seconds, from 10 to 86400
    #[arg(long, value_name = "SECONDS", value_parser = parse_day)]
    day: Option<DayLength>,
}

impl DayArgs {
    /// The hour at the beginning, and the length of a day. With only an hour, the hour stands still.
    pub fn time(self, map: &Map) -> DayTime {
        let of_map = map.day_time();
        match self.hour {
            Some(start) => DayTime { start, day: self.day },
            None => DayTime { day: self.day.or(of_map.day), ..of_map },
        }
    }
}

/// The parser of an hour.
pub fn parse_hour(text: &str) -> Result<Hour, HourError> {
    text.parse()
}

fn parse_day(text: &str) -> Result<DayLength, String> {
    let length = text.parse().ok().and_then(DayLength::from_seconds);
    length.ok_or_else(|| "this must be a whole number of seconds from 10 to 86400".to_owned())
}
