//! Five short lessons, for the window and for `docs/lessons.md`: each shows one algorithm on a bundled map.

use emberwalk_path::{Algorithm, Options, Scale};

/// A lesson. Its numbers hold for the bundled map with the embedded tileset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The claim, in a few words.
    pub title: &'static str,
    /// The name of the bundled map.
    pub map: &'static str,
    /// Whether its volcanoes erupt.
    pub erupting: bool,
    /// The algorithm that is shown.
    pub algorithm: Algorithm,
    /// The scale of its heuristic.
    pub scale: Scale,
    /// What to watch, in two sentences.
    pub text: &'static str,
    /// What to do next, in the window.
    pub next: &'static str,
}

impl Lesson {
    /// The options of its search.
    pub fn options(&self) -> Options {
        Options { algorithm: self.algorithm, scale: self.scale, ..Options::default() }
    }
}

/// The lessons, in their order.
pub const LESSONS: [Lesson; 5] = [
    Lesson {
        title: "Breadth-first ignores cost",
        map: "figures/road",
        erupting: false,
        algorithm: Algorithm::BreadthFirst,
        scale: Scale::Exact,
        text: "Watch the rings: breadth-first search counts steps and ignores what they cost. Its route has 8 steps, \
               the fewest possible, and costs 8.78; the route over the road has 9 and costs only 7.24.",
        next: "At the end, P plays it again, or C to compare all algorithms.",
    },
    Lesson {
        title: "Dijkstra looks everywhere",
        map: "valley",
        erupting: false,
        algorithm: Algorithm::Dijkstra,
        scale: Scale::Exact,
        text: "Dijkstra's algorithm always expands the cell that is cheapest to reach, in whatever direction, so its \
               route is the cheapest. Watch how much of the valley that takes: 162 cells before it comes to the castle.",
        next: "At the end, P plays it again. The next lesson does the same with less work.",
    },
    Lesson {
        title: "A* looks where it pays",
        map: "valley",
        erupting: false,
        algorithm: Algorithm::AStar,
        scale: Scale::Exact,
        text: "A* adds an estimate of the cost that remains, so it expands the cells first that may lie on a cheap \
               route. Watch it follow the road: it expands 39 cells, not 162, and its route costs the same, 9.83.",
        next: "At the end, P plays it again, or comma and full stop to go step by step.",
    },
    Lesson {
        title: "Greedy is quick and wrong",
        map: "valley",
        erupting: false,
        algorithm: Algorithm::Greedy,
        scale: Scale::Exact,
        text: "Greedy search looks at nothing but the estimate, so it runs straight towards the castle and expands \
               only 19 cells. Watch it run through the forest: its route costs 15.66, of which 6.83 are for three cells of \
               forest, and the cheapest costs 9.83.",
        next: "O shows what each cell costs, and pressed twice more, the search again. C compares all algorithms.",
    },
    Lesson {
        title: "A volcano blinds a careless heuristic",
        map: "valley",
        erupting: true,
        algorithm: Algorithm::AStar,
        scale: Scale::Classic,
        text: "The volcano makes cells cheaper than the 1 per step that this heuristic counts, so A* thinks that a \
               detour to them cannot pay. Watch how little it looks at: its route costs 9.46, and the cheapest, closer \
               to the volcano, costs 8.21.",
        next: "Click \"classic scale\" in the panel of the search: with the exact scale, A* finds the cheapest route.",
    },
];
