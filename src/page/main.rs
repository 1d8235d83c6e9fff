//! The web version: the window in a browser. `web/build.sh` builds it for `wasm32-unknown-unknown`.

#![forbid(unsafe_code)]

#[cfg(target_arch = "wasm32")]
mod console;
#[cfg(target_arch = "wasm32")]
mod settings;

/// Opens the map and view that the page address asks for.
#[cfg(target_arch = "wasm32")]
fn main() {
    use emberwalk::game;
    use emberwalk::link::Link;

    game::page::report_panics();
    let link = Link::parse(&game::page::query());
    console::log(link.as_ref().ok().and_then(|link| link.log.as_deref()));
    let settings = link.map_err(|error| error.to_string()).and_then(settings::settings);
    if let Err(error) = settings.and_then(|settings| game::run(settings).map_err(|error| error.to_string())) {
        game::page::show_message(&error);
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This program runs in browsers: build it with web/build.sh.");
}
