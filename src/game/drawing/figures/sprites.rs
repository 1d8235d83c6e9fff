//! Draws all travellers with their shadows: the player's, and the people of a town near the view, with a ring around
//! the feet of selected people. The player's traveller shines through images that hide it, and is above overlays, with a
//! ring, too.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::sprite::Anchor;
use image::RgbaImage;

use crate::game::action::OverlayChoice;
use crate::game::app_systems::AppSystems;
use crate::game::journey::traveller::{Player, TravellerPlace};
use crate::game::people::plan::WatchedPlan;
use crate::game::people::selected::SelectedPeople;
use crate::game::people::town::People;
use crate::game::search_view::overlay_cells::Overlays;
use crate::game::viewport::Viewport;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use crate::gaze::FAR;
use emberwalk_picture::iso::Depth;
use emberwalk_picture::paint::PaintedFigure;
use emberwalk_picture::scene::{FigureShadow, Footing, Look};
use emberwalk_world::town::TownFigure;

use super::dots;
use crate::game::drawing::animation::{Animated, AnimationFrame};
use crate::game::drawing::layers;
use crate::game::drawing::textures::atlas::{HeldImage, texture};
use crate::game::drawing::textures::drawn_images::{HeldSprite, Sprites};
use crate::game::drawing::textures::images::{ImagesPacked, MarkImages, TilesetAtlas};

/// How many times slower the animation of the standing traveller is than the animation of tiles.
const IDLE_SLOWDOWN: u64 = 4;

/// How far figures and their shadows reach beyond their feet, in pixels of the map.
const REACH: f32 = 64.0;

/// The sprites of figures, of their shadows and of the rings around their feet, in turn, first of the player's
/// traveller. Unneeded sprites are hidden, and used again later.
#[derive(Resource, Default)]
struct FigureSprites(Vec<Entity>);

/// Where figures carry lanterns.
#[derive(Resource, Default)]
pub(in crate::game::drawing) struct Lanterns(pub Vec<Footing>);

/// A sprite of a figure or of a shadow.
#[derive(Component)]
struct FigureSprite;

/// The traveller's silhouette. Its texture is redrawn whenever another part of the traveller is hidden.
#[derive(Component)]
struct TravellerSilhouette(RgbaImage);

/// Figures are drawn.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::game::drawing) struct DrawFigures;

pub(in crate::game) fn plugin(app: &mut App) {
    app.configure_sets(Update, DrawFigures.in_set(AppSystems::Show));
    app.init_resource::<FigureSprites>()
        .init_resource::<Lanterns>()
        .add_systems(Startup, spawn_silhouette)
        .add_observer(spawn_again)
        .add_systems(Update, (update_sprites, update_silhouette).run_if(look_different).in_set(DrawFigures));
}

/// A run condition: whether figures or their surroundings may look different from before.
fn look_different(
    mut were_covered: Local<bool>,
    moved: Query<(), (With<Player>, Changed<TravellerPlace>)>,
    map: Res<OpenMap>,
    (people, plan): (Res<People>, Option<Res<WatchedPlan>>),
    (view, overlays, overlay, selected): (Res<Viewport>, Res<Overlays>, Res<OverlayChoice>, Res<SelectedPeople>),
    atlas: Res<TilesetAtlas>,
    frame: Res<AnimationFrame>,
) -> bool {
    let are_covered = overlays.cover_map();
    let is_covered_otherwise = std::mem::replace(&mut *were_covered, are_covered) != are_covered;
    let others_differ = view.is_changed() || overlay.is_changed() || selected.is_changed();
    let is_planned = plan.as_ref().is_some_and(|plan| others_differ || plan.is_changed());
    let people_differ = people.is_changed() || map.town().is_some() && others_differ || is_planned;
    !moved.is_empty()
        || is_covered_otherwise
        || people_differ
        || map.is_changed()
        || atlas.is_changed()
        || frame.is_changed()
}

fn spawn_silhouette(map_images: Res<MapImages>, mut images: ResMut<Assets<Image>>, mut commands: Commands) {
    if map_images.look() == Look::Full {
        let silhouette = Sprite::from_image(images.add(texture(RgbaImage::new(1, 1))));
        commands.spawn((silhouette, Anchor::TOP_LEFT, TravellerSilhouette(RgbaImage::default()), Visibility::Hidden));
    }
}

/// Matches all sprites of figures.
type FigureParts = Or<(With<FigureSprite>, With<TravellerSilhouette>)>;

fn spawn_again(
    _: On<ImagesPacked>,
    old: Query<Entity, FigureParts>,
    mut sprites: ResMut<FigureSprites>,
    mut commands: Commands,
) {
    old.iter().for_each(|sprite| commands.entity(sprite).despawn());
    *sprites = FigureSprites::default();
    commands.run_system_cached(spawn_silhouette);
}

/// All figures.
#[derive(SystemParam)]
struct Figures<'w> {
    map: Res<'w, OpenMap>,
    view: Res<'w, Viewport>,
    marks: Res<'w, MarkImages>,
    frame: Res<'w, AnimationFrame>,
    selected: Res<'w, SelectedPeople>,
    plan: Option<Res<'w, WatchedPlan>>,
}

impl Figures<'_> {
    /// The player's traveller.
    fn player(&self) -> Option<PaintedFigure> {
        let figure = self.map.world().figure()?;
        self.marks.travellers.painted(&self.map, &figure, self.frame.slowed(IDLE_SLOWDOWN))
    }

    /// The people near the view, and whether they are selected, unless they are too small to be seen.
    fn people(&self) -> impl Iterator<Item = (PaintedFigure, bool)> {
        let mut near = self.view.visible_rect().inflate(REACH);
        // The ground position of a raised cell is lower in the picture.
        near.max.y += self.map.projection().headroom() as f32;
        let projection = self.map.projection();
        let is_in = move |rect: Rect, figure: &TownFigure| {
            let (x, y) = projection.centre(figure.cell);
            rect.contains(Vec2::new(x as f32, y as f32))
        };
        // People look at others who are out of sight, too.
        let seen = near.inflate((FAR * projection.tile().step().0) as f32);
        let town = self.map.town().into_iter().flat_map(|town| town.figures());
        let planned = self.plan.iter().flat_map(|plan| plan.figures(&self.map));
        let figures = town.chain(planned).filter(|_| !dots::are_shown(&self.view));
        let people = figures.filter(|figure| figure.kind.is_some() && is_in(seen, figure)).collect();
        let is_selected = |figure: &TownFigure| self.selected.has(figure.agent);
        let painted = self.marks.travellers.painted_together(
            &self.map,
            people,
            |figure| is_in(near, figure),
            self.frame.slowed(IDLE_SLOWDOWN),
        );
        painted.into_iter().map(move |(figure, painted)| (painted, is_selected(&figure)))
    }
}

type Drawn = (&'static mut Sprite, &'static mut HeldImage, &'static mut Transform, &'static mut Visibility);

/// Moves the sprites to the feet of all figures near the view, and shows their poses.
fn update_sprites(
    figures: Figures,
    overlays: Res<Overlays>,
    mut pool: ResMut<FigureSprites>,
    mut lanterns: ResMut<Lanterns>,
    mut sprites: Sprites,
    mut drawn: Query<Drawn, With<FigureSprite>>,
    mut commands: Commands,
) {
    let has_shadows = sprites.images.look() == Look::Full;
    let are_covered = overlays.cover_map();
    let ring_z = if are_covered { layers::RAISED_RING } else { layers::RING };
    let people = figures.people().map(|(figure, is_selected)| (Some(figure), is_selected));
    // The player's traveller has a ring, too, where the colours of an overlay are all around it.
    let all: Vec<_> = std::iter::once((figures.player(), are_covered)).chain(people).collect();
    let shadow_of = |figure: &PaintedFigure| Some((figure.shadow.filter(|_| has_shadows)?, figure.footing));
    let shadows: Vec<_> = all.iter().filter_map(|(figure, _)| shadow_of(figure.as_ref()?)).collect();
    let mut shadows = FigureShadow::of(sprites.images.tiles(), &shadows).into_iter();
    let carrying = all.iter().filter_map(|(figure, _)| figure.filter(|figure| figure.lantern));
    lanterns.0 = carrying.map(|figure| figure.footing).collect();
    let mut count = 0;
    let mut draw = |shown: Option<(HeldSprite, Transform)>| {
        let next = pool.0.get(count).copied();
        count += 1;
        let Some(sprite) = next else {
            let mut spawned =
                commands.spawn((FigureSprite, HeldImage::default(), Anchor::TOP_LEFT, Visibility::Hidden));
            if pool.0.is_empty() {
                spawned.insert(Animated { beats: IDLE_SLOWDOWN });
            }
            if let Some(((sprite, _, held), at)) = shown {
                spawned.insert((sprite, held, at, Visibility::Inherited));
            } else {
                spawned.insert(Sprite::default());
            }
            pool.0.push(spawned.id());
            return;
        };
        let Ok((mut old, mut old_held, mut transform, mut visibility)) = drawn.get_mut(sprite) else { return };
        match shown {
            Some(((sprite, _, held), at)) => {
                (*old, *old_held, *transform) = (sprite, held, at);
                visibility.set_if_neq(Visibility::Inherited);
            }
            None => drop(visibility.set_if_neq(Visibility::Hidden)),
        }
    };
    for (figure, is_selected) in all {
        draw(figure.map(|figure| {
            let z = match are_covered && figure.shines_through {
                true => layers::RAISED_PLAYER,
                false => sprites.map.projection().sprite_z(Depth::of_figure(figure.feet)),
            };
            sprites.placed(figure.image, figure.footing, z)
        }));
        let shadow = figure.as_ref().and_then(shadow_of).and_then(|(_, footing)| Some((shadows.next()?, footing)));
        draw(shadow.map(|(shadow, footing)| {
            let at = sprites.atlas.transform(shadow.image(), footing.corner, layers::MOVING_SHADE);
            (sprites.shadow(&shadow, footing), at)
        }));
        if let (true, Some(figure), Some(ring)) = (is_selected, figure, figures.marks.selected) {
            draw(Some(sprites.placed(ring, figure.footing, ring_z)));
        }
    }
    for unused in pool.0.iter().skip(count) {
        if let Ok((_, mut held, _, mut visibility)) = drawn.get_mut(*unused)
            && visibility.set_if_neq(Visibility::Hidden)
        {
            *held = HeldImage::default();
        }
    }
}

/// Draws the silhouette over all images that hide the traveller.
fn update_silhouette(
    figures: Figures,
    overlays: Res<Overlays>,
    map_images: Res<MapImages>,
    atlas: Res<TilesetAtlas>,
    mut images: ResMut<Assets<Image>>,
    mut silhouettes: Query<(&mut TravellerSilhouette, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    let Ok((mut shown, mut sprite, mut transform, mut visibility)) = silhouettes.single_mut() else { return };
    let hidden = figures.player().and_then(|figure| {
        let PaintedFigure { image, feet, footing, .. } = figure;
        Some((figure, map_images.scene().silhouette(&figures.map, image, feet, footing)?))
    });
    visibility.set_if_neq(if hidden.is_some() { Visibility::Visible } else { Visibility::Hidden });
    let Some((figure, silhouette)) = hidden else { return };
    let z = if overlays.cover_map() { layers::RAISED_SILHOUETTE } else { layers::SILHOUETTE };
    *transform = atlas.transform(figure.image, figure.footing.corner, z);
    if shown.0 != silhouette {
        if let Some(mut target) = images.get_mut(&sprite.image) {
            *target = texture(silhouette.clone());
            // The texture may have another size, and the engine only measures changed sprites.
            sprite.set_changed();
        }
        shown.0 = silhouette;
    }
}
