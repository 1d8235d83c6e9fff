//! A question that the player must answer before the game does something that would lose unsaved changes.

use std::path::PathBuf;

use bevy::prelude::*;

use emberwalk_map::diagnostics::counted;

use crate::game::action::{Action, Answer};
use crate::game::world::dropped_picture::DroppedPicture;
use crate::game::world::request::MapSource;

/// The question that is open.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub enum OpenQuestion {
    /// There is none.
    #[default]
    None,
    /// The player wants to leave a map that is not saved.
    Leave(Leaving),
    /// Another program has changed the map file, and the map has unsaved changes.
    FileChanged,
    /// A crash has left unsaved strokes, or an unsaved new map.
    Restore {
        /// The number of strokes; 0 for a new map without any.
        strokes: usize,
        /// Where they were made.
        on: RestoredOn,
    },
    /// The map is being saved. There is nothing to answer.
    Saving,
    /// The player wants to save under the name of an existing file.
    Replace(PathBuf),
    /// The player has dropped a picture.
    Picture(DroppedPicture),
}

/// The map to which strokes from before a crash belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoredOn {
    /// The open map, in the version of its file.
    This,
    /// The open map, but its file has changed since.
    OtherVersion,
    /// A map that had no file yet.
    MapWithoutFile,
}

/// The request that the question has interrupted.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaving {
    /// Quit, turn the page or open a lesson.
    Act(Action),
    /// Open a file, or a new map.
    Open(MapSource),
}

impl OpenQuestion {
    /// If there is something to save, asks whether to save it; returns whether it asks. The caller must then do
    /// nothing.
    pub(in crate::game) fn ask_to_leave(&mut self, is_unsaved: bool, leaving: Leaving) -> bool {
        if is_unsaved {
            *self = Self::Leave(leaving);
        }
        is_unsaved
    }

    /// A short title for it.
    pub fn title(&self) -> &'static str {
        match self {
            Self::None => "",
            Self::Leave(_) => "Unsaved changes",
            Self::FileChanged => "The file has changed",
            Self::Restore { .. } => "Unsaved work was found",
            Self::Saving => "Saving",
            Self::Replace(_) => "The file exists",
            Self::Picture(_) => "Open a picture",
        }
    }

    /// The question as a sentence about the open map of this name.
    pub fn text(&self, map: &str) -> String {
        match self {
            Self::None => String::new(),
            Self::Leave(_) => format!("\"{map}\" is not saved."),
            Self::FileChanged => {
                format!("Another program has changed the file of \"{map}\", and you have unsaved changes.")
            }
            Self::Restore { strokes: 0, .. } => "A new map was not saved last time.".into(),
            Self::Restore { strokes, on } => {
                let (were, they_go) = if *strokes == 1 { ("was", "it goes") } else { ("were", "they go") };
                let (map, end) = match on {
                    RestoredOn::This => ("this map", String::new()),
                    RestoredOn::OtherVersion => {
                        ("this map", format!(" The map file has changed since then, so {they_go} into a separate map."))
                    }
                    RestoredOn::MapWithoutFile => ("a map that has no file yet", String::new()),
                };
                format!("{} on {map} {were} not saved last time.{end}", counted(*strokes, "stroke"))
            }
            Self::Saving => "Saving the map...".into(),
            Self::Replace(file) => format!("The file {} already exists.", file.display()),
            Self::Picture(picture) => picture.text(),
        }
    }

    /// The possible answers with their labels. Enter gives the first one, and Esc the last one.
    pub fn answers(&self) -> &'static [(Answer, &'static str)] {
        match self {
            Self::None | Self::Saving => &[],
            Self::Leave(_) => &[(Answer::Save, "Save"), (Answer::Discard, "Do not save"), (Answer::Cancel, "Cancel")],
            Self::FileChanged => &[
                (Answer::SaveAnew, "Save under another name"),
                (Answer::Overwrite, "Overwrite the file"),
                (Answer::Load, "Load the file"),
                (Answer::Cancel, "Decide later"),
            ],
            Self::Restore { strokes: 0 | 1, .. } => &[(Answer::Restore, "Restore it"), (Answer::Discard, "Discard it")],
            Self::Restore { .. } => &[(Answer::Restore, "Restore them"), (Answer::Discard, "Discard them")],
            Self::Picture(picture) => picture.answers(),
            Self::Replace(_) => {
                &[(Answer::SaveAnew, "Another name"), (Answer::Overwrite, "Replace it"), (Answer::Cancel, "Cancel")]
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenQuestion>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_on_leaving_names_the_map() {
        let leave = OpenQuestion::Leave(Leaving::Act(Action::Quit));
        for question in [leave, OpenQuestion::FileChanged] {
            assert!(question.text("Hills").contains("\"Hills\""), "{question:?}");
        }
    }

    #[test]
    fn one_stroke_is_it_and_more_are_they() {
        let asked = |strokes, on| {
            let question = OpenQuestion::Restore { strokes, on };
            (question.text("Hills"), question.answers().iter().map(|(_, label)| *label).collect::<Vec<_>>())
        };
        let (text, answers) = asked(1, RestoredOn::This);
        assert_eq!(text, "1 stroke on this map was not saved last time.");
        assert_eq!(answers, ["Restore it", "Discard it"]);
        let (text, answers) = asked(2, RestoredOn::MapWithoutFile);
        assert_eq!(text, "2 strokes on a map that has no file yet were not saved last time.");
        assert_eq!(answers, ["Restore them", "Discard them"]);
        let (text, answers) = asked(0, RestoredOn::MapWithoutFile);
        assert_eq!(text, "A new map was not saved last time.");
        assert_eq!(answers, ["Restore it", "Discard it"]);
        for (strokes, goes) in [(1, "it goes"), (3, "they go")] {
            let (text, _) = asked(strokes, RestoredOn::OtherVersion);
            let end = format!(" The map file has changed since then, so {goes} into a separate map.");
            assert!(text.ends_with(&end), "{text}");
        }
    }
}
