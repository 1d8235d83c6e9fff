//! A picture that the player has dropped, and which of its pixels are walls.

use std::path::PathBuf;

use emberwalk_formats::picture::{PictureWalls, WallHint};
use emberwalk_map::diagnostics::as_sentence;

use crate::game::action::Answer;
use crate::game::screen::notice::file_name;

/// A picture that can be opened as a map, or solved.
#[derive(Clone, Debug, PartialEq)]
pub struct DroppedPicture {
    /// Its file.
    pub file: PathBuf,
    /// Which of its pixels are walls.
    pub walls: PictureWalls,
    /// A hint about unexpected walls; `None` if there is nothing unexpected, or until the picture has been read.
    pub hint: Option<WallHint>,
}

impl DroppedPicture {
    /// The picture in this file, whose black pixels are walls.
    pub fn new(file: PathBuf) -> Self {
        Self { file, walls: PictureWalls::default(), hint: None }
    }

    /// The walls that its hint advises.
    fn better_walls(&self) -> Option<PictureWalls> {
        self.hint.as_ref().and_then(|hint| hint.better)
    }

    /// The picture with the walls that its hint advises.
    pub(in crate::game) fn improved(self) -> Self {
        let walls = self.better_walls().unwrap_or(self.walls);
        Self { walls, hint: None, ..self }
    }

    /// The question about the picture, with a description of it.
    pub(super) fn text(&self) -> String {
        let name = file_name(&self.file);
        let walls = match self.walls {
            PictureWalls { threshold: 0, inverted: false } => "black",
            PictureWalls { threshold: 0, inverted: true } => "white",
            PictureWalls { inverted: false, .. } => "dark",
            PictureWalls { inverted: true, .. } => "light",
        };
        let hint = self.hint.as_ref().map_or(String::new(), |hint| format!(" {}", as_sentence(&hint.reason)));
        let threshold = match self.better_walls() {
            Some(PictureWalls { threshold: 0, .. }) | None => String::new(),
            Some(PictureWalls { threshold, inverted: false }) => format!(" The threshold to try is {threshold}."),
            Some(PictureWalls { threshold, inverted: true }) => {
                format!(" The threshold to try is {}.", u8::MAX - threshold)
            }
        };
        format!(
            "{name} is a picture, whose {walls} pixels are walls.{hint}{threshold} Open it as a map, or save a copy with \
             the path from its top left to its bottom right corner?"
        )
    }

    /// The possible answers with their labels.
    pub(super) fn answers(&self) -> &'static [(Answer, &'static str)] {
        const OPEN: (Answer, &str) = (Answer::Import, "Open as a map");
        const SAVE: (Answer, &str) = (Answer::Solve, "Save the path");
        const CANCEL: (Answer, &str) = (Answer::Cancel, "Cancel");
        match self.better_walls() {
            None => &[OPEN, SAVE, CANCEL],
            Some(better) if better.inverted == self.walls.inverted => {
                &[OPEN, SAVE, (Answer::ImproveWalls, "Make grey pixels walls"), CANCEL]
            }
            Some(PictureWalls { inverted: true, .. }) => {
                &[OPEN, SAVE, (Answer::ImproveWalls, "Make light pixels walls"), CANCEL]
            }
            Some(_) => &[OPEN, SAVE, (Answer::ImproveWalls, "Make dark pixels walls"), CANCEL],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_says_what_is_a_wall_and_offers_what_would_be_better() {
        let asked = |walls, hint: Option<(&str, PictureWalls)>| {
            let hint = hint.map(|(reason, better)| WallHint { reason: reason.to_owned(), better: Some(better) });
            let picture = DroppedPicture { walls, hint, ..DroppedPicture::new("a/maze.png".into()) };
            (picture.text(), picture.answers().iter().map(|(_, label)| *label).collect::<Vec<_>>())
        };
        let black = PictureWalls::default();
        let dark = PictureWalls { threshold: 146, ..black };
        let light = PictureWalls { inverted: true, ..black };
        let (text, answers) = asked(black, None);
        assert!(text.starts_with("maze.png is a picture, whose black pixels are walls. Open it as a map"), "{text}");
        assert_eq!(answers, ["Open as a map", "Save the path", "Cancel"]);
        let (text, answers) = asked(black, Some(("2 pixels are grey", dark)));
        assert!(text.contains(" are walls. 2 pixels are grey. The threshold to try is 146. Open it"), "{text}");
        assert_eq!(answers[2..], ["Make grey pixels walls", "Cancel"]);
        let (text, answers) = asked(dark, Some(("there is none", light)));
        assert!(text.contains("whose dark pixels are walls. There is none. Open it"), "{text}");
        assert_eq!(answers[2..], ["Make light pixels walls", "Cancel"]);
        assert!(asked(light, None).0.contains("whose white pixels are walls"));
        assert_eq!(asked(light, Some(("there is none", black))).1[2], "Make dark pixels walls");
    }
}
