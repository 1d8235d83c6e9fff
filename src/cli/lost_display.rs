//! Ends the program with an error if the X server goes away while the window is open.

use std::ffi::c_int;
use std::{panic, process};

use x11_dl::xlib::{Display, Xlib};

use super::error::CliError;

/// Changes how the program ends when the X server goes away: libX11 would exit with status 1, which means that
/// there is no route, and the engine would panic.
#[expect(unsafe_code, reason = "it is a function of libX11")]
pub fn report_errors() {
    // Without the library, no X server shows the window.
    if let Ok(xlib) = Xlib::open() {
        // SAFETY: the function stores the pointer, and may be called at any time.
        unsafe { (xlib.XSetIOErrorHandler)(Some(end)) };
    }
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| if has_x_server() { default(info) } else { report() }));
}

extern "C" fn end(_: *mut Display) -> c_int {
    report()
}

/// Whether the X server answers, or is not needed to show the window.
fn has_x_server() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
    is_wayland || x11rb::connect(None).is_ok()
}

fn report() -> ! {
    let message =
        "the connection to the display is lost; what was not saved is offered when the window is opened again";
    process::exit(CliError::Message(message.to_owned()).report() as i32)
}
