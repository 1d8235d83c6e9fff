//! Makes panels, cards and toasts glide into their places, unless the player wants less motion.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::frames::wake::Wake;

/// How far below its place a card appears, in logical pixels.
const DISTANCE: f32 = 8.0;

/// An element that has just appeared, and glides into its place for this time.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Glides {
    since: Option<Duration>,
    lasts: Duration,
}

impl Glides {
    pub fn new(lasts: Duration) -> Self {
        Self { since: None, lasts }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, glide.after(AppSystems::Show));
}

/// Fast at first, then slower. The time counts from the first frame that shows it.
fn glide(
    time: Res<Time<Real>>,
    reduced: Res<ReducedMotion>,
    mut gliding: Query<(Entity, &mut Glides, &mut UiTransform)>,
    mut wakes: MessageWriter<Wake>,
    mut commands: Commands,
) {
    for (entity, mut glides, mut transform) in &mut gliding {
        let since = *glides.since.get_or_insert(time.elapsed());
        let left = 1.0 - (time.elapsed() - since).div_duration_f32(glides.lasts);
        if left > 0.0 && !reduced.is_on() {
            transform.translation = Val2::px(0.0, DISTANCE * left * left);
            wakes.write(Wake::NextFrame);
        } else {
            transform.translation = Val2::ZERO;
            commands.entity(entity).remove::<Glides>();
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;

    use super::*;
    use crate::game::action::Action;
    use crate::game::app_systems;
    use crate::game::frames::reduced_motion;

    /// Runs a frame that begins this many milliseconds after the previous one. Returns how far from its place the card
    /// is, and whether another frame is asked for.
    fn frame(app: &mut App, card: Entity, millis: u64) -> (Val, bool) {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(millis)));
        app.update();
        let asks = app.world_mut().resource_mut::<Messages<Wake>>().drain().count() > 0;
        (app.world().get::<UiTransform>(card).expect("it is there").translation.y, asks)
    }

    #[test]
    fn a_card_glides_into_its_place_and_then_the_window_sleeps() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, app_systems::plugin, reduced_motion::plugin, plugin));
        app.add_message::<Action>().add_message::<Wake>();
        let spawn = |app: &mut App| {
            let glides = Glides::new(Duration::from_millis(100));
            app.world_mut().spawn((UiTransform::default(), glides)).id()
        };
        let card = spawn(&mut app);
        assert_eq!(frame(&mut app, card, 16), (px(DISTANCE), true));
        assert_eq!(frame(&mut app, card, 50), (px(DISTANCE / 4.0), true));
        assert_eq!(frame(&mut app, card, 50), (px(0), false));
        assert_eq!(frame(&mut app, card, 16), (px(0), false));
        app.world_mut().write_message(Action::ToggleReducedMotion);
        let card = spawn(&mut app);
        assert_eq!(frame(&mut app, card, 16), (px(0), false), "the player wants less motion");
    }
}
