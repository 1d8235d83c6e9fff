//! Opens files that are dropped onto the page.

use std::cell::RefCell;
use std::path::PathBuf;

use bevy::prelude::*;
use bevy::window::{FileDragAndDrop, PrimaryWindow};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, File, FileList};

use crate::game::frames::wake::Waker;
use crate::game::screen::notice::Notice;

use super::listen::listen;
use emberwalk_map::files;

thread_local! {
    /// The names of files that have been read and wait for the next frame, or errors for unreadable files.
    static DROPPED: RefCell<Vec<Result<PathBuf, String>>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, listen_to_drops).add_systems(PreUpdate, report);
}

/// Accepts dropped files. Otherwise the browser would leave the page to show them.
fn listen_to_drops(waker: Res<Waker>) {
    let Some(window) = web_sys::window() else { return };
    let waker = waker.clone();
    listen(&window, "dragover", false, |event: DragEvent| event.prevent_default());
    listen(&window, "drop", false, move |event: DragEvent| {
        event.prevent_default();
        if let Some(files) = event.data_transfer().and_then(|dropped| dropped.files()) {
            read_all(&files, waker.clone());
        }
    });
}

/// Reads files, and opens them when all are read, because a map may need some of the others.
pub(super) fn read_all(files: &FileList, waker: Waker) {
    let files: Vec<File> = (0..files.length()).filter_map(|index| files.get(index)).collect();
    spawn_local(async move {
        let mut results = Vec::new();
        for file in files {
            let result = read(&file).await;
            results.push(result.map_err(|error| {
                warn!("{} cannot be read: {error:?}", file.name());
                file.name()
            }));
        }
        DROPPED.with_borrow_mut(|dropped| dropped.extend(results));
        waker.wake();
    });
}

/// Reads a file into the memory of the page; returns its name there.
async fn read(file: &File) -> Result<PathBuf, JsValue> {
    let content = JsFuture::from(file.array_buffer()).await?;
    let name = PathBuf::from(file.name());
    files::put(&name, &Uint8Array::new(&content).to_vec());
    Ok(name)
}

/// Reports the files that have been read, as the engine does on other systems.
fn report(
    window: Query<Entity, With<PrimaryWindow>>,
    mut drops: MessageWriter<FileDragAndDrop>,
    mut notices: MessageWriter<Notice>,
) {
    let Ok(window) = window.single() else { return };
    for result in DROPPED.take() {
        match result {
            Ok(path_buf) => drop(drops.write(FileDragAndDrop::DroppedFile { window, path_buf })),
            Err(name) => drop(notices.write(Notice(format!("{name} cannot be read.")))),
        }
    }
}
