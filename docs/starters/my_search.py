"""A*, for `emberwalk judge -- python3 my_search.py`: one problem in, one JSON object per event out."""
import heapq
import json
import math
import sys

problem = json.load(sys.stdin)
costs, width, height = problem["costs"], problem["width"], problem["height"]
start, goal = tuple(problem["start"]), tuple(problem["goal"])
cheapest = min(cost for row in costs for cost in row if cost is not None)
SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]
DIAGONALS = [(1, -1), (1, 1), (-1, 1), (-1, -1)]


def passable(x, y):
    return 0 <= x < width and 0 <= y < height and costs[y][x] is not None


def successors(x, y):
    """The cells that can be entered from x, y, with the cost of the step."""
    for dx, dy in SIDES + (DIAGONALS if problem["moves"] == 8 else []):
        if not passable(x + dx, y + dy):
            continue
        blocked = (not passable(x + dx, y)) + (not passable(x, y + dy)) if dx and dy else 0
        if blocked <= {"never": 0, "one": 1, "always": 2}[problem["corners"]]:
            yield (x + dx, y + dy), costs[y + dy][x + dx] * (math.sqrt(2) if dx and dy else 1)


def estimate(cell):
    """Never more than the cheapest route from the cell to the goal costs."""
    dx, dy = abs(goal[0] - cell[0]), abs(goal[1] - cell[1])
    if problem["moves"] == 4:
        return (dx + dy) * cheapest
    return (max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)) * cheapest


def say(**event):
    print(json.dumps(event))


def search():
    g, parent, closed, heap = {start: 0}, {start: None}, set(), []

    def push(cell):
        h = estimate(cell)
        # Of cells with the same f, the one nearest to the goal comes first.
        heapq.heappush(heap, (g[cell] + h, h, cell))
        say(event="opened", cell=cell, parent=parent[cell], g=g[cell], h=h, f=g[cell] + h)

    push(start)
    while heap:
        _, _, cell = heapq.heappop(heap)
        if cell in closed:
            continue  # An older entry of a cell that got a lower g.
        closed.add(cell)
        say(event="closed", cell=cell, g=g[cell])
        if cell == goal:
            route = [goal]
            while parent[route[-1]]:
                route.append(parent[route[-1]])
            return say(event="found", cells=route[::-1], cost=g[goal])
        for next_cell, step in successors(*cell):
            if g[cell] + step < g.get(next_cell, math.inf):
                g[next_cell] = g[cell] + step
                parent[next_cell] = cell
                push(next_cell)
    say(event="exhausted")


search()
