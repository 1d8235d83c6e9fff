//! Checks the scale of the display under X11 before the engine starts, because the engine panics at a scale that is not
//! a positive number, and opens a window of millions of pixels if the scale is large.

use std::env;
use std::ops::RangeInclusive;

use x11rb::resource_manager;
use x11rb::rust_connection::RustConnection;

use crate::game::platform::error::WindowError;

use super::x_settings::{XSettings, integer};

/// The scale factors of real displays, and some room.
const FACTORS: RangeInclusive<f64> = 0.25..=8.0;

/// The dots per inch of a display with the scale factor 1.
const DPI: f64 = 96.0;

/// The environment variable that takes precedence over all other settings.
const VARIABLE: &str = "WINIT_X11_SCALE_FACTOR";

/// Checks the setting that the engine uses: the environment variable, or else the desktop's settings, or else the X
/// resources.
///
/// # Errors
/// It names the setting and its value if the engine could not use it.
pub(super) fn check(connection: &RustConnection, screen: usize) -> Result<(), WindowError> {
    match env::var(VARIABLE) {
        Ok(factor) if !factor.is_empty() => check_variable(&factor),
        _ => match desktop_dpi(connection, screen) {
            Some(dpi) => check_dpi("the XSETTINGS setting Xft/DPI", dpi),
            None => resource_dpi(connection).map_or(Ok(()), |dpi| check_dpi("the X resource Xft.dpi", dpi)),
        },
    }
}

fn check_variable(factor: &str) -> Result<(), WindowError> {
    let is_usable = factor.parse().is_ok_and(|factor: f64| FACTORS.contains(&factor));
    // With this word, the engine asks the display for its size.
    if is_usable || factor.eq_ignore_ascii_case("randr") {
        return Ok(());
    }
    let least = FACTORS.start();
    let most = FACTORS.end();
    Err(WindowError::BadScale(format!(
        "{VARIABLE} is {factor:?}; it should be a number from {least} to {most}, or randr"
    )))
}

fn check_dpi(name: &str, dpi: f64) -> Result<(), WindowError> {
    if FACTORS.contains(&(dpi / DPI)) {
        return Ok(());
    }
    let least = FACTORS.start() * DPI;
    let most = FACTORS.end() * DPI;
    Err(WindowError::BadScale(format!(
        "{name} is {dpi}; it should be from {least} to {most}, or {VARIABLE} should be set to a number"
    )))
}

/// `Xft.dpi`, if it is a number.
fn resource_dpi(connection: &RustConnection) -> Option<f64> {
    let resources = resource_manager::new_from_default(connection).ok()?;
    resources.get_string("Xft.dpi", "")?.parse().ok()
}

/// The dots per inch in the settings of a desktop that follows the XSETTINGS protocol.
fn desktop_dpi(connection: &RustConnection, screen: usize) -> Option<f64> {
    dpi_in(&XSettings::find(connection, screen)?.read(connection)?)
}

/// The integer setting `Xft/DPI`, which is in 1024ths of a dot per inch.
fn dpi_in(settings: &[u8]) -> Option<f64> {
    Some(f64::from(integer(settings, b"Xft/DPI")?) / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_that_the_engine_cannot_use_is_named() {
        for nonsense in ["0", "-1", "NaN", "abc", "100", "inf", "1e-300", "0.01", " 2", "1,5"] {
            let error = check_variable(nonsense).unwrap_err().to_string();
            assert!(error.contains(VARIABLE) && error.contains(nonsense), "{error}");
        }
        for usable in ["1", "1.5", "0.5", "8", "2e0", "randr", "RandR"] {
            assert!(check_variable(usable).is_ok(), "{usable}");
        }
        for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY, 100_000.0, -0.001] {
            let error = check_dpi("the X resource Xft.dpi", nonsense).unwrap_err().to_string();
            assert!(error.contains("Xft.dpi") && error.contains(VARIABLE), "{error}");
        }
        assert!([72.0, 96.0, 144.0, 192.0, 384.0].into_iter().all(|dpi| check_dpi("", dpi).is_ok()));
    }

    #[test]
    fn the_desktops_dots_per_inch_are_read_in_both_byte_orders() {
        let little = b"\0\0\0\0\x01\0\0\0\x01\0\0\0\0\0\x07\0Xft/DPI\0\x05\0\0\0\0\x80\x01\0";
        assert_eq!(dpi_in(little), Some(96.0));
        let big = b"\x01\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x07Xft/DPI\0\0\0\0\x05\xFF\xFF\xFF\xFF";
        assert_eq!(dpi_in(big), Some(-1.0 / 1024.0));
        assert!([&b""[..], &little[..20], &little[..little.len() - 1]].into_iter().all(|cut| dpi_in(cut).is_none()));
    }
}
