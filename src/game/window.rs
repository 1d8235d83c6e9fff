//! Opens the window and runs the game.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use bevy::app::{AppExit, TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use bevy::asset::AssetPlugin;
use bevy::input_focus::InputDispatchPlugin;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::window::{PresentMode, PrimaryWindow, WindowCloseRequested, WindowResolution};
use bevy::winit::WinitPlugin;

use emberwalk_map::editing::state_folder;
use emberwalk_map::{DayTime, MapText};
use emberwalk_path::Options;
use emberwalk_path::grid::Cell;
use emberwalk_path::trace::Trace;
use emberwalk_picture::scene::Look;

use super::action::Action;
use super::app_systems::AppSystems;
use super::colours::BACKDROP;
use super::journey::planning::PlanningOptions;
use super::painting::recovery::RecoveryFolder;
use super::people::plan::WatchedPlan;
use super::people::time::PeopleMove;
use super::people::town::Travellers;
use super::platform::Preflight;
use super::platform::error::WindowError;
use super::recording::RecordFile;
use super::replay::watch;
use super::rules::rules;
use super::screen::mode::{HasPanels, IsBare};
use super::screen::text_size::TextSize;
use super::search_view::own_search::OwnSearch;
use super::world::file_errors::log_errors;
use super::world::follow::{Refusal, follow};
use super::world::freed_memory;
use super::world::freed_memory::GiveBack;
use super::world::open_map::OpenMap;
use super::world::reader::MapReader;
use super::{drawing, frames, hud, input, search_view, ui};

/// The exit code with which the engine ends after Ctrl+C.
const INTERRUPTED: NonZero<u8> = NonZero::new(130).expect("it is not 0");

/// The settings of the window.
pub struct Settings {
    /// The system resources of the window.
    pub preflight: Preflight,
    /// The first map. Its files are followed.
    pub first: MapReader,
    /// The classic or the full look.
    pub look: Look,
    /// How routes are planned.
    pub planning: Options,
    /// How many travellers there are.
    pub travellers: Travellers,
    /// A file to which the recording is written.
    pub record: Option<RecordFile>,
    /// The size of all text.
    pub text_size: TextSize,
    /// Whether to show only the map, without the player, animation and the HUD.
    pub still: bool,
    /// Whether the panels are hidden at first.
    pub bare: bool,
    /// What is played on the first map.
    pub playback: FirstPlayback,
    /// Gives freed memory back to the system, where the allocator needs to be asked.
    pub give_back: Option<GiveBack>,
}

impl Settings {
    /// The settings for the game on this map, with the default of everything else.
    pub fn new(preflight: Preflight, first: MapReader) -> Self {
        Self {
            preflight,
            first,
            look: Look::default(),
            planning: Options::default(),
            travellers: Travellers::default(),
            record: None,
            text_size: TextSize::default(),
            still: false,
            bare: false,
            playback: FirstPlayback::Game,
            give_back: None,
        }
    }
}

/// What is played on the first map.
pub enum FirstPlayback {
    /// Nothing but the game.
    Game,
    /// A search of the player's own, which is judged, and the file that it is from.
    OwnSearch(Trace, Option<PathBuf>),
    /// The plan of many agents, with the cell of each at each tick.
    Plan(Vec<Vec<Cell>>),
}

/// Why the window was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedBy {
    /// The player closed it.
    Player,
    /// Ctrl+C was pressed in its terminal.
    Interrupt,
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// [`WindowError`] if no window can be opened, or if the engine stops with an error.
pub fn run(settings: Settings) -> Result<ClosedBy, WindowError> {
    let Settings {
        preflight,
        mut first,
        look,
        planning,
        travellers,
        record,
        text_size,
        still,
        bare,
        playback,
        give_back,
    } = settings;
    // A still picture has no people by default.
    let mut travellers = Travellers { number: travellers.number.or(still.then_some(1)), ..travellers };
    let version = first.first_version()?;
    let mut app = App::new();
    app.insert_resource(first.waker().clone());
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(frames::interrupt::plugin);
    if let Err(missing) = add_engine(&mut app, preflight, title_of(version.map.name(), false)) {
        // Errors of the map come first, because the user can fix them immediately. The order does not depend on how
        // long reading takes.
        first.check_first(Duration::MAX)?;
        return Err(first.errors().map_or(missing, WindowError::from));
    }
    let recording = version.recording.clone().filter(|_| !still);
    version.insert(&mut app, look);
    if still {
        let mut map = app.world_mut().resource_mut::<OpenMap>();
        travellers.day = Some(map.day());
        let start = map.day().hour_after(travellers.at.seconds());
        map.set_day(DayTime { start, day: None });
    }
    match playback {
        FirstPlayback::Game => {}
        FirstPlayback::OwnSearch(trace, file) => {
            let own = OwnSearch::new(trace, file, app.world().resource());
            app.insert_resource(own);
        }
        FirstPlayback::Plan(paths) => drop(app.insert_resource(WatchedPlan::new(paths))),
    }
    app.insert_resource(RecoveryFolder(state_folder().filter(|_| !still)));
    app.insert_resource(PlanningOptions(planning))
        .insert_resource(HasPanels(!still))
        .insert_resource(text_size)
        .insert_resource(travellers)
        .add_plugins((
            rules,
            frames::plugin,
            input::plugin,
            drawing::plugin,
            search_view::plugin,
            ui::inventory::plugin,
        ))
        .add_systems(
            Update,
            (
                ask_to_close.in_set(AppSystems::Listen),
                update_title.run_if(resource_changed::<OpenMap>).in_set(AppSystems::Show),
            ),
        );
    #[cfg(all(unix, not(target_os = "macos")))]
    app.add_plugins(super::x11::plugin);
    #[cfg(not(target_arch = "wasm32"))]
    app.add_plugins(super::platform::icon::plugin);
    #[cfg(target_arch = "wasm32")]
    app.add_plugins(super::page::plugin);
    if let Some(give_back) = give_back {
        app.insert_resource(give_back).add_plugins(freed_memory::plugin);
    }
    if let Some(record) = record {
        app.insert_resource(record);
    }
    if let Some(recording) = recording {
        watch(recording, app.world_mut());
    }
    follow(&mut app, first);
    if still {
        app.insert_resource(PeopleMove::Never);
        app.add_systems(Update, log_errors.in_set(AppSystems::Show));
        if travellers.number != Some(1) {
            app.add_plugins(drawing::figures);
        }
    } else {
        app.insert_resource(IsBare(bare));
        app.add_plugins((drawing::effects, ui::plugin, hud::plugin));
    }
    let refusal = app.world_mut().get_resource_or_init::<Refusal>().clone();
    let exit = app.run();
    if let Some(refusal) = refusal.take() {
        return Err(refusal);
    }
    match exit {
        AppExit::Success => Ok(ClosedBy::Player),
        AppExit::Error(INTERRUPTED) => Ok(ClosedBy::Interrupt),
        AppExit::Error(_) => Err(WindowError::Engine),
    }
}

/// Adds the engine's plugins with a window with this title.
fn add_engine(app: &mut App, preflight: Preflight, title: String) -> Result<(), WindowError> {
    let (graphics, _kept_until_the_engine_is_connected) = preflight.finish()?;
    let window = Window {
        title,
        name: Some("emberwalk".into()),
        resolution: WindowResolution::new(1280, 720),
        present_mode: PresentMode::AutoVsync,
        // In the web version: the element to draw on. The page decides its position, and which keys it keeps.
        canvas: Some("#map".into()),
        fit_canvas_to_parent: true,
        prevent_default_event_handling: false,
        resize_constraints: WindowResizeConstraints { min_width: 320.0, min_height: 240.0, ..default() },
        ..default()
    };
    // While one thread waits for the display in the graphics driver, another one computes the next frame.
    let two_or_more = TaskPoolThreadAssignmentPolicy { min_threads: 2, ..TaskPoolOptions::default().compute };
    let task_pool_options = TaskPoolOptions { compute: two_or_more, ..default() };
    // Connecting to the display takes as long as opening the adapter, so it comes before waiting for that.
    app.add_plugins((
        TaskPoolPlugin { task_pool_options },
        AssetPlugin::default(),
        // Unsaved changes are asked about first.
        WindowPlugin { primary_window: Some(window), close_when_requested: false, ..default() },
        WinitPlugin::default(),
    ));
    let renderer = RenderPlugin { render_creation: graphics.finish()?, ..default() };
    let others = DefaultPlugins
        .build()
        .disable::<TaskPoolPlugin>()
        .disable::<AssetPlugin>()
        .disable::<WindowPlugin>()
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>()
        // `ui` sends the keys to the focused control.
        .disable::<InputDispatchPlugin>()
        .set(ImagePlugin::default_nearest())
        .set(renderer);
    app.add_plugins(others).insert_resource(ClearColor(BACKDROP));
    Ok(())
}

fn title(map: &OpenMap) -> String {
    title_of(map.name(), map.is_unsaved())
}

/// The title for a map with this name. It removes some characters, because the engine panics at them.
fn title_of(name: &str, is_unsaved: bool) -> String {
    let star = if is_unsaved { " *" } else { "" };
    format!("Emberwalk - {}{star}", MapText::Name.clean(name.to_owned()))
}

/// Closes the window in the same way as the quit button.
fn ask_to_close(mut requests: MessageReader<WindowCloseRequested>, mut actions: MessageWriter<Action>) {
    actions.write_batch(requests.read().map(|_| Action::Quit));
}

fn update_title(map: Res<OpenMap>, mut window: Query<&mut Window, With<PrimaryWindow>>) {
    let title = title(&map);
    if let Ok(mut window) = window.single_mut()
        && window.title != title
    {
        window.title = title;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_one_short_line() {
        assert_eq!(title_of("The road", true), "Emberwalk - The road *");
        assert_eq!(title_of("a\0\u{1b}\u{202e}b\u{2028}c\n", false), "Emberwalk - ab c");
        assert!(title_of(&"n".repeat(1 << 24), true).len() < 300);
    }
}
