//! Opens the window and runs the game.

use bevy::app::AppExit;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::window::{PresentMode, PrimaryWindow, WindowResolution};
use bevy::winit::{EventLoopProxy, EventLoopProxyWrapper, WinitUserEvent};

use crate::path::Options;
use crate::scene::Look;

use super::error::WindowError;
use super::journey::shared_planner::PlanningOptions;
use super::world::asked_endpoints::AskedEndpoints;
use super::world::file_faults::log_faults;
use super::world::first_map::FirstMap;
use super::world::live_reload;
use super::world::loader::{LoadResult, Loader};
use super::world::open_map::OpenMap;
use super::{AppSystems, map_and_input, player_and_effects, preflight, quit};

/// What the window shows at first.
pub struct Settings {
    /// The files that it shows, and follows when they change.
    pub loader: Loader,
    /// What the loader has read.
    pub first: LoadResult,
    /// Plain or full.
    pub look: Look,
    /// Start and goal in place of tent and castle.
    pub endpoints: AskedEndpoints,
    /// How routes are planned.
    pub planning: Options,
    /// Only the still picture of the map: nothing that moves or belongs to the player.
    pub still: bool,
}

/// The dark around the map.
const BACKDROP: Color = Color::srgb(0.075, 0.078, 0.115);

/// Opens the window and returns when the player closes it.
///
/// # Errors
/// [`WindowError`] if no window can be opened; the engine has not been started then.
pub fn run(settings: Settings) -> Result<(), WindowError> {
    let Settings { loader, first, look, endpoints, planning, still } = settings;
    if let Err(missing) = preflight::check() {
        // If the files have faults too, those are reported: the user can correct them.
        return Err(first.err().map_or(missing, WindowError::Diagnostics));
    }
    let map = FirstMap::choose(&first, loader.source(), look, endpoints)?;
    let window = Window {
        title: title(map.map()),
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
    app.add_plugins(plugins).insert_resource(ClearColor(BACKDROP));
    map.insert(&mut app);
    app.insert_resource(PlanningOptions(planning))
        .add_plugins((map_and_input, quit::plugin))
        .add_systems(Startup, spawn_camera)
        .add_systems(Update, name_window.run_if(resource_changed::<OpenMap>).in_set(AppSystems::Show));
    let proxy = EventLoopProxy::clone(app.world().resource::<EventLoopProxyWrapper>());
    // Once the window is closed there is no event loop to wake.
    live_reload::follow(&mut app, loader, first, endpoints, move || {
        let _ = proxy.send_event(WinitUserEvent::WakeUp);
    });
    if still {
        app.add_systems(Update, log_faults.in_set(AppSystems::Show));
    } else {
        app.add_plugins(player_and_effects);
    }
    if app.run() == AppExit::Success { Ok(()) } else { Err(WindowError::Engine) }
}

fn title(map: &OpenMap) -> String {
    format!("Emberwalk - {}", map.name())
}

fn spawn_camera(mut commands: Commands) {
    commands.spawn((Camera2d, Msaa::Off));
}

fn name_window(map: Res<OpenMap>, mut window: Query<&mut Window, With<PrimaryWindow>>) {
    let title = title(&map);
    if let Ok(mut window) = window.single_mut()
        && window.title != title
    {
        window.title = title;
    }
}
