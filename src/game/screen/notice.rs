//! The messages that show a short notice to the player, one at a time.

use std::path::{Path, absolute};
use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;

/// How long a notice is shown.
const SHOWN: Duration = Duration::from_secs(4);

/// A notice that the window shows for a few seconds.
#[derive(Message, Clone, Debug)]
pub struct Notice(pub String);

/// A notice that something is done, which the window shows with a tick.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct Done(pub String);

/// A notice about a condition, which is shown only as long as the condition holds.
#[derive(Message, Clone, Debug)]
pub struct Hint {
    /// The words.
    pub text: String,
    /// Whether it is still true.
    pub holds: fn(&World) -> bool,
}

/// The notice that is shown.
#[derive(Resource, Clone, Debug, Default)]
pub struct CurrentNotice {
    text: String,
    /// Whether it is about something that is done.
    pub(in crate::game) is_done: bool,
    holds: Option<fn(&World) -> bool>,
    /// The time at which it disappears.
    end: Duration,
}

impl CurrentNotice {
    /// The words, and for how long they are still shown; `None` if there is no notice.
    pub fn shown(&self, now: Duration) -> Option<(&str, Duration)> {
        let left = self.end.checked_sub(now).filter(|left| !left.is_zero())?;
        Some((&self.text, left))
    }
}

/// The last notice becomes the current one.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game) struct ReceiveNotices;

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
    app.add_message::<Notice>().add_message::<Done>().add_message::<Hint>().init_resource::<CurrentNotice>();
    let end = end_hint.run_if(|notice: Res<CurrentNotice>| notice.holds.is_some());
    app.configure_sets(Update, ReceiveNotices.in_set(AppSystems::Show))
        .add_systems(Update, (receive, end).chain().in_set(ReceiveNotices));
}

/// Takes the last notice. If something else was done in the same frame, the notice tells more.
fn receive(
    time: Res<Time<Real>>,
    mut notices: MessageReader<Notice>,
    mut done: MessageReader<Done>,
    mut hints: MessageReader<Hint>,
    mut current: ResMut<CurrentNotice>,
) {
    let end = time.elapsed() + SHOWN;
    if let Some(Done(text)) = done.read().last() {
        *current = CurrentNotice { text: text.clone(), is_done: true, holds: None, end };
    }
    if let Some(Hint { text, holds }) = hints.read().last() {
        *current = CurrentNotice { text: text.clone(), is_done: false, holds: Some(*holds), end };
    }
    if let Some(Notice(text)) = notices.read().last() {
        *current = CurrentNotice { text: text.clone(), is_done: false, holds: None, end };
    }
}

/// Ends a hint with its cause.
fn end_hint(world: &mut World) {
    let holds = world.resource::<CurrentNotice>().holds;
    if holds.is_some_and(|holds| !holds(world)) {
        world.insert_resource(CurrentNotice::default());
    }
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
