//! Plugins for the web version only. The modules with a desktop version are in `platform`.

use bevy::prelude::*;

mod address;
mod choose_file;
mod copy_link;
mod dropped_files;
mod end;
mod keys;
mod listen;
mod paste;
mod reduced_motion;
mod screen_keyboard;
mod spoken;
mod title;
mod touch_screen;
mod unsaved;

pub use address::{FIRST_MAP, query};
pub use end::{report_panics, show_message};

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        address::plugin,
        choose_file::plugin,
        copy_link::plugin,
        dropped_files::plugin,
        end::plugin,
        keys::plugin,
        paste::plugin,
        reduced_motion::plugin,
        screen_keyboard::plugin,
        spoken::plugin,
        title::plugin,
        touch_screen::plugin,
        unsaved::plugin,
    ));
}
