// A*, for `emberwalk judge -- node my_search.js`: one problem in, one JSON object per event out.
const problem = JSON.parse(require("fs").readFileSync(0, "utf8"));
const { costs, width, height, start, goal } = problem;
const cheapest = Math.min(...costs.flat().filter((cost) => cost !== null));
const sides = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const diagonals = [[1, -1], [1, 1], [-1, 1], [-1, -1]];
const directions = problem.moves === 8 ? [...sides, ...diagonals] : sides;
const allowed = { never: 0, one: 1, always: 2 }[problem.corners];

const passable = (x, y) => x >= 0 && x < width && y >= 0 && y < height && costs[y][x] !== null;

// The cells that can be entered from x, y, with the cost of the step.
function successors([x, y]) {
  const found = [];
  for (const [dx, dy] of directions) {
    if (!passable(x + dx, y + dy)) continue;
    const diagonal = dx !== 0 && dy !== 0;
    const blocked = diagonal ? !passable(x + dx, y) + !passable(x, y + dy) : 0;
    if (blocked <= allowed) found.push([[x + dx, y + dy], costs[y + dy][x + dx] * (diagonal ? Math.SQRT2 : 1)]);
  }
  return found;
}

// Never more than the cheapest route from the cell to the goal costs.
function estimate([x, y]) {
  const dx = Math.abs(goal[0] - x), dy = Math.abs(goal[1] - y);
  if (problem.moves === 4) return (dx + dy) * cheapest;
  return (Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy)) * cheapest;
}

const say = (event) => console.log(JSON.stringify(event));

function search() {
  // Objects need text as keys. The open list is an array: slow on large maps, but short.
  const g = new Map([[`${start}`, 0]]), parent = new Map([[`${start}`, null]]), closed = new Set();
  const open = [];
  const push = (cell) => {
    const entry = { cell, h: estimate(cell), f: g.get(`${cell}`) + estimate(cell) };
    open.push(entry);
    say({ event: "opened", cell, parent: parent.get(`${cell}`), g: g.get(`${cell}`), h: entry.h, f: entry.f });
  };
  push(start);
  while (open.length > 0) {
    // Of cells with the same f, the one nearest to the goal comes first.
    const best = open.reduce((a, b) => (b.f < a.f || (b.f === a.f && b.h < a.h) ? b : a));
    open.splice(open.indexOf(best), 1);
    const { cell } = best;
    if (closed.has(`${cell}`)) continue; // An older entry of a cell that got a lower g.
    closed.add(`${cell}`);
    say({ event: "closed", cell, g: g.get(`${cell}`) });
    if (`${cell}` === `${goal}`) {
      const cells = [];
      for (let at = cell; at !== null; at = parent.get(`${at}`)) cells.unshift(at);
      return say({ event: "found", cells, cost: g.get(`${goal}`) });
    }
    for (const [next, step] of successors(cell)) {
      const cost = g.get(`${cell}`) + step;
      if (cost < (g.get(`${next}`) ?? Infinity)) {
        g.set(`${next}`, cost);
        parent.set(`${next}`, cell);
        push(next);
      }
    }
  }
  say({ event: "exhausted" });
}

search();
