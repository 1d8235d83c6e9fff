//! Folds the palette. Beside the search view it is folded at first: both together would fill the left side of the window.

use bevy::prelude::*;

use crate::game::app_systems::AppSystems;
use crate::game::hud::widgets::set_shown;
use crate::game::input::action::Action;
use crate::game::mode::{GameMode, SearchPage};

use super::parts::Foldable;

/// Whether the palette is folded: whether its tools and pictures are hidden.
#[derive(Resource, Default)]
struct Folded {
    by_itself: bool,
    unfolded_beside_search: bool,
}

impl Folded {
    /// Whether it is folded while this page is open.
    fn get(&self, page: SearchPage) -> bool {
        if page == SearchPage::Closed { self.by_itself } else { !self.unfolded_beside_search }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Folded>()
        .add_systems(Update, (toggle, fold).chain().run_if(in_state(GameMode::Painting)).in_set(AppSystems::Show));
}

fn toggle(mut actions: MessageReader<Action>, page: Res<State<SearchPage>>, mut folded: ResMut<Folded>) {
    for _ in actions.read().filter(|action| **action == Action::TogglePalette) {
        match page.get() {
            SearchPage::Closed => folded.by_itself = !folded.by_itself,
            SearchPage::Open | SearchPage::Race => folded.unfolded_beside_search = !folded.unfolded_beside_search,
        }
    }
}

fn fold(folded: Res<Folded>, page: Res<State<SearchPage>>, mut parts: Query<&mut Node, With<Foldable>>) {
    let is_folded = folded.get(*page.get());
    parts.iter_mut().for_each(|mut node| set_shown(&mut node, !is_folded));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::hud::laid_out::LaidOut;

    #[test]
    fn beside_the_search_view_it_is_folded_until_the_player_unfolds_it() {
        let mut app = LaidOut::new(UVec2::new(1280, 720)).app;
        app.insert_state(GameMode::Painting).add_message::<Action>();
        app.add_plugins(plugin);
        let part = app.world_mut().spawn((Node::default(), Foldable)).id();
        let is_folded = |app: &mut App, page: SearchPage| {
            app.world_mut().resource_mut::<NextState<SearchPage>>().set(page);
            app.update();
            app.world().get::<Node>(part).is_some_and(|node| node.display == Display::None)
        };
        assert!(!is_folded(&mut app, SearchPage::Closed));
        assert!(is_folded(&mut app, SearchPage::Open));
        assert!(!is_folded(&mut app, SearchPage::Closed), "it comes back by itself");
        app.world_mut().write_message(Action::TogglePalette);
        assert!(!is_folded(&mut app, SearchPage::Open));
        assert!(!is_folded(&mut app, SearchPage::Closed));
        app.world_mut().write_message(Action::TogglePalette);
        assert!(is_folded(&mut app, SearchPage::Closed));
        assert!(!is_folded(&mut app, SearchPage::Open), "each has its own choice");
    }
}
