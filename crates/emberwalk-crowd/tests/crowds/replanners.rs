//! Replanners that are saved with a crowd, whose grid keeps its last changes.

use emberwalk_crowd::Crowd;
use emberwalk_path::grid::Size;
use emberwalk_path::time::Pace;
use emberwalk_path::{EntryCost, KnownAnswer, Planner, Replanner, RouteQuery, StepRules};
use fastrand::Rng;

use super::{any_cell, open_where};

/// The loaded one searches when the other one does, and returns the same routes, on ground where many cost the same.
#[test]
fn a_loaded_replanner_answers_like_the_saved_one() {
    let mut random = Rng::with_seed(3);
    let size = Size::new(40, 30);
    let (mut kept, mut searched) = (0, 0);
    for _ in 0..200 {
        let cell = |random: &mut Rng| any_cell(size, random);
        let grid = open_where(size, |_| random.u8(..5) > 0);
        let mut crowd = Crowd::new(grid, StepRules::default(), Pace::default());
        let query = RouteQuery::new(cell(&mut random), cell(&mut random)).with_partial();
        let (mut planner, mut replanner) = (Planner::new(), Replanner::new());
        let edit = |crowd: &mut Crowd, random: &mut Rng| {
            for _ in 0..random.usize(..4) {
                crowd.set(cell(random), random.bool().then_some(EntryCost::TILE));
            }
        };
        let Ok(result) = replanner.plan(&mut planner, crowd.grid(), &query) else { continue };
        let next = result.route_or_partial().and_then(|route| route.cells.get(1).copied());
        edit(&mut crowd, &mut random);
        let json = serde_json::to_string(&(&crowd, replanner.known_answer(crowd.grid()))).unwrap();
        let (mut other, answer): (Crowd, Option<KnownAnswer>) = serde_json::from_str(&json).unwrap();
        let mut loaded = answer.map(|answer| Replanner::with_known_answer(answer, other.grid())).unwrap_or_default();
        let (mut new_planner, seed) = (Planner::new(), random.u64(..));
        edit(&mut crowd, &mut Rng::with_seed(seed));
        edit(&mut other, &mut Rng::with_seed(seed));
        let mut query = query;
        query.from = next.unwrap_or(query.from);
        let before = replanner.plan(&mut planner, crowd.grid(), &query);
        let again = loaded.plan(&mut new_planner, other.grid(), &query);
        assert_eq!(before, again);
        let is_kept = before.is_ok_and(|result| result.expanded == 0);
        (kept, searched) = (kept + u32::from(is_kept), searched + u32::from(!is_kept));
    }
    assert!(kept > 50 && searched > 10, "{kept}, {searched}");
}
