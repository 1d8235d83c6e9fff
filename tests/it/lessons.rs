//! What the lessons claim about their searches, and what their page says.

use emberwalk::lessons::{LESSONS, Lesson};
use emberwalk_map::Map;
use emberwalk_path::{Algorithm, Options, Planner, Query, Scale};

use crate::support::{bundled, file};

/// What a search comes to.
struct Outcome {
    cost: f64,
    steps: usize,
    expanded: usize,
}

fn map(lesson: &Lesson) -> Map {
    let mut map = bundled(lesson.map);
    if lesson.erupting {
        map.erupt_all();
    }
    map
}

fn outcome(lesson: &Lesson, options: Options) -> Outcome {
    let map = map(lesson);
    let query = Query::new(map.tent().unwrap(), map.castle().unwrap()).with_options(options);
    let mut planner = Planner::new();
    let result = planner.plan(map.costs(), &query).unwrap();
    Outcome {
        cost: result.cost().unwrap().tiles(),
        steps: result.cells().len() - 1,
        expanded: result.expanded as usize,
    }
}

/// Returns what the search of a lesson comes to, and what the cheapest route costs.
fn shown_and_lowest(number: usize) -> (&'static Lesson, Outcome, Outcome) {
    let lesson = &LESSONS[number - 1];
    (lesson, outcome(lesson, lesson.options()), outcome(lesson, Options::default()))
}

/// Checks that a lesson says these words.
fn assert_says(lesson: &Lesson, words: &[String]) {
    for words in words {
        assert!(lesson.text.contains(words), "{}: {words}", lesson.title);
    }
}

#[test]
fn breadth_first_finds_the_fewest_steps_and_not_the_lowest_cost() {
    let (lesson, shown, lowest) = shown_and_lowest(1);
    assert_eq!(lesson.algorithm, Algorithm::BreadthFirst);
    assert!(shown.steps < lowest.steps && shown.cost > lowest.cost);
    assert_says(
        lesson,
        &[
            format!("{} steps", shown.steps),
            format!("costs {:.2}", shown.cost),
            format!("has {}", lowest.steps),
            format!("only {:.2}", lowest.cost),
        ],
    );
}

#[test]
fn dijkstra_finds_the_cheapest_route_and_expands_several_times_as_many_cells_as_a_star() {
    let (lesson, shown, lowest) = shown_and_lowest(2);
    assert_eq!(lesson.algorithm, Algorithm::Dijkstra);
    let astar = outcome(lesson, Options { algorithm: Algorithm::AStar, ..Options::default() });
    assert_eq!(shown.cost, lowest.cost);
    assert!(shown.expanded > 4 * astar.expanded, "{} and {}", shown.expanded, astar.expanded);
    assert_says(lesson, &[format!("{} cells", shown.expanded)]);
}

#[test]
fn a_star_finds_a_route_of_the_same_cost_with_fewer_cells() {
    let (lesson, shown, lowest) = shown_and_lowest(3);
    let (before, dijkstra, _) = shown_and_lowest(2);
    assert_eq!((lesson.algorithm, lesson.map), (Algorithm::AStar, before.map));
    assert_eq!(shown.cost, lowest.cost);
    assert_says(
        lesson,
        &[format!("{} cells, not {}", shown.expanded, dijkstra.expanded), format!("the same, {:.2}", shown.cost)],
    );
}

#[test]
fn greedy_search_expands_the_fewest_cells_and_its_route_costs_more() {
    let (lesson, shown, lowest) = shown_and_lowest(4);
    assert_eq!(lesson.algorithm, Algorithm::Greedy);
    for algorithm in [Algorithm::AStar, Algorithm::Dijkstra, Algorithm::BreadthFirst] {
        assert!(shown.expanded < outcome(lesson, Options { algorithm, ..Options::default() }).expanded);
    }
    assert!(shown.cost > 1.5 * lowest.cost);
    let map = map(lesson);
    let query = Query::new(map.tent().unwrap(), map.castle().unwrap()).with_options(lesson.options());
    let shares = map.cost_shares(query.options.rules(), Planner::new().plan(map.costs(), &query).unwrap().cells());
    let forest = shares.iter().find(|share| share.name.contains("forest")).expect("it runs through the forest");
    assert_eq!(forest.cells, 3);
    assert_says(
        lesson,
        &[
            format!("{} cells", shown.expanded),
            format!("costs {:.2}, of which {:.2} are for three cells of forest", shown.cost, forest.tiles()),
            format!("the cheapest costs {:.2}", lowest.cost),
        ],
    );
}

#[test]
fn an_eruption_makes_a_heuristic_that_counts_1_a_step_miss_the_cheapest_route() {
    let (lesson, shown, lowest) = shown_and_lowest(5);
    assert!(lesson.erupting && bundled(lesson.map).any_dormant());
    assert_eq!((lesson.algorithm, lesson.scale), (Algorithm::AStar, Scale::Classic));
    let exact = outcome(lesson, Options { scale: Scale::Exact, ..lesson.options() });
    assert_eq!(exact.cost, lowest.cost, "what the lesson tells the player to try");
    assert!(shown.cost > lowest.cost && shown.expanded < exact.expanded);
    assert_says(lesson, &[format!("costs {:.2}, and", shown.cost), format!("costs {:.2}.", lowest.cost)]);
}

#[test]
fn each_lesson_has_two_sentences() {
    for lesson in LESSONS {
        let ends = lesson.text.split(". ").count();
        assert_eq!((ends, lesson.text.ends_with('.')), (2, true), "{}", lesson.title);
    }
}

#[test]
fn the_page_about_the_lessons_says_the_same_and_has_commands_with_the_same_options() {
    let page = std::fs::read_to_string(file("docs/lessons.md")).unwrap();
    let sections: Vec<_> = page.split("\n## ").skip(1).collect();
    for (index, lesson) in LESSONS.iter().enumerate() {
        let section = sections[index];
        assert!(section.starts_with(&format!("{}. {}\n", index + 1, lesson.title)), "{section}");
        let link = format!("(http://localhost:8080/?lesson={})", index + 1);
        assert!(section.contains(&link), "{}", lesson.title);
        let words = |text: &str| text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(section).contains(lesson.text), "{}", lesson.title);
        let scale = match lesson.scale {
            Scale::Classic => " --scale classic",
            _ => "",
        };
        let erupting = if lesson.erupting { " --erupting" } else { "" };
        let arguments = format!("{}{erupting} --algorithm {}{scale}", lesson.map, lesson.algorithm);
        assert!(section.contains(&format!("emberwalk animate {arguments} -o")), "{arguments}");
        assert!(section.contains(&format!("emberwalk route {}{erupting}{scale} --compare", lesson.map)), "{arguments}");
        assert!(file(&format!("docs/pictures/lesson-{}.png", index + 1)).is_file());
    }
}
