//! Lets a view that fits the map again glide into its place, unless the player wants less motion.

use std::time::Duration;

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::frames::reduced_motion::ReducedMotion;
use crate::game::frames::wake::Wake;
use crate::game::viewport::Viewport;
use crate::game::world::open_map::OpenMap;

/// For how long the view glides.
const LASTS: Duration = Duration::from_millis(200);

/// A view on its way.
struct Gliding {
    from: Viewport,
    to: Viewport,
    since: Duration,
}

/// Tests of the rules add it too.
pub fn plugin(app: &mut App) {
    app.init_resource::<ReducedMotion>().add_systems(Update, glide.after(AppSystems::Listen).before(AppSystems::Act));
}

/// Moves the view from its previous place to the place framed in this frame. A map that is drawn as pictures of its
/// parts is in its place immediately: the pictures of each zoom on the way would have to be drawn.
fn glide(
    time: Res<Time<Real>>,
    reduced: Res<ReducedMotion>,
    map: Res<OpenMap>,
    mut view: ResMut<Viewport>,
    mut shown: Local<Option<Viewport>>,
    mut gliding: Local<Option<Gliding>>,
    mut wakes: MessageWriter<Wake>,
) {
    let now = *view;
    let before = shown.unwrap_or(*view);
    if now != before {
        let is_far = [before, now].iter().any(|view| view.is_far(map.projection()));
        let glides = now.is_framed_again(&before) && !reduced.is_on() && !is_far;
        *gliding = glides.then(|| Gliding { from: before, to: now, since: time.elapsed() });
    }
    if let Some(Gliding { from, to, since }) = &*gliding {
        let left = 1.0 - (time.elapsed() - *since).div_duration_f32(LASTS);
        if left > 0.0 {
            // Fast at first, then slower.
            *view = to.on_the_way_from(*from, 1.0 - left * left);
            wakes.write(Wake::NextFrame);
        } else {
            *view = *to;
            *gliding = None;
        }
    }
    *shown = Some(*view);
}
