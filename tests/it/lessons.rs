//! The claims of the lessons, and the page of the lessons.

use emberwalk::lessons::{Change, Drawn, LESSONS, Lesson, LessonJourney, Subject, Try};
use emberwalk_crowd::CrowdEvent;
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Field, FieldQuery, HeuristicScale, Options, Planner, RouteQuery, StepRules};
use emberwalk_world::PACE;
use emberwalk_world::town::{Group, Places, Town};

use crate::support::{bundled, file};

/// The result of a search.
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

/// The search of a lesson about one.
fn search(lesson: &Lesson) -> Options {
    let Subject::Search(search) = lesson.subject else { panic!("{} is not about a search", lesson.title) };
    search
}

/// The lessons about searches.
fn about_searches() -> impl Iterator<Item = Lesson> {
    LESSONS.into_iter().filter(|lesson| matches!(lesson.subject, Subject::Search(_)))
}

/// The query from the tent to the castle.
fn query(map: &Map, options: Options) -> RouteQuery {
    RouteQuery::new(map.tent().unwrap(), map.castle().unwrap()).with_options(options)
}

fn outcome(lesson: &Lesson, options: Options) -> Outcome {
    let map = map(lesson);
    let mut planner = Planner::new();
    let result = planner.plan(map.costs(), &query(&map, options)).unwrap();
    Outcome {
        cost: result.cost().unwrap().tiles(),
        steps: result.cells().len() - 1,
        expanded: result.expanded as usize,
    }
}

/// The result of the search of a lesson, and the cost of the cheapest route.
fn shown_and_lowest(number: usize) -> (&'static Lesson, Outcome, Outcome) {
    let lesson = &LESSONS[number - 1];
    (lesson, outcome(lesson, lesson.options()), outcome(lesson, Options::default()))
}

/// Checks that a lesson says these words.
fn assert_says(lesson: &Lesson, words: &[String]) {
    for words in words {
        assert!(lesson.outcome.contains(words), "{}: {words}", lesson.title);
    }
}

#[test]
fn breadth_first_finds_the_fewest_steps_and_not_the_lowest_cost() {
    let (lesson, shown, lowest) = shown_and_lowest(1);
    assert_eq!(search(lesson).algorithm, Algorithm::BreadthFirst);
    assert!(shown.steps < lowest.steps && shown.cost > lowest.cost);
    assert_says(
        lesson,
        &[
            format!("has {} of them", shown.steps),
            format!("costs {:.2}.", shown.cost),
            format!("has {} steps", lowest.steps),
            format!("only {:.2}", lowest.cost),
        ],
    );
}

#[test]
fn dijkstra_finds_the_cheapest_route_and_expands_several_times_as_many_cells_as_a_star() {
    let (lesson, shown, lowest) = shown_and_lowest(2);
    assert_eq!(search(lesson).algorithm, Algorithm::Dijkstra);
    let astar = outcome(lesson, Options::default().with_algorithm(Algorithm::AStar));
    assert_eq!(shown.cost, lowest.cost);
    assert!(shown.expanded > 4 * astar.expanded, "{} and {}", shown.expanded, astar.expanded);
    assert_says(lesson, &[format!("{} cells", shown.expanded), format!("costs {:.2}", shown.cost)]);
}

#[test]
fn a_star_finds_a_route_of_the_same_cost_with_fewer_cells() {
    let (lesson, shown, lowest) = shown_and_lowest(3);
    let (before, dijkstra, _) = shown_and_lowest(2);
    assert_eq!((search(lesson).algorithm, lesson.map), (Algorithm::AStar, before.map));
    assert_eq!(shown.cost, lowest.cost);
    assert_says(
        lesson,
        &[format!("{} cells, not {}", shown.expanded, dijkstra.expanded), format!("the same, {:.2}", shown.cost)],
    );
}

#[test]
fn greedy_search_expands_the_fewest_cells_and_its_route_costs_more() {
    let (lesson, shown, lowest) = shown_and_lowest(4);
    assert_eq!(search(lesson).algorithm, Algorithm::Greedy);
    for algorithm in [Algorithm::AStar, Algorithm::Dijkstra, Algorithm::BreadthFirst] {
        assert!(shown.expanded < outcome(lesson, Options::default().with_algorithm(algorithm)).expanded);
    }
    assert!(shown.cost > 1.5 * lowest.cost);
    let map = map(lesson);
    let query = query(&map, lesson.options());
    let shares = map.cost_shares(query.options.rules, Planner::new().plan(map.costs(), &query).unwrap().cells());
    let forest = shares.iter().find(|share| share.name.contains("forest")).expect("it runs through the forest");
    assert_eq!(forest.cells, 3);
    assert_says(
        lesson,
        &[
            format!("{} cells", shown.expanded),
            format!("costs {:.2}, of which {:.2} are for three cells of forest", shown.cost, forest.tiles()),
            format!("The cheapest route costs {:.2}", lowest.cost),
        ],
    );
}

#[test]
fn an_eruption_makes_a_heuristic_that_counts_1_a_step_miss_the_cheapest_route() {
    let (lesson, shown, lowest) = shown_and_lowest(5);
    assert!(lesson.erupting && bundled(lesson.map).any_dormant());
    assert_eq!((search(lesson).algorithm, search(lesson).scale), (Algorithm::AStar, HeuristicScale::Classic));
    let exact = outcome(lesson, lesson.options().with_scale(HeuristicScale::Exact));
    assert_eq!(exact.cost, lowest.cost, "what the lesson tells the player to try");
    assert!(shown.cost > lowest.cost && shown.expanded < exact.expanded);
    assert_says(lesson, &[format!("costs {:.2}. The", shown.cost), format!("costs {:.2}.", lowest.cost)]);
}

/// The people of a lesson, and the events until all have arrived.
fn people(lesson: &Lesson, groups: &[Group]) -> (Town, Vec<CrowdEvent>) {
    let map = map(lesson);
    let mut town = Town::new(&map, Places::of(&map, StepRules::default()), map.start(), 1, groups, 1, map.day_time());
    let mut events = town.take_events();
    while town.on_the_way() > 0 {
        town.advance(CrowdTime::SECOND);
        assert!(town.now() < CrowdTime::from_seconds(120.0), "they do not arrive");
        events.extend(town.take_events());
    }
    (town, events)
}

/// The groups that a suggestion lets set out.
fn tried_groups(attempt: &Try) -> &'static [Group] {
    let Change::People(groups) = attempt.change else { panic!("{} is not about people", attempt.label) };
    groups
}

#[test]
fn two_groups_on_a_bridge_take_more_than_twice_as_long_as_one_and_nobody_is_pushed_into_the_water() {
    let lesson = &LESSONS[5];
    let map = map(lesson);
    let groups = lesson.people().unwrap().groups;
    assert_eq!([groups[0].from, groups[1].from], [map.tent(), map.castle()]);
    assert_eq!([Some(groups[0].to), Some(groups[1].to)], [map.castle(), map.tent()]);
    let (town, events) = people(lesson, groups);
    // Neither in the water, nor two in one cell.
    let mut checker = town.checker().unwrap();
    checker.add(&events);
    assert_eq!(checker.finish(), []);
    let seconds = town.last_arrival().seconds();
    assert_says(lesson, &[format!("after {seconds:.1} seconds")]);
    let alone = people(lesson, tried_groups(&lesson.tries[0])).0.last_arrival().seconds();
    assert!(lesson.question.contains(&format!("One group alone takes {alone:.0} seconds")), "{alone}");
    assert!(seconds > 2.0 * alone && lesson.answers[lesson.right].label.starts_with("More than twice"));
    let more = people(lesson, tried_groups(&lesson.tries[1])).0.last_arrival().seconds();
    assert!(more > 1.4 * seconds, "{more}");
}

#[test]
fn one_search_from_the_castle_serves_a_thousand_people() {
    let lesson = &LESSONS[6];
    let map = map(lesson);
    let groups = lesson.people().unwrap().groups;
    let castle = map.castle().unwrap();
    assert_eq!((groups[0].size, groups[0].to), (1000, castle));
    let town = Town::new(&map, Places::of(&map, StepRules::default()), map.start(), 1, groups, 1, map.day_time());
    let mut field = Field::new();
    field.compute(map.costs(), &FieldQuery::routes_to(castle)).unwrap();
    let by_one = map.size().cells().filter(|cell| field.cost(*cell).is_some()).count();
    let mut planner = Planner::new();
    let options = Options::default().with_algorithm(Algorithm::AStar);
    let mut by_all = 0;
    for (agent, state) in town.crowd().agents() {
        if town.person(agent).is_some() {
            let query = RouteQuery::new(state.cell, castle).with_options(options);
            let result = planner.plan(map.costs(), &query).unwrap();
            assert_eq!(result.cost(), field.cost(state.cell));
            by_all += result.expanded as usize;
        }
    }
    assert_says(
        lesson,
        &[
            format!("expanded {} cells", grouped(by_one)),
            format!("have expanded {}", grouped(by_all)),
            format!("{:.0} times as many", by_all as f64 / by_one as f64),
        ],
    );
    assert_eq!(tried_groups(&lesson.tries[0])[0].size, 100);
    assert!(lesson.lets_volcanoes_change() && map.any_dormant());
}

/// The seconds in which a traveller who knows about an eruption walks from the tent to the castle, if it waits in the tent for
/// some seconds, and its route.
fn journey(lesson: &Lesson, journey: LessonJourney, waits: u8) -> (f64, Vec<Cell>) {
    let map = map(lesson);
    let world = journey.world(&map);
    let leaves = world.departure() + PACE.cost_in(CrowdTime::from_whole_seconds(waits.into()));
    let mut planner = Planner::new();
    let result = planner.plan_ahead(&world.outlook(), &query(&map, lesson.options()), leaves).unwrap();
    (PACE.time_of(result.arrival().unwrap() - world.departure()).seconds(), result.cells().collect())
}

/// The seconds of a walk there without knowledge of the eruption.
fn unaware(lesson: &Lesson, journey: LessonJourney) -> f64 {
    let map = map(lesson);
    let world = journey.world(&map);
    let query = query(&map, lesson.options());
    let arrival = Planner::new().arrival_unaware(&world.outlook(), &query, world.departure()).unwrap().unwrap();
    PACE.time_of(arrival - world.departure()).seconds()
}

#[test]
fn a_traveller_who_knows_what_is_coming_arrives_before_those_who_wait_or_do_not_know() {
    let lesson = &LESSONS[7];
    let announced = lesson.journey().unwrap();
    let map = map(lesson);
    assert!(map.any_dormant() && map.erupting().is_empty());
    let (aware, route) = journey(lesson, announced, 0);
    let (waits, _) = journey(lesson, announced, announced.erupts_in);
    let unaware = unaware(lesson, announced);
    assert!(1.2 * aware < waits && 1.2 * aware < unaware, "{aware}, {waits} and {unaware}");
    assert!(lesson.question.contains(&format!("in {} seconds", announced.erupts_in)));
    assert_says(
        lesson,
        &[
            format!("after {aware:.1} seconds"),
            format!("waits for the eruption needs {waits:.1} seconds"),
            format!("takes the forest and needs {unaware:.1}."),
        ],
    );
    // The answers are what they say.
    let wood = |cells: &[Cell]| {
        cells.iter().filter(|cell| map.overlay_at(**cell).is_some_and(|overlay| overlay.char == 'F')).count()
    };
    assert_eq!(lesson.answers[lesson.right].drawn, Some(Drawn::Journey(announced)));
    assert_eq!(wood(&route), 0);
    assert_eq!(wood(&drawn_cells(lesson, lesson.answers[0].drawn.unwrap())), 5);
    // What is tried.
    let tried = lesson.tries.iter().map(|attempt| {
        let Change::Journey(tried) = attempt.change else { panic!("{} is not about a journey", attempt.label) };
        assert!(attempt.label.contains(&format!("in {} seconds", tried.erupts_in)));
        let (seconds, route) = journey(lesson, tried, 0);
        (seconds, wood(&route))
    });
    let [(early, past), (late, through)] = tried.collect::<Vec<_>>()[..] else { panic!("there are two") };
    assert!(early < aware && aware < late, "{early} and {late}");
    assert_eq!((past, through), (0, 5));
}

/// A number with commas between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[test]
fn each_lesson_asks_one_question_and_tells_the_outcome_in_two_sentences() {
    for lesson in LESSONS {
        assert_eq!(lesson.question.matches('?').count(), 1, "{}", lesson.title);
        assert!(lesson.question.ends_with('?') && (2..=3).contains(&lesson.answers.len()), "{}", lesson.title);
        let ends = lesson.outcome.split(". ").count();
        assert_eq!((ends, lesson.outcome.ends_with('.')), (2, true), "{}", lesson.title);
        assert!(!lesson.tries.is_empty(), "{}", lesson.title);
    }
}

fn recording(map: &Map, options: Options) -> Recording {
    Recording::new(&mut Planner::new(), map.costs(), &query(map, options)).unwrap()
}

/// The cells that a search closes on the map of a lesson, or the cells of its route.
fn drawn_cells(lesson: &Lesson, drawn: Drawn) -> Vec<Cell> {
    let map = map(lesson);
    match drawn {
        Drawn::Route(options) => Planner::new().plan(map.costs(), &query(&map, options)).unwrap().cells().to_vec(),
        Drawn::Journey(announced) => journey(lesson, announced, 0).1,
        Drawn::Area(options) => {
            let recording = recording(&map, options);
            let end = recording.at(recording.len());
            map.size().cells().filter(|cell| end.state(*cell).is_some_and(|state| state.is_closed)).collect()
        }
    }
}

#[test]
fn the_right_answer_is_what_the_search_does_and_each_other_one_looks_different() {
    for lesson in about_searches() {
        let own = search(&lesson);
        let right = lesson.answers[lesson.right].drawn.expect("it is drawn");
        assert!(matches!(right, Drawn::Route(search) | Drawn::Area(search) if search == own));
        let drawn = lesson.answers.iter().filter_map(|answer| answer.drawn);
        let mut shapes: Vec<_> = drawn.map(|drawn| drawn_cells(&lesson, drawn)).collect();
        assert!(shapes.iter().all(|cells| !cells.is_empty()));
        shapes.sort();
        shapes.dedup();
        assert_eq!(shapes.len(), lesson.answers.len(), "{}", lesson.title);
    }
}

#[test]
fn each_search_of_a_lesson_is_short() {
    for lesson in about_searches() {
        let map = map(&lesson);
        let recording = recording(&map, lesson.options());
        assert!((40..1000).contains(&recording.len()), "{}: {} events", lesson.title, recording.len());
    }
}

#[test]
fn what_a_lesson_offers_to_try_comes_to_something_else() {
    for lesson in about_searches() {
        for Try { label, change } in lesson.tries {
            let mut options = lesson.options();
            let mut tried = lesson;
            match *change {
                Change::Algorithm(algorithm) => options.algorithm = algorithm,
                Change::Scale(scale) => options.scale = scale,
                Change::Volcanoes => tried.erupting = !lesson.erupting,
                Change::People(_) | Change::Journey(_) => panic!("{} is about a search", lesson.title),
            }
            assert!(lesson.speaks_of(&options), "{label}");
            let [before, after] = [outcome(&lesson, lesson.options()), outcome(&tried, options)];
            assert!((before.cost, before.expanded) != (after.cost, after.expanded), "{}: {label}", lesson.title);
        }
    }
}

#[test]
fn the_page_about_the_lessons_says_the_same_and_has_commands_with_the_same_options() {
    let page = std::fs::read_to_string(file("docs/src/play/lessons.md")).unwrap();
    let sections: Vec<_> = page.split("\n## ").skip(1).collect();
    for (index, lesson) in LESSONS.iter().enumerate() {
        let section = sections[index];
        assert!(section.starts_with(&format!("{}. {}\n", index + 1, lesson.title)), "{section}");
        let link = format!("(http://localhost:8080/?lesson={})", index + 1);
        assert!(section.contains(&link), "{}", lesson.title);
        let words = |text: &str| text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
        let labels = lesson.answers.iter().map(|answer| answer.label);
        let labels = labels.chain(lesson.tries.iter().map(|attempt| attempt.label));
        for text in [lesson.question, lesson.watch, lesson.outcome].into_iter().chain(labels) {
            assert!(words(section).contains(text), "{}: {text}", lesson.title);
        }
        assert!(file(&format!("docs/src/pictures/lesson-{}.png", index + 1)).is_file());
        if let Some(LessonJourney { erupts_in }) = lesson.journey() {
            assert!(
                section.contains(&format!("emberwalk route {} --erupts-in {erupts_in}\n", lesson.map)),
                "{section}"
            );
        }
        let Subject::Search(search) = lesson.subject else { continue };
        let scale = if search.scale == HeuristicScale::Classic { " --scale classic" } else { "" };
        let erupting = if lesson.erupting { " --erupting" } else { "" };
        let arguments = format!("{}{erupting} --algorithm {}{scale}", lesson.map, search.algorithm);
        assert!(section.contains(&format!("emberwalk animate {arguments} -o")), "{arguments}");
        assert!(section.contains(&format!("emberwalk route {}{erupting}{scale} --compare", lesson.map)), "{arguments}");
    }
}
