//! What is said of bad files.

use std::sync::Arc;

use emberwalk::map::Map;
use emberwalk::terrain::Tileset;

#[test]
fn smoke() {
    let tileset = Arc::new(Tileset::load(None).unwrap_or_else(|faults| panic!("{faults}")));
    for text in [
        "",
        "()",
        "(",
        "nonsense",
        "(name: 3, base: [\"G\"], overlay: [\".\"])",
        "// c\n(name: \"x\", base: [\"GGGG\", \"GgGG\", \"GG.G\", \"GGRG\", \"GGG\"], overlay: [\"....\", \"....\", \"....\", \"..1.\", \"..1.G\"],\n foo: (1,2), Base: [], base: [])",
        "(name: \"x\", base: [\"G~\"], overlay: [\"2\\u{32}\", r#\"..\"#])",
        "(name: \"x\", base: [], overlay: [\"\"])",
        "(name: \"x\", base: [\"GG\"], overlay: [\"...\"])",
        "(name: \"x\", base: [\"GG\", 7], overlay: [\"..\"])",
        "(name: \"x\"\n base: [\"GG\", 7], overlay: [\"..\"])",
    ] {
        println!("-----\n{text}\n{}", Map::parse("x.ron", text, &tileset).unwrap_err());
    }
}
