//! The traveller of a lesson about a journey: it sets out once the player has answered, and its time is measured.

use bevy::prelude::*;
use tracing::info;

use crate::game::journey::goal::TravellerGoal;
use crate::game::journey::placing::PutTraveller;
use crate::game::journey::traveller::Player;
use crate::game::world::announced::AnnouncedEruption;
use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::TerrainChanged;
use crate::lessons::{Lesson, LessonJourney, Subject};
use emberwalk_path::time::{CrowdTime, Step};
use emberwalk_world::{VolcanoChoice, World};

use super::{LessonScreen, OpenLesson, Phase};

/// The journey of a lesson, from its departure on. All times are on the clock of the world.
#[derive(Clone, Copy, Debug)]
pub struct BegunJourney {
    pub(super) announced: LessonJourney,
    departure: CrowdTime,
    /// The last step that was seen.
    last_step: Option<Step>,
    arrival: Option<CrowdTime>,
}

impl BegunJourney {
    /// Whether the traveller has arrived.
    pub fn has_arrived(&self) -> bool {
        self.arrival.is_some()
    }

    /// How long the traveller has been on the way at a time, or was until it arrived.
    pub fn duration(&self, now: CrowdTime) -> CrowdTime {
        self.arrival.unwrap_or(now) - self.departure
    }

    /// Whether the volcanoes are going to erupt, or have erupted, at the announced time.
    pub(super) fn erupts_as_announced(&self, world: &World) -> bool {
        let eruption = self.departure + CrowdTime::from_whole_seconds(self.announced.erupts_in.into());
        match world.announced() {
            Some(rest) => world.clock() + rest == eruption,
            None => world.clock() >= eruption && !world.map().any_dormant(),
        }
    }
}

/// Announces the eruption of a journey and sends the traveller from the tent to the castle, whatever was before.
pub(super) fn set_out(
    In(announced): In<LessonJourney>,
    mut traveller: PutTraveller,
    mut goal: Single<&mut TravellerGoal, With<Player>>,
    mut lesson: ResMut<OpenLesson>,
    mut changes: MessageWriter<TerrainChanged>,
) {
    let Some(open) = &mut lesson.open else { return };
    let change = traveller.map.choose(VolcanoChoice::AsDrawn);
    if !change.undo.is_empty() {
        changes.write(change);
    }
    let [tent, castle] = traveller.endpoints();
    traveller.stand(tent);
    traveller.map.order(announced.announcement());
    info!(seconds = announced.erupts_in, "eruption announced");
    goal.set(castle, true);
    let departure = traveller.map.world().clock();
    open.journey = Some(BegunJourney { announced, departure, last_step: None, arrival: None });
    open.left = None;
}

/// Makes the ground that will be warm glow, while the lesson asks about it.
pub(super) fn foretell(lesson: Res<OpenLesson>, screen: Res<LessonScreen>, mut announced: ResMut<AnnouncedEruption>) {
    let journey = |(_, lesson): (_, &Lesson)| matches!(lesson.subject, Subject::Journey(_));
    let is_asked = lesson.phase() == Some(Phase::Predict) && screen.is_on_subject();
    let is_foretold = is_asked && lesson.get().is_some_and(journey);
    if announced.is_foretold != is_foretold {
        announced.is_foretold = is_foretold;
    }
}

/// Notes the arrival time of the traveller.
pub(super) fn follow_traveller(map: Res<OpenMap>, screen: Res<LessonScreen>, mut lesson: ResMut<OpenLesson>) {
    let open = lesson.bypass_change_detection().open.as_mut();
    let journey = open.and_then(|open| open.journey.as_mut()).filter(|journey| !journey.has_arrived());
    let Some((journey, walker)) = journey.filter(|_| screen.is_on_subject()).zip(map.world().walker()) else { return };
    if let Some(step) = walker.step() {
        journey.last_step = Some(step);
    } else if Some(walker.entered()) == map.castle() {
        // The last step has ended before the end of this frame, unless it was skipped.
        let last = journey.last_step.filter(|step| step.to == walker.entered());
        journey.arrival = Some(last.map_or(map.world().clock(), |step| step.end));
    }
}
