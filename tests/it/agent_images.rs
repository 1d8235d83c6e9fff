//! How agents look.

use std::fs;
use std::sync::Arc;

use emberwalk::agent_images::AgentImages;
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::StepRules;
use emberwalk_path::time::CrowdTime;
use emberwalk_picture::tiles::TileImages;
use emberwalk_world::town::{Places, Town, TownFigure};

use crate::support::file;

#[test]
fn people_of_a_tileset_without_people_look_like_the_traveller() {
    let text = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let (text, _) = text.split_once("    people: [").unwrap();
    let tileset = Arc::new(Tileset::parse("tileset.ron", &format!("{text})")).unwrap());
    let map = Map::open("market".as_ref(), &tileset).unwrap();
    let tiles = TileImages::load(&tileset, None).unwrap();
    let images = AgentImages::find(&tiles, &tileset);
    let mut town = Town::new(&map, Places::of(&map, StepRules::default()), map.start(), 50, &[], 1, map.day_time());
    town.advance(CrowdTime::from_whole_seconds(8));
    let painted = images.painted_together(&map, town.figures().collect(), |_| true, 0);
    let painted: Vec<_> = painted.into_iter().map(|(_, painted)| painted).collect();
    assert_eq!(painted.len(), 50);
    assert!(painted.iter().all(|figure| tiles.name(figure.image).starts_with("L4_Traveller")));
    assert_eq!(painted.iter().filter(|figure| figure.shines_through).count(), 1);
}

#[test]
fn people_at_the_edge_of_a_view_look_as_in_the_whole_picture() {
    let tileset = Arc::new(Tileset::load(None).unwrap());
    let map = Map::open("market".as_ref(), &tileset).unwrap();
    let images = AgentImages::find(&TileImages::load(&tileset, None).unwrap(), &tileset);
    let mut town = Town::new(&map, Places::of(&map, StepRules::default()), map.start(), 300, &[], 1, map.day_time());
    town.advance(CrowdTime::from_whole_seconds(20));
    let figures: Vec<_> = town.figures().collect();
    let is_seen = |figure: &TownFigure| figure.cell.x < 25;
    let looks = |drawn: &dyn Fn(&TownFigure) -> bool| -> Vec<_> {
        let painted = images.painted_together(&map, figures.clone(), drawn, 0);
        painted.iter().filter(|(figure, _)| is_seen(figure)).map(|(figure, _)| (figure.cell, figure.facing)).collect()
    };
    assert!(looks(&is_seen).len() > 20);
    assert_eq!(looks(&is_seen), looks(&|_| true));
}
