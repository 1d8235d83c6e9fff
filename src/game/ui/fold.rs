//! Foldable parts: which of them the player has opened, and their elements.

use bevy::ecs::system::SystemParam;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use lucide_icons::Icon;

use crate::game::action::{Action, Fold};
use crate::game::app_systems::AppSystems;

use super::card_heights::CardHeights;
use super::element::{Element, Style, apart, button, card, column, icon, scroll, spring};
use super::regions::Regions;
use super::theme::{MEDIUM, SECOND, SMALL, TIGHT};

/// The width of a card.
pub(in crate::game) const WIDTH: f32 = 264.0;

/// The border of a card.
const BORDER: f32 = 1.0;

/// The minimum width of the folded card about a cell.
const FOLDED_CELL: f32 = 192.0;

/// The parts that the player has opened.
#[derive(Resource, Default)]
pub(in crate::game) struct OpenFolds(HashSet<Fold>);

impl OpenFolds {
    pub(in crate::game) fn has(&self, fold: Fold) -> bool {
        self.0.contains(&fold)
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OpenFolds>().add_systems(Update, toggle.in_set(AppSystems::Act));
}

fn toggle(mut actions: MessageReader<Action>, mut open: ResMut<OpenFolds>) {
    for action in actions.read() {
        if let Action::ToggleFold(fold) = *action
            && !open.0.remove(&fold)
        {
            open.0.insert(fold);
        }
    }
}

/// A line that shows or hides the part below it.
pub(in crate::game) fn fold_line(fold: Fold, is_open: bool, mut content: Vec<Element>) -> Element {
    let symbol = if is_open { Icon::ChevronDown } else { Icon::ChevronRight };
    content.insert(0, icon(symbol, 16, SECOND));
    button(Action::ToggleFold(fold), Style::Quiet, content).pad(TIGHT, 0.0).with(|node| {
        node.justify_content = JustifyContent::FlexStart;
        node.column_gap = px(TIGHT);
    })
}

/// Builds the cards over the corners of the map. If there is little room, each begins folded.
#[derive(SystemParam)]
pub(in crate::game) struct Cards<'w> {
    pub regions: Res<'w, Regions>,
    pub open: Res<'w, OpenFolds>,
    heights: Res<'w, CardHeights>,
}

impl Cards<'_> {
    pub(in crate::game) fn is_folded(&self, fold: Fold) -> bool {
        self.regions.is_compact() && !self.open.has(fold)
    }

    /// The first line of a card, which unfolds it if it can be folded. `about` is the subject of the card.
    pub(in crate::game) fn head(&self, fold: Fold, about: &str, mut content: Vec<Element>) -> Element {
        if !self.regions.is_compact() {
            return apart(content);
        }
        let is_open = self.open.has(fold);
        let end = content.len().min(1);
        content.insert(end, spring());
        let name = format!("Show {} about the {about}", if is_open { "less" } else { "more" });
        fold_line(fold, is_open, content).named(name)
    }

    /// A card with these rows. A folded card is only as wide as necessary, and an open one scrolls if there is too little
    /// room for it.
    pub(in crate::game) fn frame(&self, fold: Fold, rows: Vec<Element>) -> Element {
        if self.is_folded(fold) {
            let bottom = px(if rows.len() > 1 { SMALL } else { TIGHT });
            let min_width = match fold {
                // A card that changes with the pointer keeps its width.
                Fold::Cell => px(FOLDED_CELL),
                // The text about a change would take many short lines.
                Fold::Route if rows.len() > 1 => px(WIDTH),
                _ => auto(),
            };
            return card(rows).pad(SMALL, TIGHT).with(|node| {
                node.min_width = min_width;
                node.max_width = px(WIDTH);
                node.padding.bottom = bottom;
            });
        }
        let (x, y) = if self.regions.is_compact() { (SMALL, TIGHT) } else { (MEDIUM, MEDIUM) };
        // The rows are inside the part that scrolls, so that it does not cut off the ring around a control that has the
        // focus; and they are there even if nothing scrolls, so that they stay the same when something does.
        let most = self.heights.most_for(fold, self.regions.map.height());
        let most = most.map_or(Val::Auto, |most| px(most - 2.0 * BORDER));
        // Clipped, because the engine lets a text that wraps overflow by its height at the smallest width: the card would
        // scroll although there is room for all of it.
        let rows = column(rows).gap(6.0).pad(x, y).with(|node| node.overflow = Overflow::clip());
        card(vec![scroll(most, vec![rows])]).pad(0.0, 0.0).width(WIDTH)
    }
}
