//! The hour at which a map is drawn, and how fast days pass.

use clap::Args;
use emberwalk_map::{DayChoice, DayLength, DayLengthError, Hour, HourError};

/// Options that replace the hour and the day of a map.
#[derive(Clone, Copy, Debug, Args)]
pub struct DayArgs {
    /// Let it be this hour, which stands still without --day; the classic look has no hours
    #[arg(long, value_name = "H:MM", value_parser = parse_hour)]
    hour: Option<Hour>,
    /// Let a day pass in this number of seconds, from 10 to 86400
    #[arg(long, value_name = "SECONDS", value_parser = parse_day)]
    day: Option<DayLength>,
}

impl DayArgs {
    /// What replaces the hour and the day of a map.
    pub fn choice(self) -> DayChoice {
        DayChoice { hour: self.hour, day: self.day }
    }
}

/// The parser of an hour.
pub fn parse_hour(text: &str) -> Result<Hour, HourError> {
    text.parse()
}

/// The parser of the length of a day.
pub fn parse_day(text: &str) -> Result<DayLength, DayLengthError> {
    text.parse()
}
