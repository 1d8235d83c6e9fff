//! Copies the window title to the page title, and uncovers the page as soon as there is a picture.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use web_sys::Document;

/// The element that covers the canvas while the program loads.
const COVER: &str = "cover";

/// The number of frames after which there is certainly a picture.
const FRAMES: u32 = 3;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, show_title).add_systems(Last, uncover);
}

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

fn show_title(window: Query<&Window, (With<PrimaryWindow>, Changed<Window>)>) {
    if let (Ok(window), Some(document)) = (window.single(), document())
        && document.title() != window.title
    {
        document.set_title(&window.title);
    }
}

fn uncover(mut frames: Local<u32>) {
    *frames = (*frames + 1).min(FRAMES + 1);
    if *frames == FRAMES
        && let Some(cover) = document().and_then(|document| document.get_element_by_id(COVER))
    {
        cover.remove();
    }
}
