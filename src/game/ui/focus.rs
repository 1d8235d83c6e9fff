//! The keyboard in the panels: F6 goes through the regions, arrows and Tab go through the controls of a region, and
//! Escape goes back to the map. Keys that no control takes go to the game.

use bevy::ecs::system::SystemParam;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input_focus::tab_navigation::{TabGroup, TabIndex};
use bevy::input_focus::{FocusCause, FocusedInput, InputFocus, InputFocusVisible};
use bevy::prelude::*;
use bevy::text::EditableText;
use bevy::ui::{InteractionDisabled, UiGlobalTransform, UiSystems};
use bevy::ui_widgets::{MenuPopup, ScrollIntoView};
use bevy::window::PrimaryWindow;

use crate::game::input::keyboard::UnclaimedKeys;

/// A region whose controls receive the focus without a request. Escape there goes back to the map and also closes the
/// open panel.
#[derive(Component)]
pub(in crate::game) struct TakesFocus;

/// The systems that keep the focus on a control, and the control visible.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FocusSystems;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<UnclaimedKeys>().add_observer(move_focus).add_systems(PostStartup, listen).add_systems(
        PostUpdate,
        (enter_dialogs, keep_focus, scroll_to_focus).chain().in_set(FocusSystems).after(UiSystems::Layout),
    );
}

/// Passes on the keys that no control has taken, and forgets the first focus of the engine, which is the window.
fn listen(window: Single<Entity, With<PrimaryWindow>>, mut focus: ResMut<InputFocus>, mut commands: Commands) {
    focus.clear();
    commands.entity(*window).observe(|key: On<FocusedInput<KeyboardInput>>, mut unclaimed: ResMut<UnclaimedKeys>| {
        unclaimed.keys.push(key.input.clone());
    });
}

/// Controls in rows: the arrows up and down go to the row above or below.
#[derive(Component)]
pub(super) struct FocusGrid;

/// The controls that can have the focus, by the regions and dialogs that they are in.
#[derive(SystemParam)]
struct Controls<'w, 's> {
    groups: Query<'w, 's, (Entity, &'static TabGroup), Without<MenuPopup>>,
    grids: Query<'w, 's, (), With<FocusGrid>>,
    places: Query<'w, 's, &'static UiGlobalTransform>,
    children: Query<'w, 's, &'static Children>,
    parents: Query<'w, 's, &'static ChildOf>,
    controls:
        Query<'w, 's, (&'static InheritedVisibility, &'static ComputedNode, Has<InteractionDisabled>), With<TabIndex>>,
}

impl Controls<'_, '_> {
    /// The region or dialog around an entity, and whether it is a dialog.
    fn group_of(&self, entity: Entity) -> Option<(Entity, bool)> {
        let (group, tabs) = self.parents.iter_ancestors(entity).find_map(|parent| self.groups.get(parent).ok())?;
        Some((group, tabs.modal))
    }

    fn is_disabled(&self, control: Entity) -> bool {
        self.controls.get(control).is_ok_and(|(.., is_disabled)| is_disabled)
    }

    /// The controls of a group, from its beginning to its end. A disabled control counts only if it has the focus.
    fn of(&self, group: Entity, focused: Option<Entity>) -> Vec<Entity> {
        let can_focus = |entity| {
            self.controls.get(entity).is_ok_and(|(visible, node, is_disabled)| {
                visible.get() && (!is_disabled || focused == Some(entity)) && node.size.min_element() > 0.0
            })
        };
        let mut found = Vec::new();
        let mut next = vec![group];
        while let Some(entity) = next.pop() {
            if can_focus(entity) {
                found.push(entity);
            }
            let inside = self.children.get(entity).into_iter().flatten().copied();
            next.extend(inside.collect::<Vec<_>>().into_iter().rev().filter(|child| !self.groups.contains(*child)));
        }
        found
    }

    /// The control after or before the focused control in its group; at the end, the first or the last control.
    fn beside(&self, focused: Entity, group: Entity, forward: bool) -> Option<Entity> {
        let controls = self.of(group, Some(focused));
        let count = controls.len();
        let here = controls.iter().position(|control| *control == focused);
        let index = here.map_or(0, |here| if forward { here + 1 } else { here + count - 1 } % count.max(1));
        controls.get(index).copied()
    }

    /// The control in the next row of the grid around the focused control, or in the row before; at the end of the grid,
    /// the control after or before it. `None` outside grids.
    fn in_next_row(&self, focused: Entity, group: Entity, forward: bool) -> Option<Entity> {
        let grid = self.parents.iter_ancestors(focused).find(|parent| self.grids.contains(*parent))?;
        let inside = self.of(grid, Some(focused));
        let place = |entity: &Entity| self.places.get(*entity).map_or(Vec2::ZERO, |place| place.translation);
        let here = place(&focused);
        let sign = if forward { 1.0 } else { -1.0 };
        // Controls of a row have the same height up to rounding.
        let below = inside.iter().map(|entity| (entity, (place(entity) - here) * Vec2::new(1.0, sign)));
        let below = below.filter(|(_, offset)| offset.y > 2.0);
        let nearest = below.min_by(|(_, one), (_, other)| {
            let one = (one.y.round(), one.x.abs());
            let other = (other.y.round(), other.x.abs());
            one.partial_cmp(&other).unwrap_or(std::cmp::Ordering::Equal)
        });
        nearest.map(|(entity, _)| *entity).or_else(|| {
            let edge = if forward { inside.last() } else { inside.first() };
            self.beside(*edge?, group, forward)
        })
    }

    /// The first control of the next or the previous region with controls.
    fn in_other_region(&self, here: Option<Entity>, forward: bool) -> Option<Entity> {
        let mut regions: Vec<_> = self.groups.iter().filter(|(_, group)| !group.modal).collect();
        regions.sort_by_key(|(_, group)| if forward { group.order } else { -group.order });
        let after = regions.iter().position(|(region, _)| Some(*region) == here).map_or(0, |here| here + 1);
        let count = regions.len();
        (0..count).find_map(|steps| self.of(regions[(after + steps) % count].0, None).first().copied())
    }
}

/// Moves the focus. A key event bubbles from the focused control to the window. This acts at the region, the dialog or
/// the window, if no widget has taken the key.
#[expect(clippy::too_many_arguments, reason = "a system lists everything that it accesses")]
fn move_focus(
    mut key: On<FocusedInput<KeyboardInput>>,
    controls: Controls,
    texts: Query<(), With<EditableText>>,
    windows: Query<(), With<Window>>,
    takes_focus: Query<(), With<TakesFocus>>,
    keys: Res<ButtonInput<Key>>,
    mut focus: ResMut<InputFocus>,
    mut visible: ResMut<InputFocusVisible>,
    mut unclaimed: ResMut<UnclaimedKeys>,
) {
    let stop = key.event_target();
    // A text field would take these keys, although it is a single line.
    let leaves_text = matches!(key.input.key_code, KeyCode::Escape | KeyCode::ArrowDown | KeyCode::ArrowUp);
    let is_stop = windows.contains(stop) || controls.groups.contains(stop) || leaves_text && texts.contains(stop);
    if key.input.state != ButtonState::Pressed || !is_stop {
        return;
    }
    let focused = focus.get().filter(|entity| !windows.contains(*entity));
    let group = focused.and_then(|focused| controls.group_of(focused));
    let is_modal = group.is_some_and(|(_, is_modal)| is_modal);
    let presses = matches!(key.input.key_code, KeyCode::Enter | KeyCode::NumpadEnter | KeyCode::Space);
    if presses && visible.0 && focused.is_some_and(|focused| controls.is_disabled(focused)) {
        // The key is for the control with the ring, and not for the map.
        key.propagate(false);
        return;
    }
    let is_text = focused.is_some_and(|focused| texts.contains(focused));
    // After a click, the focus is somewhere that the player does not see.
    let is_at_keyboard = focused.is_some() && visible.0;
    let forward = !keys.pressed(Key::Shift);
    let beside = |forward| focused.zip(group).and_then(|(here, (group, _))| controls.beside(here, group, forward));
    let in_next_row = |forward| {
        let row = focused.zip(group).and_then(|(here, (group, _))| controls.in_next_row(here, group, forward));
        row.or_else(|| beside(forward))
    };
    let next = match key.input.key_code {
        KeyCode::F6 if !is_modal => controls.in_other_region(group.map(|(group, _)| group), forward),
        KeyCode::F6 if is_modal => beside(forward),
        KeyCode::Tab if is_modal || is_at_keyboard => beside(forward),
        KeyCode::ArrowDown if focused.is_some() => in_next_row(true),
        KeyCode::ArrowUp if focused.is_some() => in_next_row(false),
        KeyCode::ArrowRight if focused.is_some() && !is_text => beside(true),
        KeyCode::ArrowLeft if focused.is_some() && !is_text => beside(false),
        KeyCode::Escape if focused.is_some() && !is_modal => {
            if group.is_some_and(|(group, _)| takes_focus.contains(group)) {
                unclaimed.keys.push(key.input.clone());
            }
            None
        }
        KeyCode::Escape if texts.contains(stop) => {
            unclaimed.keys.push(key.input.clone());
            return;
        }
        _ => return,
    };
    key.propagate(false);
    match next {
        Some(next) => {
            visible.0 = true;
            focus.set(next, FocusCause::Navigated);
        }
        None => focus.clear(),
    }
}

/// A region or a dialog that has just appeared.
type NewGroup = (Added<TabGroup>, Without<MenuPopup>);

/// Gives the focus to the first control of a dialog that has just opened.
fn enter_dialogs(opened: Query<(Entity, &TabGroup), NewGroup>, controls: Controls, mut focus: ResMut<InputFocus>) {
    for (dialog, _) in opened.iter().filter(|(_, group)| group.modal) {
        if let Some(first) = controls.of(dialog, None).first() {
            focus.set(*first, FocusCause::Navigated);
        }
    }
}

/// Where a control was when it received the focus: its region or dialog, and its place among the controls there.
#[derive(Clone, Copy)]
struct FocusedPlace {
    group: Entity,
    index: usize,
}

/// Moves the focus of a control that is gone to a control at its place in the same region, so that a player at the keyboard
/// stays there. Without such a control the focus is forgotten. A control that cannot be used any more keeps it: after the
/// last Undo, Enter must not be for Redo.
fn keep_focus(
    shown: Query<&InheritedVisibility>,
    controls: Controls,
    visible: Res<InputFocusVisible>,
    mut focus: ResMut<InputFocus>,
    mut place: Local<Option<FocusedPlace>>,
) {
    let Some(focused) = focus.get() else { return };
    if shown.get(focused).is_ok_and(|visible| visible.get()) {
        if focus.is_changed() {
            let index = |group| controls.of(group, Some(focused)).iter().position(|control| *control == focused);
            let group = controls.group_of(focused).map(|(group, _)| group);
            *place = group.and_then(|group| Some(FocusedPlace { group, index: index(group)? }));
        }
        return;
    }
    let next = place.take().filter(|_| visible.0).and_then(|FocusedPlace { group, index }| {
        let inside = controls.of(group, None);
        inside.get(index).or(inside.last()).copied()
    });
    match next {
        Some(next) => focus.set(next, FocusCause::Navigated),
        None => focus.clear(),
    }
}

fn scroll_to_focus(focus: Res<InputFocus>, visible: Res<InputFocusVisible>, mut commands: Commands) {
    if focus.is_changed()
        && visible.0
        && let Some(entity) = focus.get()
    {
        commands.trigger(ScrollIntoView { entity });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::InputPlugin;
    use bevy::input_focus::{InputDispatchPlugin, InputFocusPlugin};

    fn control(world: &mut World, group: Entity) -> Entity {
        let node = ComputedNode { size: Vec2::ONE, ..default() };
        world.spawn((TabIndex::default(), node, InheritedVisibility::VISIBLE, ChildOf(group))).id()
    }

    #[test]
    fn the_arrows_lead_from_a_control_that_was_just_disabled_to_its_neighbours() {
        let mut world = World::new();
        let group = world.spawn(TabGroup::new(0)).id();
        let [first, here, last] = [(); 3].map(|()| control(&mut world, group));
        world.entity_mut(here).insert(InteractionDisabled);
        let mut state = bevy::ecs::system::SystemState::<Controls>::new(&mut world);
        let controls = state.get(&world).expect("it can be read");
        assert_eq!([true, false].map(|forward| controls.beside(here, group, forward)), [Some(last), Some(first)]);
        assert_eq!(controls.beside(first, group, true), Some(last), "a disabled control is passed over");
    }

    #[test]
    fn in_a_grid_the_arrows_up_and_down_go_to_the_row_above_or_below() {
        let mut world = World::new();
        let group = world.spawn(TabGroup::new(0)).id();
        let field = control(&mut world, group);
        let grid = world.spawn((FocusGrid, ChildOf(group))).id();
        let tiles = [(0.0, 0.0), (9.0, 0.3), (18.0, 0.0), (0.0, 9.0), (9.0, 9.0)].map(|(x, y)| {
            let tile = control(&mut world, grid);
            world.entity_mut(tile).insert(UiGlobalTransform::from_xy(x, y));
            tile
        });
        let button = control(&mut world, group);
        let mut state = bevy::ecs::system::SystemState::<Controls>::new(&mut world);
        let controls = state.get(&world).expect("it can be read");
        let next = |from, forward| controls.in_next_row(from, group, forward);
        assert_eq!((next(tiles[1], true), next(tiles[4], false)), (Some(tiles[4]), Some(tiles[1])));
        assert_eq!(next(tiles[2], true), Some(tiles[4]), "the nearest one of a shorter row");
        assert_eq!((next(tiles[3], true), next(tiles[1], false)), (Some(button), Some(field)), "out of the grid");
        assert_eq!(next(field, true), None, "outside a grid");
    }

    /// An app with a region of three controls, of which the first has the focus, and with keys that go to the focus.
    fn app_with_keys() -> (App, Entity, [Entity; 3]) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, InputPlugin, InputFocusPlugin, InputDispatchPlugin));
        app.init_resource::<UnclaimedKeys>().insert_resource(InputFocusVisible(true)).add_observer(move_focus);
        app.add_systems(PostStartup, listen);
        app.world_mut().spawn((Window::default(), PrimaryWindow));
        let group = app.world_mut().spawn(TabGroup::new(0)).id();
        let controls = [(); 3].map(|()| control(app.world_mut(), group));
        app.update();
        app.world_mut().resource_mut::<InputFocus>().set(controls[0], FocusCause::Navigated);
        (app, group, controls)
    }

    /// Presses a key. Returns the control with the focus, and how many keys were left to the game.
    fn press(app: &mut App, key_code: KeyCode, logical_key: Key) -> (Option<Entity>, usize) {
        let state = ButtonState::Pressed;
        let window = Entity::PLACEHOLDER;
        app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key,
            state,
            text: None,
            repeat: false,
            window,
        });
        app.update();
        let left = app.world_mut().resource_mut::<UnclaimedKeys>().keys.drain(..).count();
        (app.world().resource::<InputFocus>().get(), left)
    }

    #[test]
    fn tab_goes_to_the_next_control_of_a_region_unless_its_ring_is_hidden() {
        let (mut app, _, [first, second, _]) = app_with_keys();
        assert_eq!(press(&mut app, KeyCode::Tab, Key::Tab), (Some(second), 0));
        press(&mut app, KeyCode::ShiftLeft, Key::Shift);
        assert_eq!(press(&mut app, KeyCode::Tab, Key::Tab), (Some(first), 0));
        app.insert_resource(InputFocusVisible(false));
        assert_eq!(press(&mut app, KeyCode::Tab, Key::Tab), (Some(first), 1), "it is left to the game");
    }

    #[test]
    fn escape_also_closes_what_is_open_if_the_region_has_taken_the_focus() {
        for takes_focus in [false, true] {
            let (mut app, group, _) = app_with_keys();
            if takes_focus {
                app.world_mut().entity_mut(group).insert(TakesFocus);
            }
            assert_eq!(press(&mut app, KeyCode::Escape, Key::Escape), (None, usize::from(takes_focus)));
        }
    }

    #[test]
    fn enter_on_a_control_that_cannot_be_used_any_more_is_not_for_the_map() {
        let (mut app, _, [first, ..]) = app_with_keys();
        assert_eq!(press(&mut app, KeyCode::Enter, Key::Enter), (Some(first), 1));
        app.world_mut().entity_mut(first).insert(InteractionDisabled);
        for code in [KeyCode::Enter, KeyCode::NumpadEnter, KeyCode::Space] {
            assert_eq!(press(&mut app, code, Key::Enter), (Some(first), 0), "{code:?}");
        }
        app.insert_resource(InputFocusVisible(false));
        assert_eq!(press(&mut app, KeyCode::Space, Key::Space).1, 1, "after a click, the keys are for the map");
    }

    #[test]
    fn when_a_control_is_gone_the_focus_stays_in_its_region_at_the_keyboard() {
        for (at_keyboard, expected) in [(true, Some(1)), (false, None)] {
            let mut app = App::new();
            app.init_resource::<InputFocus>().insert_resource(InputFocusVisible(at_keyboard));
            app.add_systems(Update, keep_focus);
            let group = app.world_mut().spawn(TabGroup::new(0)).id();
            let controls = [(); 3].map(|()| control(app.world_mut(), group));
            app.world_mut().resource_mut::<InputFocus>().set(controls[1], FocusCause::Navigated);
            app.update();
            app.world_mut().entity_mut(controls[1]).despawn();
            app.update();
            let left = [controls[0], controls[2]];
            let focus = |app: &App| app.world().resource::<InputFocus>().get();
            assert_eq!(focus(&app), expected.map(|index: usize| left[index]));
            app.update();
            app.world_mut().entity_mut(group).despawn();
            app.update();
            assert_eq!(focus(&app), None, "the region is gone");
        }
    }
}
