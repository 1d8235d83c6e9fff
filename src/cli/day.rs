//! The hour at which a map is drawn, and how fast days pass.

use clap::Args;
use emberwalk_map::{DayChoice, DayLength, Hour};

/// Options that replace the hour and the day of a map.
#[derive(Clone, Copy, Debug, Args)]
pub struct DayArgs {
    /// Let it be this hour, which stands still without --day; the classic look has no hours
    #[arg(long, value_name = "H:MM", allow_hyphen_values = true, value_parser = parse_hour)]
    hour: Option<Hour>,
    /// Let a day pass in this number of seconds, a whole number from 10 to 86400
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    day: Option<DayLength>,
}

impl DayArgs {
    /// The choice that replaces the hour and the day of a map.
    pub fn choice(self) -> DayChoice {
        DayChoice { hour: self.hour, day: self.day }
    }
}

/// The parser of an hour.
pub fn parse_hour(text: &str) -> Result<Hour, &'static str> {
    text.parse().map_err(|_| "this must be a time from 0:00 to 24:00, such as 6:00")
}
