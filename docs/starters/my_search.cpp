// A*, for `g++ -O2 -o my_search my_search.cpp && emberwalk judge -- ./my_search`: one problem in, one JSON object per event out.
#include <cmath>
#include <iostream>
#include <iterator>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

std::string problem;

// Where the value of a key begins. The problem is one line without spaces.
size_t value(const std::string& key) { return problem.find("\"" + key + "\":") + key.size() + 3; }
int number(const std::string& key) { return std::stoi(problem.substr(value(key))); }

int main() {
    std::getline(std::cin, problem);
    std::cout.precision(12);
    const int width = number("width"), height = number("height"), moves = number("moves");
    const char corners = problem[value("corners") + 1];
    const int allowed = corners == 'n' ? 0 : corners == 'o' ? 1 : 2;
    // Cells are numbered row by row. An impassable cell has the cost -1.
    std::vector<double> costs;
    double cheapest = INFINITY;
    for (size_t at = value("costs"); costs.size() < size_t(width) * height;) {
        at = problem.find_first_of("0123456789n", at);
        const double cost = problem[at] == 'n' ? -1 : std::stod(problem.substr(at, 30));
        costs.push_back(cost);
        if (cost > 0) cheapest = std::min(cheapest, cost);
        at = problem.find_first_of(",]", at);
    }
    auto cell_of = [&](const std::string& key) {
        const size_t at = value(key) + 1;
        return std::stoi(problem.substr(problem.find(',', at) + 1)) * width + std::stoi(problem.substr(at));
    };
    const int start = cell_of("start"), goal = cell_of("goal");
    auto passable = [&](int x, int y) { return x >= 0 && x < width && y >= 0 && y < height && costs[y * width + x] >= 0; };
    // Never more than the cheapest route from the cell to the goal costs.
    auto estimate = [&](int cell) {
        const int dx = std::abs(goal % width - cell % width), dy = std::abs(goal / width - cell / width);
        if (moves == 4) return (dx + dy) * cheapest;
        return (std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy)) * cheapest;
    };
    auto text = [&](int cell) {
        return cell < 0 ? "null" : "[" + std::to_string(cell % width) + "," + std::to_string(cell / width) + "]";
    };

    std::vector<double> g(costs.size(), INFINITY);
    std::vector<int> parent(costs.size(), -1);
    std::vector<bool> closed(costs.size());
    // Of cells with the same f, the one nearest to the goal comes first.
    using Entry = std::tuple<double, double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
    auto push = [&](int cell) {
        const double h = estimate(cell), f = g[cell] + h;
        open.push({f, h, cell});
        std::cout << "{\"event\":\"opened\",\"cell\":" << text(cell) << ",\"parent\":" << text(parent[cell]) << ",\"g\":" << g[cell]
                  << ",\"h\":" << h << ",\"f\":" << f << "}\n";
    };
    g[start] = 0;
    push(start);
    while (!open.empty()) {
        const int cell = std::get<2>(open.top());
        open.pop();
        if (closed[cell]) continue;  // An older entry of a cell that got a lower g.
        closed[cell] = true;
        std::cout << "{\"event\":\"closed\",\"cell\":" << text(cell) << ",\"g\":" << g[cell] << "}\n";
        if (cell == goal) {
            std::string cells = text(goal);
            for (int at = parent[goal]; at >= 0; at = parent[at]) cells = text(at) + "," + cells;
            std::cout << "{\"event\":\"found\",\"cells\":[" << cells << "],\"cost\":" << g[goal] << "}\n";
            return 0;
        }
        const int x = cell % width, y = cell / width;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                const bool diagonal = dx != 0 && dy != 0;
                if ((dx == 0 && dy == 0) || (diagonal && moves == 4) || !passable(x + dx, y + dy)) continue;
                if (diagonal && !passable(x + dx, y) + !passable(x, y + dy) > allowed) continue;
                const int next = (y + dy) * width + x + dx;
                const double cost = g[cell] + costs[next] * (diagonal ? std::sqrt(2.0) : 1);
                if (cost < g[next]) {
                    g[next] = cost;
                    parent[next] = cell;
                    push(next);
                }
            }
        }
    }
    std::cout << "{\"event\":\"exhausted\"}\n";
}
