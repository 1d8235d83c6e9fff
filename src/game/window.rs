//! Opens the window and runs the game.

use bevy::app::AppExit;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::{PresentMode, PrimaryWindow, WindowResolution};
use bevy::winit::{EventLoopProxy, EventLoopProxyWrapper, WinitUserEvent};

use crate::diagnostics::Diagnostics;
use crate::path::Options;
use crate::scene::Look;

use super::hud::Open;
use super::{AppSystems, map_and_input, player_and_effects, preflight};
use crate::game::input::action::Action;
use crate::game::journey::planning::Planning;
use crate::game::world::live_reload::{self, Rejected};
use crate::game::world::loader::Loader;
use crate::game::world::open_map::{Ends, Land};
use crate::game::world::watcher::Outcome;

/// What the window shows at first.
pub struct Settings {
    /// What it shows, and goes on to follow.
    pub loader: Loader,
    /// What the loader has read.
    pub first: Outcome,
    /// Plain or full.
    pub look: Look,
    /// Start and goal in place of tent and castle.
    pub ends: Ends,
    /// How ways are planned.
    pub planning: Options,
    /// Only the still picture: nothing that moves or belongs to the player.
    pub still: bool,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no screen to show it on.
    #[error("the window needs a display, and there is none ({0}); `emberwalk render` and `emberwalk route` do not")]
    NoDisplay(String),
    /// There is nothing to draw it with.
    #[error(
        "the window needs a graphics adapter (Vulkan, Metal or DirectX 12), and there is none; `emberwalk render` and \
         `emberwalk route` do not"
    )]
    NoAdapter,
    /// A library of the system that windows need is not installed.
    #[error(
        "the window needs libraries of the system that are not installed: {0}; `emberwalk render` and `emberwalk route` do not"
    )]
    NoLibrary(String),
    /// The files have faults, and there is no window to show them in.
    #[error(transparent)]
    Diagnostics(#[from] Diagnostics),
    /// The engine gave up.
    #[error("the window ended with an error")]
    Engine,
}

/// The dark around the map.
const BACKDROP: Color = Color::srgb(0.075, 0.078, 0.115);

/// Opens the window and returns when the player closes it.
///
/// # Errors
/// [`WindowError`] where no window can be opened: nothing of the engine has been started then.
pub fn run(settings: Settings) -> Result<(), WindowError> {
    let Settings { loader, first, look, ends, planning, still } = settings;
    if let Err(missing) = preflight::check() {
        // Of two things that are wrong the faults are told, which are of the user's making.
        return Err(first.err().map_or(missing, WindowError::Diagnostics));
    }
    let land = live_reload::first_land(&first, loader.source(), look, ends)?;
    let window = Window {
        title: title(&land),
        name: Some("emberwalk".into()),
        resolution: WindowResolution::new(1280, 720),
        present_mode: PresentMode::AutoVsync,
        resize_constraints: WindowResizeConstraints { min_width: 320.0, min_height: 240.0, ..default() },
        ..default()
    };
    let plugins = DefaultPlugins
        .build()
        .disable::<LogPlugin>()
        .set(ImagePlugin::default_nearest())
        .set(WindowPlugin { primary_window: Some(window), ..default() });
    let mut app = App::new();
    app.add_plugins(plugins)
        .insert_resource(ClearColor(BACKDROP))
        .insert_resource(land)
        .insert_resource(Planning(planning))
        .init_resource::<Open>()
        .add_plugins(map_and_input)
        .add_systems(Startup, spawn_camera)
        .add_systems(
            Update,
            (quit.in_set(AppSystems::Act), name_window.run_if(resource_changed::<Land>).in_set(AppSystems::Show)),
        );
    let proxy = EventLoopProxy::clone(app.world().resource::<EventLoopProxyWrapper>());
    // Where the window is gone nobody needs to be woken.
    live_reload::follow(&mut app, loader, first, ends, move || {
        let _ = proxy.send_event(WinitUserEvent::WakeUp);
    });
    if still {
        app.add_systems(Update, live_reload::log_faults.in_set(AppSystems::Show));
    } else {
        app.add_plugins(player_and_effects);
    }
    if app.run() == AppExit::Success { Ok(()) } else { Err(WindowError::Engine) }
}

fn title(land: &Land) -> String {
    format!("Emberwalk - {}", land.map().name())
}

fn spawn_camera(mut commands: Commands) {
    commands.spawn((Camera2d, Msaa::Off));
}

fn name_window(land: Res<Land>, mut window: Query<&mut Window, With<PrimaryWindow>>) {
    let title = title(&land);
    if let Ok(mut window) = window.single_mut()
        && window.title != title
    {
        window.title = title;
    }
}

/// Escape closes the help page, then the faults; with nothing open it closes the window.
fn quit(
    mut actions: MessageReader<Action>,
    mut open: ResMut<Open>,
    mut rejected: ResMut<Rejected>,
    mut exit: MessageWriter<AppExit>,
) {
    for action in actions.read() {
        match action {
            Action::Escape if open.0 => open.0 = false,
            Action::Escape if rejected.faults().is_some() => rejected.close(),
            Action::Escape => {
                exit.write(AppExit::Success);
            }
            _ => {}
        }
    }
}
