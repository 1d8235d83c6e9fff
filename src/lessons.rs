//! Eight short lessons, for the window and for `docs/src/play/lessons.md`. Each asks what an algorithm, a crowd or a
//! traveller will do on a bundled map, plays it, and explains the outcome.

use emberwalk_crowd::OnArrival;
use emberwalk_map::Map;
use emberwalk_path::grid::Cell;
use emberwalk_path::time::CrowdTime;
use emberwalk_path::{Algorithm, HeuristicScale, Options};
use emberwalk_world::town::Group;
use emberwalk_world::{Order, World};

/// A lesson. Its numbers are for the bundled map with the embedded tileset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The claim, in a few words.
    pub title: &'static str,
    /// The name of the bundled map.
    pub map: &'static str,
    /// Whether its volcanoes erupt.
    pub erupting: bool,
    /// The search, the people or the journey that is played.
    pub subject: Subject,
    /// The question before it is played.
    pub question: &'static str,
    /// The answers, two or three.
    pub answers: &'static [Answer],
    /// The index of the right answer.
    pub right: usize,
    /// A hint for watching.
    pub watch: &'static str,
    /// The outcome, in two sentences.
    pub outcome: &'static str,
    /// Suggestions to try afterwards.
    pub tries: &'static [Try],
}

/// The subject of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Subject {
    /// A search with these options from the tent to the castle.
    Search(Options),
    /// People who set out together.
    People(LessonPeople),
    /// The journey of a traveller from the tent to the castle.
    Journey(LessonJourney),
}

/// The journey of a lesson: when the traveller sets out, an eruption of all volcanoes is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonJourney {
    /// The seconds until they erupt.
    pub erupts_in: u8,
}

/// The people of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonPeople {
    /// Where they go.
    pub groups: &'static [Group],
    /// The seconds after which the lesson explains its outcome, even if people are still on the way.
    pub seconds: u32,
    /// Whether the lowest costs from all cells to the castle are shown while people walk.
    pub shows_costs: bool,
}

/// An answer to the question of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The answer, in a few words.
    pub label: &'static str,
    /// The drawing of this answer on the map, from the tent to the castle; `None` if only words can say it.
    pub drawn: Option<Drawn>,
}

/// The drawing of an answer on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drawn {
    /// The route that a search with these options finds.
    Route(Options),
    /// The cells that a search with these options closes.
    Area(Options),
    /// The route of this journey, which arrives the earliest.
    Journey(LessonJourney),
}

/// Something to try after a lesson. It plays the search again, or lets people or the traveller set out again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Try {
    /// The text of the button.
    pub label: &'static str,
    /// The change that it makes.
    pub change: Change,
}

/// A change that a [`Try`] makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The algorithm.
    Algorithm(Algorithm),
    /// The scale of the heuristic.
    Scale(HeuristicScale),
    /// Volcanoes erupt, or become dormant again.
    Volcanoes,
    /// Other people set out.
    People(&'static [Group]),
    /// The traveller sets out again, for another journey.
    Journey(LessonJourney),
}

impl LessonJourney {
    /// The eruption that is announced when the traveller sets out.
    pub fn announcement(self) -> Order {
        Order::announce(CrowdTime::from_whole_seconds(self.erupts_in.into()))
    }

    /// A world on a map at the departure. Its [outlook](World::outlook) is what the traveller knows.
    ///
    /// ```
    /// use emberwalk::lessons::LESSONS;
    /// use emberwalk_map::{Map, terrain::Tileset};
    /// use emberwalk_path::{Planner, RouteQuery};
    /// let lesson = &LESSONS[7];
    /// let map = Map::open(lesson.map.as_ref(), &Tileset::load(None)?.into())?;
    /// let query = RouteQuery::new(map.tent().unwrap(), map.castle().unwrap());
    /// let world = lesson.journey().unwrap().world(&map);
    /// let mut planner = Planner::new();
    /// let aware = planner.plan_ahead(&world.outlook(), &query, world.departure())?;
    /// assert!(aware.duration() < Planner::new().plan(map.costs(), &query)?.cost());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn world(self, map: &Map) -> World {
        let mut world = World::on(map.clone());
        // It is possible in every world.
        drop(world.apply(&self.announcement()));
        world
    }
}

impl Answer {
    const fn words(label: &'static str) -> Self {
        Self { label, drawn: None }
    }

    const fn route(label: &'static str, options: Options) -> Self {
        Self { label, drawn: Some(Drawn::Route(options)) }
    }

    const fn area(label: &'static str, options: Options) -> Self {
        Self { label, drawn: Some(Drawn::Area(options)) }
    }

    const fn journey(label: &'static str, journey: LessonJourney) -> Self {
        Self { label, drawn: Some(Drawn::Journey(journey)) }
    }
}

impl Lesson {
    /// The options with which it begins.
    pub fn options(&self) -> Options {
        match self.subject {
            Subject::Search(options) => options,
            Subject::People(_) | Subject::Journey(_) => Options::default(),
        }
    }

    /// The people that it is about; `None` if it is about something else.
    pub fn people(&self) -> Option<LessonPeople> {
        match self.subject {
            Subject::People(people) => Some(people),
            _ => None,
        }
    }

    /// The journey that it is about; `None` if it is about something else.
    pub fn journey(&self) -> Option<LessonJourney> {
        match self.subject {
            Subject::Journey(journey) => Some(journey),
            _ => None,
        }
    }

    /// Whether a search with these options belongs to the lesson: the lesson's search, or a search that its
    /// [`tries`](Self::tries) lead to. The algorithm does not matter to people. It matters to a traveller, who looks
    /// ahead only with an optimal algorithm.
    ///
    /// ```
    /// use emberwalk::lessons::LESSONS;
    /// use emberwalk_path::{Moves, Options, HeuristicScale};
    /// let volcano = &LESSONS[4];
    /// let exact = volcano.options().with_scale(HeuristicScale::Exact);
    /// assert!(volcano.speaks_of(&exact));
    /// assert!(!volcano.speaks_of(&exact.with_moves(Moves::Four)));
    /// ```
    pub fn speaks_of(&self, options: &Options) -> bool {
        let own = self.options();
        match self.subject {
            Subject::Search(_) => {}
            Subject::People(_) => return options.rules == own.rules,
            Subject::Journey(_) => return options.rules == own.rules && options.optimal(),
        }
        let has = |change: Change| self.tries.iter().any(|attempt| attempt.change == change);
        let is_known_algorithm = options.algorithm == own.algorithm || has(Change::Algorithm(options.algorithm));
        let is_known_scale = options.scale == own.scale || has(Change::Scale(options.scale));
        let rest = options.with_algorithm(own.algorithm).with_scale(own.scale);
        is_known_algorithm && is_known_scale && rest == own
    }

    /// Whether it is about these people, or suggests to try them.
    pub fn speaks_of_people(&self, groups: &[Group]) -> bool {
        let are_tried = |attempt: &Try| matches!(attempt.change, Change::People(tried) if tried == groups);
        self.people().is_some_and(|people| people.groups == groups) || self.tries.iter().any(are_tried)
    }

    /// Whether volcanoes may erupt or become dormant without leaving the lesson.
    pub fn lets_volcanoes_change(&self) -> bool {
        self.tries.iter().any(|attempt| attempt.change == Change::Volcanoes)
    }
}

const BREADTH_FIRST: Options = Options::new().with_algorithm(Algorithm::BreadthFirst);
const DIJKSTRA: Options = Options::new().with_algorithm(Algorithm::Dijkstra);
const ASTAR: Options = Options::new().with_algorithm(Algorithm::AStar);
const GREEDY: Options = Options::new().with_algorithm(Algorithm::Greedy);
const CARELESS: Options = ASTAR.with_scale(HeuristicScale::Classic);

const ERUPTS_IN_5: LessonJourney = LessonJourney { erupts_in: 5 };

const TRY_ASTAR: Try = Try { label: "A*", change: Change::Algorithm(Algorithm::AStar) };
const TRY_DIJKSTRA: Try = Try { label: "Dijkstra", change: Change::Algorithm(Algorithm::Dijkstra) };

/// The ends of the road in `figures/bridge`, and the castle of `realm`.
const WEST: Cell = Cell::new(0, 4);
const EAST: Cell = Cell::new(9, 4);
const REALM_CASTLE: Cell = Cell::new(81, 123);

const fn across(size: usize, from: Cell, to: Cell) -> Group {
    Group { size, from: Some(from), to, on_arrival: OnArrival::Stay }
}

const fn to_castle(size: usize) -> [Group; 1] {
    [Group { size, from: None, to: REALM_CASTLE, on_arrival: OnArrival::Leave }]
}

/// The lessons, in order.
pub const LESSONS: [Lesson; 8] = [
    Lesson {
        title: "Breadth-first ignores cost",
        map: "figures/road",
        erupting: false,
        subject: Subject::Search(BREADTH_FIRST),
        question: "Breadth-first search counts steps and nothing else. Which route will it find from the tent to the \
                   castle?",
        answers: &[Answer::route("Across the meadow", BREADTH_FIRST), Answer::route("Over the road", DIJKSTRA)],
        right: 0,
        watch: "Watch the rings: each is one step farther from the tent.",
        outcome: "It ignored what steps cost: its route has 8 of them, the fewest possible, and costs 8.78. The route \
                  over the road has 9 steps and costs only 7.24.",
        tries: &[TRY_ASTAR, TRY_DIJKSTRA],
    },
    Lesson {
        title: "Dijkstra looks everywhere",
        map: "valley",
        erupting: false,
        subject: Subject::Search(DIJKSTRA),
        question: "Dijkstra's algorithm always expands the cell that is cheapest to reach. Where will it have looked \
                   when it comes to the castle?",
        answers: &[
            Answer::area("Straight towards the castle", GREEDY),
            Answer::area("Along the road", ASTAR),
            Answer::area("In all directions", DIJKSTRA),
        ],
        right: 2,
        watch: "Watch the colours run ahead along the roads, where steps are cheap.",
        outcome: "It expanded 162 cells, in all directions, before it came to the castle. So it knows that no route is \
                  cheaper than the one it found, which costs 9.83.",
        tries: &[TRY_ASTAR],
    },
    Lesson {
        title: "A* looks where it pays",
        map: "valley",
        erupting: false,
        subject: Subject::Search(ASTAR),
        question: "A* adds an estimate of the cost that remains, and looks at far fewer cells than Dijkstra. Will its \
                   route be as cheap?",
        answers: &[Answer::route("Yes, over the road", ASTAR), Answer::route("No, it takes a short cut", GREEDY)],
        right: 0,
        watch: "Watch it follow the road and leave the rest of the valley alone.",
        outcome: "It expanded 39 cells, not 162, and its route costs the same, 9.83. Its estimate is never too high, so \
                  it misses no cheaper route.",
        tries: &[TRY_DIJKSTRA, Try { label: "Let the volcano erupt", change: Change::Volcanoes }],
    },
    Lesson {
        title: "Greedy is quick and wrong",
        map: "valley",
        erupting: false,
        subject: Subject::Search(GREEDY),
        question: "Greedy search looks at nothing but the estimate of what remains. Which route will it find?",
        answers: &[Answer::route("Through the forest", GREEDY), Answer::route("Over the road", ASTAR)],
        right: 0,
        watch: "Watch it run straight towards the castle.",
        outcome: "It expanded only 19 cells, but ran through the forest: its route costs 15.66, of which 6.83 are for \
                  three cells of forest. The cheapest route costs 9.83.",
        tries: &[
            TRY_ASTAR,
            Try { label: "Weighted A*", change: Change::Algorithm(Algorithm::Weighted { weight: 1.5 }) },
        ],
    },
    Lesson {
        title: "A volcano blinds a careless heuristic",
        map: "valley",
        erupting: true,
        subject: Subject::Search(CARELESS),
        question: "The volcano makes cells cheaper than the 1 for each step that this estimate counts. Will A* still \
                   find the cheapest route?",
        answers: &[Answer::route("Yes, past the volcano", ASTAR), Answer::route("No, it keeps away from it", CARELESS)],
        right: 1,
        watch: "Watch how few cells it looks at.",
        outcome: "Its estimate was too high, so a detour to the cheap cells did not seem to pay: its route costs 9.46. \
                  The cheapest, closer to the volcano, costs 8.21.",
        tries: &[
            Try { label: "Exact scale", change: Change::Scale(HeuristicScale::Exact) },
            Try { label: "Calm the volcano", change: Change::Volcanoes },
        ],
    },
    Lesson {
        title: "People on the bridge go first",
        map: "figures/bridge",
        erupting: false,
        subject: Subject::People(LessonPeople {
            groups: &[across(12, WEST, EAST), across(12, EAST, WEST)],
            seconds: 60,
            shows_costs: false,
        }),
        question: "Two groups of twelve want to change sides, over a bridge on which two people cannot pass each other. \
                   One group alone takes 5 seconds. How long do both take?",
        answers: &[
            Answer::words("5 seconds, as one group alone"),
            Answer::words("More than twice as long"),
            Answer::words("For ever: they block each other"),
        ],
        right: 1,
        watch: "Watch the ends of the bridge: people on it walk on, and the others wait on the bank.",
        outcome: "All had arrived after 12.6 seconds: people on the bridge go first, and people who want to go the \
                  other way wait or step aside. Nobody is pushed into the water, because people only step into free \
                  cells that they can enter.",
        tries: &[
            Try { label: "Only one group", change: Change::People(&[across(12, WEST, EAST)]) },
            Try {
                label: "Half as many again",
                change: Change::People(&[across(18, WEST, EAST), across(18, EAST, WEST)]),
            },
        ],
    },
    Lesson {
        title: "One search serves a thousand",
        map: "realm",
        erupting: false,
        subject: Subject::People(LessonPeople { groups: &to_castle(1000), seconds: 15, shows_costs: true }),
        question: "A thousand people all over the realm want to go to the castle, each by a cheapest route. How many \
                   searches does it take to find all these routes?",
        answers: &[
            Answer::words("A thousand, one for each of them"),
            Answer::words("Some dozens, one for each road"),
            Answer::words("One for all"),
        ],
        right: 2,
        watch: "Watch the colours, which are the cost to the castle: everybody goes from yellow to violet, as water flows \
                downhill.",
        outcome: "One search from the castle expanded 11,384 cells, and gives the next step in every cell. A \
                  thousand searches with A* would have expanded 4,269,992, which is 375 times as many.",
        tries: &[
            Try { label: "A hundred people", change: Change::People(&to_castle(100)) },
            Try { label: "Let the volcano erupt", change: Change::Volcanoes },
        ],
    },
    Lesson {
        title: "It pays to know what is coming",
        map: "figures/coming",
        erupting: false,
        subject: Subject::Journey(ERUPTS_IN_5),
        question: "The volcano is going to erupt in 5 seconds. Then steps on the warm snow around it cost much less. \
                   On which route does the traveller arrive first?",
        answers: &[
            Answer::route("Straight through the forest", ASTAR),
            Answer::journey("Past the volcano, without waiting", ERUPTS_IN_5),
            Answer::words("Wait in the tent until the snow is warm"),
        ],
        right: 1,
        watch: "Watch the traveller: it makes for the volcano while the snow there is still cold.",
        outcome: "It arrived after 9.0 seconds, because it was already on its way while the snow was cold. A traveller \
                  who waits for the eruption needs 11.4 seconds, and a traveller who does not know of it takes the \
                  forest and needs 11.9.",
        tries: &[
            Try { label: "Let it erupt in 2 seconds", change: Change::Journey(LessonJourney { erupts_in: 2 }) },
            Try { label: "Let it erupt in 20 seconds", change: Change::Journey(LessonJourney { erupts_in: 20 }) },
        ],
    },
];
