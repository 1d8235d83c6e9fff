//! Displays trees of elements. They are compared with the previous ones, and only differences are applied: an element
//! whose neighbours come and go keeps its entity, and so its focus, a press on it, and its colours.

use std::mem::take;

use bevy::ecs::system::EntityCommands;
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::text::{FontFeatureTag, FontFeatures, FontWeight, LineBreak, LineHeight};
use bevy::ui::{OverrideClip, UiTransform};

use super::controls::{is_pressable, operate};
use super::element::{Content, Element, Face, Paint, Words, absolute};
use super::font::{ICONS, MONOSPACE};
use super::identity::{Tree, partners};
use super::motion::Glides;
use super::refused::refuse;
use crate::game::world::open_map::OpenMap;

/// A displayed element without its children, which are stored separately.
struct Shown {
    entity: Entity,
    element: Element,
    children: Vec<Shown>,
}

impl Tree for Shown {
    fn element(&self) -> &Element {
        &self.element
    }

    fn children(&self) -> &[Self] {
        &self.children
    }
}

/// A node over the whole window, for elements in front of the panels. `order` is its z-order.
pub(in crate::game) fn cover_layer(app: &mut App, order: i32) -> Entity {
    let node = Node { width: percent(100), height: percent(100), ..absolute() };
    app.world_mut().spawn((node, GlobalZIndex(order), Pickable::IGNORE)).id()
}

/// A system that shows the elements of the system before it as the children of `place`.
pub(in crate::game) fn show_in(place: Entity) -> impl FnMut(In<Vec<Element>>, Option<Res<OpenMap>>, Commands) {
    let mut shown = Vec::new();
    move |In(mut wanted), map, mut commands| {
        if map.is_some_and(|map| map.is_replay()) {
            refuse(&mut wanted);
        }
        show(&mut commands, place, &mut shown, wanted)
    }
}

fn show(commands: &mut Commands, parent: Entity, shown: &mut Vec<Shown>, wanted: Vec<Element>) {
    let partners = partners(shown, &wanted);
    let mut before: Vec<_> = shown.drain(..).map(Some).collect();
    for (index, old) in before.iter_mut().enumerate() {
        if !partners.contains(&Some(index))
            && let Some(gone) = old.take()
        {
            commands.entity(gone.entity).despawn();
        }
    }
    // The current children: the remaining ones, in their old order.
    let mut order: Vec<_> = before.iter().flatten().map(|old| old.entity).collect();
    for (index, (element, partner)) in wanted.into_iter().zip(partners).enumerate() {
        let next = match partner.and_then(|partner| before[partner].take()) {
            Some(mut old) => {
                old.change(commands, element);
                old
            }
            None => Shown::spawn(commands, element, shown.last().map(|before| before.entity)),
        };
        if order.get(index) != Some(&next.entity) {
            order.retain(|other| *other != next.entity);
            order.insert(index, next.entity);
            commands.entity(parent).insert_children(index, &[next.entity]);
        }
        shown.push(next);
    }
}

impl Shown {
    /// Spawns an element. `before` is the element before it.
    fn spawn(commands: &mut Commands, mut element: Element, before: Option<Entity>) -> Self {
        let wanted = take(&mut element.children);
        let mut entity = commands.spawn(element.node.clone());
        let is_pressable = is_pressable(element.control.as_ref());
        if !is_pressable {
            entity.insert(Pickable::IGNORE);
        }
        paint(&mut entity, &Paint::default(), &element.paint, is_pressable);
        if let Some(lasts) = element.paint.glides {
            entity.insert((UiTransform::default(), Glides::new(lasts)));
        }
        fill(&mut entity, &element.content);
        operate(&mut entity, None, &element, before);
        let entity = entity.id();
        let mut children = Vec::new();
        show(commands, entity, &mut children, wanted);
        Self { entity, element, children }
    }

    fn change(&mut self, commands: &mut Commands, mut element: Element) {
        let wanted = take(&mut element.children);
        if self.element != element {
            let mut entity = commands.entity(self.entity);
            if self.element.node != element.node {
                entity.insert(element.node.clone());
            }
            if self.element.paint != element.paint {
                let is_pressable = is_pressable(self.element.control.as_ref());
                paint(&mut entity, &self.element.paint, &element.paint, is_pressable);
            }
            if self.element.content != element.content {
                fill(&mut entity, &element.content);
            }
            operate(&mut entity, Some(&self.element), &element, None);
            self.element = element;
        }
        show(commands, self.entity, &mut self.children, wanted);
    }
}

/// Gives an entity the paint of its element, and removes the paint that it no longer has.
fn paint(entity: &mut EntityCommands, old: &Paint, new: &Paint, is_pressable: bool) {
    replace(entity, old.back, new.back, BackgroundColor);
    replace(entity, old.border, new.border, BorderColor::all);
    replace(entity, old.layer, new.layer, |layer| (GlobalZIndex(layer), OverrideClip));
    if new.has_shadow {
        entity.insert(BoxShadow::new(Color::BLACK.with_alpha(0.45), px(0), px(4), px(0), px(16)));
    } else if old.has_shadow {
        entity.remove::<BoxShadow>();
    }
    if new.covers {
        entity.insert(Hovered::default());
    } else if old.covers && !is_pressable {
        entity.remove::<Hovered>();
    }
    if old.turn != 0.0 || new.turn != 0.0 {
        entity.insert(UiTransform::from_rotation(Rot2::degrees(new.turn)));
    }
}

fn replace<T, B: Bundle>(entity: &mut EntityCommands, old: Option<T>, new: Option<T>, bundle: impl Fn(T) -> B) {
    match new {
        Some(new) => drop(entity.insert(bundle(new))),
        None if old.is_some() => drop(entity.remove::<B>()),
        None => {}
    }
}

fn fill(entity: &mut EntityCommands, content: &Content) {
    match content {
        Content::None => {}
        Content::Image(image) => drop(entity.insert(ImageNode::new(image.clone()))),
        Content::Gradient(colours) => {
            let stops = colours.iter().map(|colour| ColorStop::auto(*colour)).collect();
            entity.insert(BackgroundGradient::from(LinearGradient::new(LinearGradient::TO_RIGHT, stops)));
        }
        Content::Text(words) => {
            entity.despawn_related::<Children>();
            let Some((first, others)) = words.split_first() else { return };
            let layout = TextLayout::new(Justify::Start, LineBreak::WordOrCharacter);
            entity.insert((Text::new(&first.text), layout, look(first))).with_children(|spans| {
                for words in others {
                    spans.spawn((TextSpan::new(&words.text), look(words)));
                }
            });
        }
    }
}

fn look(words: &Words) -> impl Bundle {
    let (size, line) = words.size.px();
    let font = TextFont { font_features: FontFeatures::from([FontFeatureTag::TABULAR_FIGURES]), ..default() };
    let (font, size, line) = match words.face {
        Face::Proportional => (font, size, line),
        Face::Monospace => (font.with_font(MONOSPACE), size - 1.0, line),
        Face::Icons(side) => (font.with_font(ICONS), side.into(), side.into()),
    };
    let weight = if words.is_bold { FontWeight::SEMIBOLD } else { FontWeight::NORMAL };
    (TextFont { weight, ..font.with_font_size(size) }, TextColor(words.colour), LineHeight::Px(line))
}

#[cfg(test)]
mod tests {
    use super::super::element::{Style, action_button, caption, entry, row, text};
    use super::*;
    use crate::game::action::Action;

    /// A place in a world that shows elements.
    struct Stage {
        world: World,
        node: Entity,
        shown: Vec<Shown>,
    }

    impl Stage {
        fn new() -> Self {
            let mut world = World::new();
            let node = world.spawn(Node::default()).id();
            Self { world, node, shown: Vec::new() }
        }

        /// Shows these elements instead of the previous ones, and returns their entities.
        fn show(&mut self, wanted: Vec<Element>) -> Vec<Entity> {
            show(&mut self.world.commands(), self.node, &mut self.shown, wanted);
            self.world.flush();
            let children = self.world.get::<Children>(self.node);
            let entities: Vec<_> = children.into_iter().flatten().copied().collect();
            assert_eq!(entities, self.shown.iter().map(|shown| shown.entity).collect::<Vec<_>>(), "their order");
            entities
        }

        fn children(&self, entity: Entity) -> Vec<Entity> {
            self.world.get::<Children>(entity).into_iter().flatten().copied().collect()
        }
    }

    fn buttons() -> Element {
        let button = |action, label| action_button(action, Style::Plain, None, label);
        row(vec![button(Action::ToggleFollow, "Follow"), button(Action::LetGo, "Let go")])
    }

    #[test]
    fn buttons_keep_their_entities_when_rows_come_and_go() {
        let mut place = Stage::new();
        let waits = || row(vec![caption("!"), text("Waits")]);
        let short = || vec![caption("Peasant 7"), buttons()];
        let long = || vec![caption("Peasant 7"), waits(), entry("Still to go", "3.00"), buttons(), text("the end")];
        let first = place.show(short());
        let own = place.children(first[1]);
        for wanted in [long(), short(), long()] {
            let at = wanted.len().min(4) - 1;
            let now = place.show(wanted);
            assert_eq!((now[at], place.children(now[at])), (first[1], own.clone()));
        }
    }

    #[test]
    fn a_list_that_is_sorted_anew_moves_its_rows() {
        let mut place = Stage::new();
        let lesson = |index: usize| action_button(Action::OpenLesson(index), Style::Tile, None, &index.to_string());
        let before = place.show([0, 1, 2, 3].map(lesson).into());
        let after = place.show([3, 1, 4, 0].map(lesson).into());
        assert_eq!([after[0], after[1], after[3]], [before[3], before[1], before[0]]);
        assert!(!before.contains(&after[2]) && place.world.get_entity(before[2]).is_err());
    }

    #[test]
    fn what_an_element_is_not_any_more_is_not_seen_on_it() {
        let mut place = Stage::new();
        let painted = || row(vec![]).back(Color::WHITE).border(Color::WHITE).covering().layer(3).named("a part");
        let entity = place.show(vec![painted()])[0];
        assert_eq!(place.show(vec![row(vec![])]), [entity]);
        let entity = place.world.entity(entity);
        assert!(!entity.contains::<Hovered>() && !entity.contains::<GlobalZIndex>());
        assert!(!entity.contains::<bevy::a11y::AccessibilityNode>());
        assert!(!entity.contains::<BackgroundColor>() && !entity.contains::<BorderColor>());
    }
}
