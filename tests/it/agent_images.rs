//! How agents look.

use std::fs;
use std::sync::Arc;

use emberwalk::agent_images::AgentImages;
use emberwalk_map::Map;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::StepRules;
use emberwalk_path::crowd::CrowdTime;
use emberwalk_picture::tiles::TileImages;
use emberwalk_world::town::{Places, Town};

use crate::support::file;

#[test]
fn people_of_a_tileset_without_people_look_like_the_traveller() {
    let text = fs::read_to_string(file("assets/tileset.ron")).unwrap();
    let (text, _) = text.split_once("    people: [").unwrap();
    let tileset = Arc::new(Tileset::parse("tileset.ron", &format!("{text})")).unwrap());
    let map = Map::open("market".as_ref(), &tileset).unwrap();
    let tiles = TileImages::load(&tileset, None).unwrap();
    let images = AgentImages::find(&tiles, &tileset);
    let mut town = Town::new(&map, Places::of(&map, StepRules::default()), map.start(), 50, 1, map.day_time());
    town.advance(CrowdTime::from_whole_seconds(8));
    let painted = images.painted_together(&map, town.figures().collect(), 0);
    let painted: Vec<_> = painted.into_iter().map(|(_, painted)| painted).collect();
    assert_eq!(painted.len(), 50);
    assert!(painted.iter().all(|figure| tiles.name(figure.image).starts_with("L4_Traveller")));
    assert_eq!(painted.iter().filter(|figure| figure.shines_through).count(), 1);
}
