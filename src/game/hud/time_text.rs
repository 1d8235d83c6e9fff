//! Writes times as people say them.

/// From this time on, tenths of a second are no help.
const LONG: f64 = 119.95;

/// A time in seconds with tenths; from two minutes on in hours, minutes and whole seconds.
pub(super) fn time_text(seconds: f64) -> String {
    if seconds.abs() < LONG {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as i64;
    let parts = [(whole / 3600, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")];
    let parts = parts.into_iter().filter(|(number, _)| *number != 0);
    parts.map(|(number, unit)| format!("{number} {unit}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_in_hours_minutes_and_seconds() {
        assert_eq!([0.0, 9.24, 119.94].map(time_text), ["0.0 s", "9.2 s", "119.9 s"]);
        assert_eq!([119.96, 125.4, 3600.0].map(time_text), ["2 min", "2 min 5 s", "1 h"]);
        assert_eq!([3605.0, 21_597.7].map(time_text), ["1 h 5 s", "5 h 59 min 58 s"]);
    }
}
