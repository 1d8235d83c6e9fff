//! `emberwalk render`: overlays and zooms.

use std::fs;

use super::run_in;

#[test]
fn overlays_and_zooms_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for (args, width) in [
        (["--show", "search", "--zoom", "2"], 1260),
        (["--show", "cost", "--zoom", "1"], 630),
        (["--show", "distance", "--zoom", "1/2"], 315),
    ] {
        let output = run_in(folder.path(), &[["render", "figures/road", "-o", "o.png"].as_slice(), &args].concat());
        assert!(output.status.success(), "{output:?}");
        assert_eq!(image::open(folder.path().join("o.png")).unwrap().width(), width, "{args:?}");
    }
}

#[test]
fn a_search_without_a_route_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.ron"), r#"(name: "two", base: ["GG~G"], overlay: ["1..2"])"#).unwrap();
    let output = run_in(folder.path(), &["render", "two.ron", "--show", "search", "-o", "o.png"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.as_str()), (Some(1), "two: there is no route from 0,0 to 3,0\n"));
    assert!(folder.path().join("o.png").exists());
    let output = run_in(folder.path(), &["render", "two.ron", "--route", "-o", "r.png"]);
    assert_eq!((output.status.code(), folder.path().join("r.png").exists()), (Some(1), false));
}

#[test]
fn pictures_that_are_too_large_and_zooms_that_do_not_exist_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let told = |args: &[&str]| {
        let output = run_in(folder.path(), &[["render", "realm", "-o", "o.png"].as_slice(), args].concat());
        assert_eq!((output.status.code(), folder.path().join("o.png").exists()), (Some(2), false), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let large = told(&["--zoom", "4"]);
    assert!(large.contains("at zoom 4; the largest side allowed is 16384"), "{large}");
    for wrong in ["5", "0", "1/3", "two"] {
        let text = told(&["--zoom", wrong]);
        assert!(text.contains("[possible values: 1/4, 1/2, 1, 2, 3, 4]"), "{text}");
    }
}

#[test]
fn a_map_that_is_too_large_at_zoom_1_is_drawn_at_a_quarter() {
    let folder = tempfile::tempdir().unwrap();
    let render = |zoom: &str| run_in(folder.path(), &["render", "large.ron", "--plain", "--zoom", zoom, "-o", "o.png"]);
    let arguments = ["--kind", "open", "--seed", "1", "--width", "325", "--height", "325", "-o", "large.ron"];
    assert!(run_in(folder.path(), &[["generate"].as_slice(), &arguments].concat()).status.success());
    // 26 pixels for each of 648 steps between columns and rows, and a tile.
    assert_eq!(render("1").status.code(), Some(2));
    let output = render("1/4");
    assert!(output.status.success(), "{output:?}");
    let picture = image::open(folder.path().join("o.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), ((26 * 648 + 54u32).div_ceil(4), (13 * 648 + 54u32).div_ceil(4)));
}

#[test]
fn an_hour_is_drawn_and_other_texts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let map = |hour: &str| format!("(name: \"a\", {hour}base: [\"GGG\"], overlay: [\".1.\"])");
    fs::write(folder.path().join("noon.ron"), map("")).unwrap();
    fs::write(folder.path().join("dusk.ron"), map("hour: 20.5, ")).unwrap();
    let render = |args: &[&str]| {
        let output = run_in(folder.path(), &[["render", "-o", "o.png"].as_slice(), args].concat());
        assert!(output.status.success(), "{output:?}");
        fs::read(folder.path().join("o.png")).unwrap()
    };
    let dusk = render(&["dusk.ron"]);
    assert!(dusk == render(&["noon.ron", "--hour", "20:30"]), "the map's hour");
    assert!(dusk != render(&["noon.ron"]));
    assert!(render(&["noon.ron"]) == render(&["dusk.ron", "--hour", "12:00"]));
    assert!(render(&["noon.ron", "--plain"]) == render(&["dusk.ron", "--plain"]), "the classic look has no hours");
    let output = run_in(folder.path(), &["render", "noon.ron", "-o", "p.png", "--hour", "20.5"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("this must be a time from 0:00 to 24:00, such as 6:00"), "{told}");
    assert_eq!((output.status.code(), folder.path().join("p.png").exists()), (Some(2), false));
}

#[test]
fn a_worksheet_is_two_pages_of_a4_the_second_of_which_is_the_solution() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = |args: &[&str]| run_in(folder.path(), &[["render"].as_slice(), args, &["--worksheet"]].concat());
    let page = |name: &str| image::open(folder.path().join(name)).unwrap().to_luma8();
    let by_hand = ["figures/blackboard", "--moves", "4", "--heuristic", "manhattan", "-o", "sheet.png"];
    let output = sheet(&by_hand);
    assert!(output.status.success(), "{output:?}");
    let [task, solution] = ["sheet.png", "sheet-2.png"].map(page);
    assert_eq!((task.dimensions(), solution.dimensions()), ((1240, 1754), (1240, 1754)));
    let ink = |page: &image::GrayImage| page.pixels().filter(|pixel| pixel.0[0] == 0).count();
    assert!(ink(&solution) > ink(&task) + 1000, "the solution has all entries of the table");
    // The solution depends on the algorithm, the task but for its heading does not.
    let output = sheet(&[&by_hand[..], &["--algorithm", "dijkstra"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert!(ink(&page("sheet-2.png")) > ink(&solution), "Dijkstra opens more cells");
}

#[test]
fn a_worksheet_needs_a_small_flat_map_and_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (args, error) in [
        (["valley", "-o", "sheet.png"], "The valley: a worksheet has room for 20 x 12 cells, and the map has "),
        (["figures/slope", "-o", "sheet.png"], "Slope: a worksheet needs a flat map"),
        (["figures/road", "-o", "-"], "a worksheet has two pages: choose a file"),
    ] {
        let output = run_in(folder.path(), &[["render"].as_slice(), &args, &["--worksheet"]].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains(error), "{told}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}
