//! The messages that show a short notice to the player.

use std::path::{Path, absolute};

use bevy::prelude::*;

/// A notice that the window shows for a few seconds.
#[derive(Message, Clone, Debug)]
pub struct Notice(pub String);

/// A notice that something is done, which the window shows with a tick.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Done(pub String);

/// The name of a file without its folder.
pub(in crate::game) fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).display().to_string()
}

/// The name of a file and its folder, for a notice. The web version has no folders.
pub(in crate::game) fn name_and_folder(file: &Path) -> String {
    let name = file_name(file);
    let folder = absolute(file).ok().and_then(|file| Some(file.parent()?.display().to_string()));
    match folder {
        Some(folder) if !cfg!(target_arch = "wasm32") => format!("{name} in {folder}"),
        _ => name,
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Notice>().add_message::<Done>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_with_its_folder_wherever_its_path_begins() {
        let current = std::env::current_dir().unwrap();
        assert_eq!(name_and_folder(Path::new("mine.ron")), format!("mine.ron in {}", current.display()));
        assert_eq!(name_and_folder(&current.join("maps").join("mine.ron")), {
            format!("mine.ron in {}", current.join("maps").display())
        });
    }
}
