//! Numbers for the engine's diagnostics.

use bevy_app::{App, FixedUpdate, Last, Plugin};
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_platform::time::Instant;

use crate::{EmberwalkSystems, NavAgent, NavState};

/// Adds diagnostics, to be shown by the engine's overlay or its log: how many agents there are, how many of them wait, and
/// how many milliseconds of a frame the crowds and all of the agents' systems take.
///
/// ```
/// use bevy_app::App;
/// use bevy_diagnostic::{DiagnosticsPlugin, DiagnosticsStore};
/// use bevy_emberwalk::EmberwalkDiagnosticsPlugin;
/// let mut app = App::new();
/// app.add_plugins((DiagnosticsPlugin, EmberwalkDiagnosticsPlugin::default()));
/// let store = app.world().resource::<DiagnosticsStore>();
/// assert!(store.get(&EmberwalkDiagnosticsPlugin::TICK).is_some());
/// ```
pub struct EmberwalkDiagnosticsPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for EmberwalkDiagnosticsPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl EmberwalkDiagnosticsPlugin {
    /// Measures the systems of [`EmberwalkPlugin::in_schedule`](crate::EmberwalkPlugin::in_schedule).
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }

    /// The milliseconds of all runs in a frame.
    pub const TICK: DiagnosticPath = DiagnosticPath::const_new("emberwalk/tick");
    /// The milliseconds of a frame in which crowds found routes and walked.
    pub const CROWDS: DiagnosticPath = DiagnosticPath::const_new("emberwalk/crowds");
    /// The number of agents.
    pub const AGENTS: DiagnosticPath = DiagnosticPath::const_new("emberwalk/agents");
    /// The number of agents that wait for others or for a route.
    pub const WAITING: DiagnosticPath = DiagnosticPath::const_new("emberwalk/waiting");
}

/// The milliseconds that the runs of this frame have taken.
#[derive(Resource, Default)]
struct Times {
    begun: Option<Instant>,
    crowds_begun: Option<Instant>,
    tick: f64,
    crowds: f64,
}

impl Plugin for EmberwalkDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        use EmberwalkSystems::{Step, Sync, Writeback};
        for (path, unit) in [(Self::TICK, " ms"), (Self::CROWDS, " ms"), (Self::AGENTS, ""), (Self::WAITING, "")] {
            app.register_diagnostic(Diagnostic::new(path).with_suffix(unit));
        }
        app.init_resource::<Times>().add_systems(Last, measure);
        app.add_systems(
            self.schedule,
            (
                (|mut times: ResMut<Times>| times.begun = Some(Instant::now())).before(Sync),
                (|mut times: ResMut<Times>| times.crowds_begun = Some(Instant::now())).after(Sync).before(Step),
                (|mut times: ResMut<Times>| times.crowds += milliseconds(times.crowds_begun))
                    .after(Step)
                    .before(Writeback),
                (|mut times: ResMut<Times>| times.tick += milliseconds(times.begun)).after(Writeback),
            ),
        );
    }
}

fn milliseconds(since: Option<Instant>) -> f64 {
    since.map_or(0.0, |since| since.elapsed().as_secs_f64() * 1e3)
}

/// Measures this frame.
fn measure(mut diagnostics: Diagnostics, mut times: ResMut<Times>, states: Query<&NavState, With<NavAgent>>) {
    let waits =
        |state: &&NavState| matches!(state, NavState::Waiting { .. } | NavState::Unreachable | NavState::WalledIn);
    let Times { tick, crowds, .. } = std::mem::take(&mut *times);
    diagnostics.add_measurement(&EmberwalkDiagnosticsPlugin::TICK, || tick);
    diagnostics.add_measurement(&EmberwalkDiagnosticsPlugin::CROWDS, || crowds);
    diagnostics.add_measurement(&EmberwalkDiagnosticsPlugin::AGENTS, || states.iter().count() as f64);
    diagnostics.add_measurement(&EmberwalkDiagnosticsPlugin::WAITING, || states.iter().filter(waits).count() as f64);
}
