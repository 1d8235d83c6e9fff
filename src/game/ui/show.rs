//! Displays trees of elements. They are compared with the previous ones, and only differences are applied.

use std::mem::{discriminant, take};

use bevy::ecs::system::EntityCommands;
use bevy::picking::hover::Hovered;
use bevy::prelude::*;
use bevy::text::{FontFeatureTag, FontFeatures, FontWeight, LineBreak, LineHeight};
use bevy::ui::{OverrideClip, UiTransform};

use super::controls::{is_pressable, operate};
use super::element::{Content, Control, Element, Face, Paint, Words};
use super::font::{ICONS, MONOSPACE};
use super::motion::Glides;
use super::refused::refuse;
use crate::game::world_orders::IsReplay;

/// A displayed element without its children, which are stored separately.
struct Shown {
    entity: Entity,
    element: Element,
    children: Vec<Shown>,
}

/// A node over the whole window, for elements in front of the panels. `order` is its z-order.
pub(in crate::game) fn cover_layer(app: &mut App, order: i32) -> Entity {
    let node = Node { position_type: PositionType::Absolute, width: percent(100), height: percent(100), ..default() };
    app.world_mut().spawn((node, GlobalZIndex(order), Pickable::IGNORE)).id()
}

/// A system that shows the elements of the system before it as the children of `place`.
pub(in crate::game) fn show_in(place: Entity) -> impl FnMut(In<Vec<Element>>, Option<Res<IsReplay>>, Commands) {
    let mut shown = Vec::new();
    move |In(mut wanted), replay, mut commands| {
        if replay.is_some() {
            refuse(&mut wanted);
        }
        show(&mut commands, place, &mut shown, wanted)
    }
}

fn show(commands: &mut Commands, parent: Entity, shown: &mut Vec<Shown>, wanted: Vec<Element>) {
    for old in shown.drain(wanted.len().min(shown.len())..) {
        commands.entity(old.entity).despawn();
    }
    for (index, element) in wanted.into_iter().enumerate() {
        if let Some(old) = shown.get_mut(index).filter(|old| is_same_kind(&old.element, &element)) {
            old.change(commands, element);
            continue;
        }
        let before = index.checked_sub(1).map(|before| shown[before].entity);
        let new = Shown::spawn(commands, element, before);
        commands.entity(parent).insert_children(index, &[new.entity]);
        if let Some(old) = shown.get_mut(index) {
            commands.entity(std::mem::replace(old, new).entity).despawn();
        } else {
            shown.push(new);
        }
    }
}

/// Whether an element can be changed into another one. A text field keeps its typed text only as long as its entity
/// stays the same.
fn is_same_kind(one: &Element, other: &Element) -> bool {
    let is_same_control = match (&one.control, &other.control) {
        (Some(Control::Field { field, .. }), Some(Control::Field { field: other, .. })) => field == other,
        (one, other) => one.as_ref().map(discriminant) == other.as_ref().map(discriminant),
    };
    is_same_control && discriminant(&one.content) == discriminant(&other.content)
}

impl Shown {
    /// Spawns an element. `before` is the element before it.
    fn spawn(commands: &mut Commands, mut element: Element, before: Option<Entity>) -> Self {
        let wanted = take(&mut element.children);
        let mut entity = commands.spawn(element.node.clone());
        if !is_pressable(element.control.as_ref()) {
            entity.insert(Pickable::IGNORE);
        }
        paint(&mut entity, &element.paint);
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
                paint(&mut entity, &element.paint);
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

fn paint(entity: &mut EntityCommands, paint: &Paint) {
    if let Some(back) = paint.back {
        entity.insert(BackgroundColor(back));
    }
    if let Some(border) = paint.border {
        entity.insert(BorderColor::all(border));
    }
    if paint.has_shadow {
        entity.insert(BoxShadow::new(Color::BLACK.with_alpha(0.45), px(0), px(4), px(0), px(16)));
    }
    if let Some(layer) = paint.layer {
        entity.insert((GlobalZIndex(layer), OverrideClip));
    }
    if paint.covers {
        entity.insert(Hovered::default());
    }
    if paint.turn != 0.0 {
        entity.insert(UiTransform::from_rotation(Rot2::degrees(paint.turn)));
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
