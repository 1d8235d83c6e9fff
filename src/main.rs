//! Temporary.
fn main() {
    use emberwalk::{
        game,
        map::Map,
        scene::Look,
        terrain::{Assets, Tileset},
    };
    use std::{path::Path, sync::Arc};
    tracing_subscriber::fmt().with_env_filter("warn,emberwalk=info").with_writer(std::io::stderr).init();
    let tileset = Arc::new(Tileset::load(None).unwrap());
    let assets = Assets::load(&tileset, None).unwrap();
    let args: Vec<String> = std::env::args().collect();
    let name = args.get(1).cloned().unwrap_or("valley".into());
    let map = Map::open(Path::new(&name), &tileset).unwrap();
    let look = if args.iter().any(|a| a == "--plain") { Look::Plain } else { Look::Full };
    let still = args.iter().any(|a| a == "--still");
    let land = game::land::Land::new(map, assets, look).bundled(&name);
    if let Err(e) = game::run(game::Settings { land, planning: Default::default(), still }) {
        eprintln!("{e}");
        std::process::exit(2);
    }
}
