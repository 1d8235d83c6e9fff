//! Five short lessons, for the window and for `docs/src/play/lessons.md`. Each asks what an algorithm will do on a
//! bundled map, plays its search, and explains the outcome.

use emberwalk_path::{Algorithm, HeuristicScale, Options};

/// A lesson. Its numbers are for the bundled map with the embedded tileset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The claim, in a few words.
    pub title: &'static str,
    /// The name of the bundled map.
    pub map: &'static str,
    /// Whether its volcanoes erupt.
    pub erupting: bool,
    /// The search to play.
    pub search: LessonSearch,
    /// The question before the search is played.
    pub question: &'static str,
    /// The answers, two or three.
    pub answers: &'static [Answer],
    /// The index of the right answer.
    pub right: usize,
    /// A hint for watching the search.
    pub watch: &'static str,
    /// The outcome, in two sentences.
    pub outcome: &'static str,
    /// Suggestions to try afterwards.
    pub tries: &'static [Try],
}

/// The search of a lesson: the default options, except for these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LessonSearch {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The scale of its heuristic.
    pub scale: HeuristicScale,
}

/// An answer to the question of a lesson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The answer, in a few words.
    pub label: &'static str,
    /// The drawing of this answer on the map, from the tent to the castle.
    pub drawn: Drawn,
}

/// The drawing of an answer on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drawn {
    /// The route that this search finds.
    Route(LessonSearch),
    /// The cells that this search closes.
    Area(LessonSearch),
}

/// Something to try after a lesson. It plays the search again.
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
}

impl LessonSearch {
    const fn exact(algorithm: Algorithm) -> Self {
        Self { algorithm, scale: HeuristicScale::Exact }
    }

    /// The options of the search.
    pub fn options(&self) -> Options {
        Options::default().with_algorithm(self.algorithm).with_scale(self.scale)
    }
}

impl Lesson {
    /// Whether a search with these options belongs to the lesson: the lesson's search, or a search that its
    /// [`tries`](Self::tries) lead to.
    ///
    /// ```
    /// use emberwalk::lessons::LESSONS;
    /// use emberwalk_path::{Moves, Options, HeuristicScale};
    /// let volcano = &LESSONS[4];
    /// let exact = volcano.search.options().with_scale(HeuristicScale::Exact);
    /// assert!(volcano.speaks_of(&exact));
    /// assert!(!volcano.speaks_of(&exact.with_moves(Moves::Four)));
    /// ```
    pub fn speaks_of(&self, options: &Options) -> bool {
        let own = self.search.options();
        let has = |change: Change| self.tries.iter().any(|attempt| attempt.change == change);
        let is_known_algorithm = options.algorithm == own.algorithm || has(Change::Algorithm(options.algorithm));
        let is_known_scale = options.scale == own.scale || has(Change::Scale(options.scale));
        let rest = options.with_algorithm(own.algorithm).with_scale(own.scale);
        is_known_algorithm && is_known_scale && rest == own
    }

    /// Whether volcanoes may erupt or become dormant without leaving the lesson.
    pub fn lets_volcanoes_change(&self) -> bool {
        self.tries.iter().any(|attempt| attempt.change == Change::Volcanoes)
    }
}

const BREADTH_FIRST: LessonSearch = LessonSearch::exact(Algorithm::BreadthFirst);
const DIJKSTRA: LessonSearch = LessonSearch::exact(Algorithm::Dijkstra);
const ASTAR: LessonSearch = LessonSearch::exact(Algorithm::AStar);
const GREEDY: LessonSearch = LessonSearch::exact(Algorithm::Greedy);
const CARELESS: LessonSearch = LessonSearch { algorithm: Algorithm::AStar, scale: HeuristicScale::Classic };

const TRY_ASTAR: Try = Try { label: "A*", change: Change::Algorithm(Algorithm::AStar) };
const TRY_DIJKSTRA: Try = Try { label: "Dijkstra", change: Change::Algorithm(Algorithm::Dijkstra) };

/// The lessons, in order.
pub const LESSONS: [Lesson; 5] = [
    Lesson {
        title: "Breadth-first ignores cost",
        map: "figures/road",
        erupting: false,
        search: BREADTH_FIRST,
        question: "Breadth-first search counts steps and nothing else. Which route will it find from the tent to the \
                   castle?",
        answers: &[
            Answer { label: "Across the meadow", drawn: Drawn::Route(BREADTH_FIRST) },
            Answer { label: "Over the road", drawn: Drawn::Route(DIJKSTRA) },
        ],
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
        search: DIJKSTRA,
        question: "Dijkstra's algorithm always expands the cell that is cheapest to reach. Where will it have looked \
                   when it comes to the castle?",
        answers: &[
            Answer { label: "Straight towards the castle", drawn: Drawn::Area(GREEDY) },
            Answer { label: "Along the road", drawn: Drawn::Area(ASTAR) },
            Answer { label: "In all directions", drawn: Drawn::Area(DIJKSTRA) },
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
        search: ASTAR,
        question: "A* adds an estimate of the cost that remains, and looks at far fewer cells than Dijkstra. Will its \
                   route be as cheap?",
        answers: &[
            Answer { label: "Yes, over the road", drawn: Drawn::Route(ASTAR) },
            Answer { label: "No, it takes a short cut", drawn: Drawn::Route(GREEDY) },
        ],
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
        search: GREEDY,
        question: "Greedy search looks at nothing but the estimate of what remains. Which route will it find?",
        answers: &[
            Answer { label: "Through the forest", drawn: Drawn::Route(GREEDY) },
            Answer { label: "Over the road", drawn: Drawn::Route(ASTAR) },
        ],
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
        search: CARELESS,
        question: "The volcano makes cells cheaper than the 1 for each step that this estimate counts. Will A* still \
                   find the cheapest route?",
        answers: &[
            Answer { label: "Yes, past the volcano", drawn: Drawn::Route(ASTAR) },
            Answer { label: "No, it keeps away from it", drawn: Drawn::Route(CARELESS) },
        ],
        right: 1,
        watch: "Watch how few cells it looks at.",
        outcome: "Its estimate was too high, so a detour to the cheap cells did not seem to pay: its route costs 9.46. \
                  The cheapest, closer to the volcano, costs 8.21.",
        tries: &[
            Try { label: "Exact scale", change: Change::Scale(HeuristicScale::Exact) },
            Try { label: "Calm the volcano", change: Change::Volcanoes },
        ],
    },
];
