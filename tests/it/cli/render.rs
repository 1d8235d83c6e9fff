//! `emberwalk render`: overlays and zooms.

use super::{Folder, Run};

#[test]
fn overlays_and_zooms_are_drawn() {
    let folder = Folder::new();
    for (options, width) in
        [("--show search --zoom 2", 1260), ("--show cost --zoom 1", 630), ("--show distance --zoom 1/2", 315)]
    {
        folder.done(&format!("render figures/road -o o.png {options}"));
        assert_eq!(image::open(folder.path("o.png")).unwrap().width(), width, "{options}");
    }
}

#[test]
fn a_search_without_a_route_is_drawn() {
    let folder = Folder::with(&[("two.ron", r#"(name: "two", base: ["GG~G"], overlay: ["1..2"])"#)]);
    let Run { status, errors, .. } = folder.run("render two.ron --show search -o o.png");
    assert_eq!((status, errors.as_str()), (1, "two: there is no route from 0,0 to 3,0\n"));
    assert!(folder.path("o.png").exists());
}

#[test]
fn pictures_that_are_too_large_and_zooms_that_do_not_exist_are_refused() {
    let folder = Folder::new();
    folder.refuses("render realm -o o.png --zoom 4", "at zoom 4; the largest side allowed is 16384");
    for wrong in ["5", "0", "1/3", "two"] {
        let values = "[possible values: 1/4, 1/2, 1, 2, 3, 4]";
        folder.refuses(&format!("render realm -o o.png --zoom {wrong}"), values);
    }
}

#[test]
fn a_map_that_is_too_large_at_zoom_1_is_drawn_at_a_quarter() {
    let folder = Folder::new();
    assert_eq!(folder.run("generate --kind open --seed 1 --width 325 --height 325 -o large.ron").status, 0);
    // 26 pixels for each of 648 steps between columns and rows, and a tile.
    folder.refuses("render large.ron --plain --zoom 1 -o o.png", "the largest side allowed is 16384");
    folder.done("render large.ron --plain --zoom 1/4 -o o.png");
    let size = ((26 * 648 + 54u32).div_ceil(4), (13 * 648 + 54u32).div_ceil(4));
    assert_eq!(image::image_dimensions(folder.path("o.png")).unwrap(), size);
}

#[test]
fn an_hour_is_drawn_and_other_texts_are_refused() {
    let map = |hour: &str| format!("(name: \"a\", {hour}base: [\"GGG\"], overlay: [\".1.\"])");
    let folder = Folder::with(&[("noon.ron", &map("")), ("dusk.ron", &map("hour: 20.5, "))]);
    folder.refuses("render noon.ron -o p.png --hour 20.5", "this must be a time from 0:00 to 24:00, such as 6:00");
    let render = |arguments: &str| {
        folder.done(&format!("render -o o.png {arguments}"));
        folder.bytes("o.png")
    };
    let dusk = render("dusk.ron");
    assert!(dusk == render("noon.ron --hour 20:30"), "the map's hour");
    assert!(dusk != render("noon.ron"));
    assert!(render("noon.ron") == render("dusk.ron --hour 12:00"));
    assert!(render("noon.ron --plain") == render("dusk.ron --plain"), "the classic look has no hours");
}

#[test]
fn a_worksheet_is_two_pages_of_a4_the_second_of_which_is_the_solution() {
    let folder = Folder::new();
    let page = |name: &str| image::open(folder.path(name)).unwrap().to_luma8();
    let by_hand = "render figures/blackboard --worksheet --moves 4 --heuristic manhattan -o sheet.png";
    folder.done(by_hand);
    let [task, solution] = ["sheet.png", "sheet-2.png"].map(page);
    assert_eq!((task.dimensions(), solution.dimensions()), ((1240, 1754), (1240, 1754)));
    let ink = |page: &image::GrayImage| page.pixels().filter(|pixel| pixel.0[0] == 0).count();
    assert!(ink(&solution) > ink(&task) + 1000, "the solution has all entries of the table");
    // The solution depends on the algorithm, the task but for its heading does not.
    folder.done(&format!("{by_hand} --algorithm dijkstra"));
    assert!(ink(&page("sheet-2.png")) > ink(&solution), "Dijkstra opens more cells");
}

#[test]
fn a_worksheet_needs_a_small_flat_map_and_a_file() {
    for (arguments, reason) in [
        ("valley -o sheet.png", "The valley: a worksheet has room for 20 x 12 cells, and the map has "),
        ("figures/slope -o sheet.png", "Slope: a worksheet needs a flat map"),
        ("figures/road -o -", "a worksheet has two pages: choose a file"),
    ] {
        Folder::new().refuses(&format!("render --worksheet {arguments}"), reason);
    }
}
