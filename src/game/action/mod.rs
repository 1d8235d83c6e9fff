//! The actions of the player, by key, click or button.

use bevy::prelude::*;

pub mod half;
pub mod hour;
pub(super) mod playback;

use emberwalk_map::editing::Brush;
use emberwalk_path::Options;
use emberwalk_path::grid::{Cell, Direction};
use half::Half;
use hour::HourChoice;
pub use playback::Playback;

/// An action that the player requests with a key, a click or a button.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Walk to this cell.
    Go(Cell),
    /// Walk to the cell under the tile cursor, or paint there.
    GoToCursor {
        /// Whether the pencil paints a straight line from the end of the last stroke.
        straight: bool,
    },
    /// Move the tile cursor one cell.
    MoveCursor(Direction),
    /// Walk to the castle.
    GoToCastle,
    /// Make every dormant volcano erupt; if none is dormant, end all eruptions.
    Erupt,
    /// Announce that all volcanoes erupt in this number of seconds.
    Announce(u8),
    /// Announce an eruption, or call off the announced one.
    ToggleAnnounced,
    /// Move the traveller back to the tent.
    Reset,
    /// Walk at this speed.
    SetWalkSpeed(WalkSpeed),
    /// Arrive at the goal immediately.
    SkipWalk,
    /// Let this number of travellers walk, or as many as each map brings.
    LetTravel(Option<usize>),
    /// Send the selected people to a cell.
    SendPeople(Cell),
    /// Let the selected people go.
    LetGo,
    /// Open the cell that would help the people who wait the longest.
    Widen,
    /// Follow the selected traveller with the view, or stop following.
    ToggleFollow,
    /// Zoom one step.
    Zoom {
        /// In or out.
        zoom: Zoom,
        /// The point of the window to zoom towards, in physical pixels; `None` for its centre.
        towards: Option<Vec2>,
    },
    /// Show the whole map at the largest zoom at which it fits.
    Fit,
    /// Centre the view on the traveller.
    FindTraveller,
    /// Pan the view; north is up on the screen.
    Pan(Direction),
    /// Open the next map.
    NextMap,
    /// Open the previous map.
    PreviousMap,
    /// Open or close the help page.
    Help,
    /// Switch between the two help pages.
    TurnHelpPage,
    /// Open the lesson of this index.
    OpenLesson(usize),
    /// Choose this answer to the question of the lesson, and play its search.
    PredictLesson(usize),
    /// Try the suggestion of this button of the lesson.
    TryLesson(usize),
    /// Close the lesson and its search.
    CloseLesson,
    /// Fold or unfold a part of a panel.
    ToggleFold(Fold),
    /// Close the card of a first visit.
    CloseWelcome,
    /// Show this overlay.
    ShowOverlay(OverlayChoice),
    /// Show the next overlay, or none after the last.
    NextOverlay,
    /// Leave the search, the race, painting and the lesson.
    Walk,
    /// Open the last open lesson again, or the first one.
    Lessons,
    /// Open or close the search view.
    ToggleSearchView,
    /// Open or close the race of two searches.
    ToggleRace,
    /// Do something in the search view or the race.
    Playback(Playback),
    /// Open or close the table that compares all algorithms.
    ToggleComparison,
    /// Search with these options, in a race only in this half of the window. The traveller uses the options on the
    /// left, too.
    PlanWith(Half, Options),
    /// Mark a search of the comparison for a race, or take its mark away. With two marks, the race opens.
    MarkForRace(Options),
    /// Reset the options for searching and planning to the initial options of the window.
    RestoreOptions,
    /// Start or stop predicting the next cell of the search.
    TogglePrediction,
    /// Predict that the search takes this cell next.
    Predict(Cell),
    /// Open the dialog for a search of the player's own.
    ChooseOwnSearch,
    /// Play the planner's search instead of the player's own.
    CloseOwnSearch,
    /// Go to this mistake of the player's own search.
    ToMistake(usize),
    /// Go to the next mistake of the player's own search, or back to the previous one.
    StepToMistake {
        /// Whether to go back.
        back: bool,
    },
    /// Open the cells that block the route to the goal.
    OpenCells,
    /// Start or stop showing why the route does not lead through the inspected cell.
    ToggleWhy,
    /// Pause or resume all animation except the traveller's.
    ToggleAnimation,
    /// Set this hour, or let the day pass.
    SetHour(HourChoice),
    /// Take the next of noon, dusk, night and a day that passes.
    NextHour,
    /// Switch between the full and the classic look.
    ToggleLook,
    /// Turn reduced motion on or off, which shows cards in their places immediately.
    ToggleReducedMotion,
    /// Change the size of all text.
    SizeText(TextStep),
    /// Stop playing a recording, and play the game from there.
    PlayOn,
    /// Save the past as a recording.
    SaveRecording,
    /// Save a screenshot.
    Screenshot {
        /// Whether to include the panels.
        with_panels: bool,
    },
    /// Switch between walking and painting.
    TogglePainting,
    /// Change the brush or the tool.
    Brush(BrushChange),
    /// Begin, continue or end a stroke of the brush.
    Stroke(Stroke),
    /// Change the selection, or do something with it.
    Selection(SelectionChange),
    /// Undo the last stroke.
    Undo,
    /// Redo the stroke that was undone last.
    Redo,
    /// Save the map.
    Save,
    /// Ask for another file name for the map, and save it there.
    SaveAnew,
    /// Open the dialog for a new map.
    NewMap,
    /// Open the list of maps.
    ListMaps,
    /// Choose a file on the device; only in the web version.
    ChooseFile,
    /// Copy a link to the current state; only in the web version.
    CopyLink,
    /// Open the dialog for size, name, description and hours of the map.
    EditMap,
    /// Open the bundled map of this index.
    OpenBundled(usize),
    /// Do something in the dialog that is open.
    Dialog(DialogInput),
    /// Answer the question that is open.
    Answer(Answer),
    /// Stop long work: reading a map, or changing very many cells.
    Stop,
    /// Bring a cell to the centre of the view.
    LookAt(Cell),
    /// Bring the cell in this row of the open list of the search to the centre of the view.
    LookAtOpen(usize),
    /// Bring a point of the map's picture to the centre of the view, in pixels from its corner; or the nearest ground,
    /// if the point is beside the map.
    LookAtPoint(Vec2),
    /// Show or hide the minimap.
    ToggleMinimap,
    /// Fold or unfold the list of errors.
    ToggleErrors,
    /// Open or close a menu.
    ToggleMenu(Menu),
    /// Open or close the panel at the side, where there is little room for it.
    ToggleDock,
    /// Hide everything but the map, or show it again.
    ToggleBare,
    /// Set the weight of weighted A*, for the search on this half of the window.
    SetWeight(Half, f32),
    /// Close the topmost open thing; if nothing is open, quit at the second request.
    Escape,
    /// Quit without a question.
    Quit,
    /// A refused action: it has no effect.
    Refused,
}

impl Action {
    /// The same action, asked for with a key while Shift is held or not.
    pub(super) fn with_shift(self, shift: bool) -> Self {
        match self {
            Self::GoToCursor { .. } => Self::GoToCursor { straight: shift },
            other => other,
        }
    }

    /// Whether it sends the traveller somewhere, or back to the tent.
    pub(super) fn begins_journey(self) -> bool {
        matches!(self, Self::Go(_) | Self::GoToCursor { .. } | Self::GoToCastle | Self::Reset)
    }

    /// Whether it changes the map, the traveller or people, or asks about them in a way that a recording refuses. The key
    /// that sends the traveller to the castle plays and pauses a recording.
    pub(super) fn changes_world(self) -> bool {
        (self.begins_journey() && self != Self::GoToCastle)
            || matches!(
                self,
                Self::Erupt
                    | Self::Announce(_)
                    | Self::ToggleAnnounced
                    | Self::SetHour(_)
                    | Self::NextHour
                    | Self::SetWalkSpeed(_)
                    | Self::SkipWalk
                    | Self::LetTravel(_)
                    | Self::SendPeople(_)
                    | Self::Widen
                    | Self::OpenLesson(_)
                    | Self::Lessons
                    | Self::ToggleSearchView
                    | Self::ToggleRace
                    | Self::ToggleComparison
                    | Self::PlanWith(..)
                    | Self::MarkForRace(_)
                    | Self::RestoreOptions
                    | Self::OpenCells
                    | Self::ToggleWhy
                    | Self::TogglePainting
                    | Self::Brush(_)
                    | Self::Stroke(_)
                    | Self::Selection(_)
                    | Self::Undo
                    | Self::Redo
                    | Self::Save
                    | Self::SaveAnew
                    | Self::EditMap
                    | Self::SetWeight(..)
            )
    }

    /// Whether it opens something that needs a panel, or hides panels. A race shows its two halves without one.
    pub(super) fn opens_panel(self) -> bool {
        let opens_page = matches!(
            self,
            Self::Help
                | Self::OpenLesson(_)
                | Self::ToggleSearchView
                | Self::Lessons
                | Self::ToggleComparison
                | Self::TogglePainting
                | Self::ToggleBare
        );
        opens_page || self.opens_dialog()
    }

    /// Whether its key works whatever is open: it is about the whole window.
    pub(super) fn works_everywhere(self) -> bool {
        matches!(self, Self::Screenshot { .. })
    }

    /// Whether it opens a dialog: the keys after it are for the dialog.
    pub(super) fn opens_dialog(self) -> bool {
        matches!(self, Self::NewMap | Self::ListMaps | Self::EditMap | Self::SaveAnew | Self::ChooseOwnSearch)
    }
}

/// The parts that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The card about the route.
    Route,
    /// The cost of the route by terrain.
    Sum,
    /// The card about the inspected cell.
    Cell,
    /// The card that chooses an overlay.
    Overlay,
    /// The card for a first visit.
    Welcome,
    /// The rarely changed options of a search.
    MoreOptions,
}

/// The menus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Menu {
    /// About, quit.
    Program,
    /// The map menu.
    Map,
    /// The look.
    Look,
    /// The algorithm of a search.
    Algorithm(Half),
    /// Its heuristic.
    Heuristic(Half),
    /// Its other options.
    MoreOptions(Half),
    /// The playback speed.
    Speed,
    /// The number of travellers.
    Travellers,
    /// The hour.
    Hour,
    /// An eruption that is announced.
    Announce,
}

/// The overlay that the player has chosen.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverlayChoice {
    /// None; in the search view, the search is shown.
    #[default]
    None,
    /// The cost of entering each cell.
    Cost,
    /// The cost from each cell to the goal.
    Distance,
    /// The level of each cell.
    Levels,
    /// How often travellers have entered each cell in the last minute, and where they had to wait.
    Traffic,
}

/// A text field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldId {
    /// A field of the dialog, by its index.
    Dialog(usize),
    /// Finds keys on the help page.
    Help,
}

/// Text typed into a field.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct FieldTyped {
    /// The field.
    pub field: FieldId,
    /// All of its text.
    pub text: String,
}

/// A change of the brush or the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrushChange {
    /// Paint with the terrain at this place of the palette, from 0.
    Take(u8),
    /// Paint with the terrain before the current one.
    Previous,
    /// Paint with the terrain after the current one.
    Next,
    /// Paint with the terrain of a cell; `None` for the inspected cell.
    Pick(Option<Cell>),
    /// Paint with this, if the palette has it.
    Hold(Brush),
    /// Take the size at this place of all sizes, from 0.
    Size(u8),
    /// Make the brush smaller.
    Smaller,
    /// Make the brush larger.
    Larger,
    /// Take the next of pencil, line, rectangle and selection.
    NextTool,
    /// Take this tool.
    Tool(Tool),
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save them.
    Save,
    /// Save them under another name.
    SaveAnew,
    /// Save them, and overwrite the version of another program.
    Overwrite,
    /// Discard them, and load the version of another program.
    Load,
    /// Discard them.
    Discard,
    /// Restore them.
    Restore,
    /// Open the picture as a map.
    Import,
    /// Find the path through the picture.
    Solve,
    /// Take the walls that the hint on the picture advises.
    ImproveWalls,
    /// Do nothing now.
    Cancel,
}

/// An action in a dialog, besides typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogInput {
    /// Change the number in a field.
    Add {
        /// The field.
        field: usize,
        /// The difference.
        by: i32,
    },
    /// Take one of the values of a field.
    Choose {
        /// The field.
        field: usize,
        /// The index of the value.
        value: usize,
    },
    /// Take another seed.
    Dice,
    /// Choose this entry of the list and confirm.
    Pick(usize),
    /// Confirm the dialog.
    Confirm,
    /// Close the dialog.
    Cancel,
}

/// The painting tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Paints along the pointer.
    #[default]
    Pencil,
    /// Paints a straight line.
    Line,
    /// Paints a filled rectangle.
    Rectangle,
    /// Paints the border of a rectangle.
    Outline,
    /// Paints all connected cells with the same terrain.
    Fill,
    /// Selects a rectangle, and moves it.
    Select,
}

impl Tool {
    /// All tools, the default first.
    pub const ALL: [Self; 6] = [Self::Pencil, Self::Line, Self::Rectangle, Self::Outline, Self::Fill, Self::Select];
}

/// An action for the selected part of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionChange {
    /// Select the whole map.
    All,
    /// Select nothing.
    Nothing,
    /// Copy the selection.
    Copy,
    /// Cut the selection: copy it, and clear its cells.
    Cut,
    /// Clear the selected cells.
    Delete,
    /// Start pasting the copied part.
    Paste,
}

/// A part of a stroke with the mouse. Its cells may be off the map, so that a stroke can leave the map and come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// The button was pressed.
    Begin {
        /// The cell under the pointer.
        cell: Cell,
        /// Whether a straight line from the end of the last stroke is painted.
        straight: bool,
    },
    /// The pointer was moved to another cell.
    To(Cell),
    /// The pencil is lifted after a single cell.
    Lift,
    /// The button was released.
    End,
}

/// The speed of the traveller.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalkSpeed {
    /// The normal speed.
    #[default]
    Normal,
    /// Twice the normal speed.
    Double,
    /// Four times the normal speed.
    Quadruple,
}

impl WalkSpeed {
    /// All speeds, from slow to fast.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Double, Self::Quadruple];

    /// The speed as a multiple of the normal one.
    pub fn factor(self) -> u32 {
        match self {
            Self::Normal => 1,
            Self::Double => 2,
            Self::Quadruple => 4,
        }
    }
}

/// The direction of a zoom step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    /// The map becomes larger.
    In,
    /// The map becomes smaller.
    Out,
}

/// A change of the size of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStep {
    /// The next larger size.
    Larger,
    /// The next smaller size.
    Smaller,
    /// The normal size.
    Normal,
}

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Action>().add_message::<FieldTyped>();
}
