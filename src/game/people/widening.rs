//! The cell whose opening would help the people who wait the longest, while their traffic is shown.

use bevy::prelude::*;
use emberwalk_jobs::Latest;
use tracing::info;

use crate::game::action::{Action, OverlayChoice};
use crate::game::app_systems::AppSystems;
use crate::game::jobs::Jobs;
use crate::game::screen::notice::Hint;
use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_map::{LayerEdit, Map};
use emberwalk_path::Stamp;
use emberwalk_path::grid::Cell;
use emberwalk_world::town::Widening;

/// How often the question is asked again while there is no offer, in seconds of the town. The card also shows an opened
/// cell for this long.
const PERIOD: f64 = 20.0;

/// How long an offer stays, in seconds of the town: the player wants to read it and to look at the place.
const STAYS: f64 = 60.0;

/// With more travellers, the simulation would take too long.
const MOST_TRAVELLERS: usize = 1000;

/// A saving below this is not worth an offer, in seconds.
const LEAST: f64 = 0.2;

/// The terrain, and the number of the period.
type Question = (Stamp, u64);

/// The cell to open, as it is offered and as it was opened.
#[derive(Resource, Default)]
pub struct BestWidening {
    answer: Latest<Question, Option<Widening>>,
    offer: Option<Offer>,
    opened: Option<Opened>,
    is_looked_at: bool,
    is_asked: bool,
}

/// An offer to open a cell.
#[derive(Debug, PartialEq)]
struct Offer {
    widening: Widening,
    would: String,
    question: Question,
    /// The time of the town at which it was made.
    since: f64,
}

/// A cell that was opened.
struct Opened {
    did: String,
    /// The terrain after that.
    stamp: Stamp,
    since: f64,
}

/// The advice about a cell to open.
#[derive(Debug, PartialEq)]
pub enum Advice<'a> {
    /// There are too many people for a trial.
    None,
    /// The cell to open is not known yet.
    Looking,
    /// No cell is worth it.
    Nothing,
    /// Opening a cell would help, with the effect in words, such as *Remove the stone wall at 25,31*.
    Offer(&'a Widening, &'a str),
    /// A cell was opened, with the effect in words.
    Opened(&'a str),
}

impl BestWidening {
    /// The offer on a map; `None` if the map has changed since the question was asked.
    pub fn offer(&self, map: &OpenMap) -> Option<&Widening> {
        let offer = self.offer.as_ref()?;
        (offer.question.0 == map.costs().stamp()).then_some(&offer.widening)
    }

    /// The advice for a map.
    pub fn advice(&self, map: &OpenMap) -> Advice<'_> {
        let stamp = map.costs().stamp();
        if let Some(offer) = self.offer.as_ref().filter(|offer| offer.question.0 == stamp) {
            return Advice::Offer(&offer.widening, &offer.would);
        }
        match &self.opened {
            Some(opened) if opened.stamp == stamp => Advice::Opened(&opened.did),
            _ if !self.is_asked => Advice::None,
            _ if self.answer.last().is_some_and(|((of, _), _)| *of == stamp) => Advice::Nothing,
            _ => Advice::Looking,
        }
    }

    /// Notes whether the player looks at the offer. As long as they do, it stays.
    pub fn look_at(&mut self, is_looked_at: bool) {
        self.is_looked_at = is_looked_at;
    }

    /// The question to answer now about this terrain; `None` if there is none.
    fn question(&self, stamp: Stamp, now: f64) -> Option<Question> {
        let has_just_opened = self.opened.as_ref().is_some_and(|opened| is_within(opened.since, now, PERIOD));
        // The first minute is not over yet.
        if now < PERIOD || has_just_opened {
            return None;
        }
        let stays =
            |offer: &&Offer| offer.question.0 == stamp && (self.is_looked_at || is_within(offer.since, now, STAYS));
        let kept = self.offer.as_ref().filter(stays).map(|offer| offer.question);
        Some(kept.unwrap_or((stamp, (now / PERIOD) as u64)))
    }

    /// Makes an offer of the last answer, or takes the offer back.
    fn follow_answer(&mut self, map: &Map, now: f64) {
        let stamp = map.costs().stamp();
        self.opened.take_if(|opened| opened.stamp != stamp);
        self.offer.take_if(|offer| offer.question.0 != stamp);
        let Some((question, answer)) = self.answer.last().filter(|((of, _), _)| *of == stamp) else { return };
        if self.offer.as_ref().is_some_and(|offer| offer.question == *question) {
            return;
        }
        self.offer = answer.clone().filter(|widening| widening.saved >= LEAST).map(|widening| Offer {
            would: in_words(map, widening.cell, &WOULD),
            widening,
            question: *question,
            since: now,
        });
    }
}

/// Whether a time is at most this many seconds after another. In a recording, it may be earlier.
fn is_within(since: f64, now: f64, seconds: f64) -> bool {
    (0.0..seconds).contains(&(now - since))
}

/// The verbs for the effect of opening a cell.
struct Verbs {
    remove: &'static str,
    replace: &'static str,
}

const WOULD: Verbs = Verbs { remove: "Remove", replace: "Replace" };
const DID: Verbs = Verbs { remove: "Removed", replace: "Replaced" };

/// The effect of opening a cell of a map, in words: the removed terrain, and its replacement.
fn in_words(map: &Map, cell: Cell, Verbs { remove, replace }: &Verbs) -> String {
    let edits = map.edits_to_open(&[cell]);
    let ground = edits.iter().find_map(|edit| match edit.to {
        LayerEdit::Base(ground) => Some((&map.base_at(cell)?.name, &map.tileset()[ground].name)),
        _ => None,
    });
    let what = |name: &str| format!("the {name} at {cell}");
    match (map.overlay_at(cell), ground) {
        (Some(terrain), None) => format!("{remove} {}", what(&terrain.name)),
        (None, Some((old, new))) => format!("{replace} {} with {new}", what(old)),
        (Some(terrain), Some((_, new))) => format!("{replace} {} with {new}", what(&terrain.name)),
        (None, None) => format!("{remove} {}", what("obstacle")),
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<BestWidening>()
        .add_systems(Update, (open.in_set(AppSystems::Act), find.after(AppSystems::Plan).before(AppSystems::Walk)));
}

fn find(choice: Res<OverlayChoice>, map: Res<OpenMap>, jobs: Res<Jobs>, mut best: ResMut<BestWidening>) {
    let town = map.town().filter(|town| *choice == OverlayChoice::Traffic && town.agents() <= MOST_TRAVELLERS);
    let now = town.map_or(0.0, |town| town.now().seconds());
    let question = town.and_then(|_| best.question(map.costs().stamp(), now));
    Latest::follow(best.reborrow().map_unchanged(|best| &mut best.answer), question, &jobs, |_| {
        let town = town.cloned();
        let map = map.map().clone();
        jobs.start("Looking for a cell to open", move |_| town.and_then(|town| town.best_widening(&map)))
    });
    if town.is_none() {
        (best.offer, best.opened) = (None, None);
    }
    best.is_asked = town.is_some();
    best.follow_answer(map.map(), now);
}

/// Opens the cell, and reports it.
fn open(
    mut actions: MessageReader<Action>,
    mut map: ResMut<OpenMap>,
    mut best: ResMut<BestWidening>,
    mut changes: MessageWriter<TerrainChanged>,
    mut hints: MessageWriter<Hint>,
) {
    if !actions.read().any(|action| *action == Action::Widen) {
        return;
    }
    let Some(cell) = best.offer(&map).map(|widening| widening.cell) else { return };
    let did = in_words(map.map(), cell, &DID);
    let edits = map.edits_to_open(&[cell]);
    changes.write_batch(map.edit(&edits));
    map.finish_stroke();
    info!(%cell, "widened");
    let text = format!("{did}. Ctrl+Z takes it back.");
    hints.write(Hint { text, holds: |world| world.resource::<BestWidening>().opened.is_some() });
    let since = map.town().map_or(0.0, |town| town.now().seconds());
    best.opened = Some(Opened { did, stamp: map.costs().stamp(), since });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use emberwalk_map::terrain::Tileset;

    fn map() -> Map {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        Map::parse("a.ron", r#"(name: "a", base: ["GG~~"], overlay: [".WT."])"#, &tileset).unwrap()
    }

    #[test]
    fn what_opening_a_cell_does_is_said_in_words() {
        let map = map();
        let words = |x, verbs| in_words(&map, Cell::new(x, 0), verbs);
        assert_eq!(words(1, &WOULD), "Remove the stone wall at 1,0");
        assert_eq!(words(1, &DID), "Removed the stone wall at 1,0");
        assert_eq!(words(2, &WOULD), "Replace the thicket at 2,0 with grass");
        assert_eq!(words(3, &WOULD), "Replace the water at 3,0 with grass");
    }

    #[test]
    fn an_offer_stays_for_a_while_and_as_long_as_the_player_looks_at_it() {
        let [stamp, other] = [map(), map()].map(|map| map.costs().stamp());
        let widening = Widening { cell: Cell::new(1, 0), queue: vec![Cell::new(0, 0)], saved: 1.0 };
        let offer = Offer { widening, would: String::new(), question: (stamp, 1), since: 25.0 };
        let mut best = BestWidening { offer: Some(offer), ..BestWidening::default() };
        for (now, expected) in [(25.0, (stamp, 1)), (84.9, (stamp, 1)), (85.1, (stamp, 4)), (3.0, (stamp, 0))] {
            let expected = Some(expected).filter(|_| now >= PERIOD);
            assert_eq!(best.question(stamp, now), expected, "{now}");
        }
        best.look_at(true);
        assert_eq!(best.question(stamp, 500.0), Some((stamp, 1)));
        assert_eq!(best.question(other, 90.0), Some((other, 4)), "on other terrain it may be wrong");
    }
}
