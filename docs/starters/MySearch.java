// A*, for `emberwalk judge -- java MySearch.java`: one problem in, one JSON object per event out.
import java.util.*;

public class MySearch {
    static String problem;
    static int width, height, goal;
    static boolean hasDiagonals;
    static double[] costs;
    static double cheapest = Double.POSITIVE_INFINITY;

    record Entry(double f, double h, int cell) {}

    /** The value of a key, up to the end of the line, which has no spaces. */
    static String value(String key) {
        return problem.substring(problem.indexOf("\"" + key + "\":") + key.length() + 3);
    }

    static int number(String key) {
        return Integer.parseInt(value(key).split("[,}]")[0]);
    }

    /** Cells are numbered row by row. */
    static int cell(String key) {
        String[] numbers = value(key).substring(1).split("[,\\]]");
        return Integer.parseInt(numbers[1]) * width + Integer.parseInt(numbers[0]);
    }

    static boolean passable(int x, int y) {
        return x >= 0 && x < width && y >= 0 && y < height && !Double.isNaN(costs[y * width + x]);
    }

    /** Never more than the cheapest route from the cell to the goal costs. */
    static double estimate(int cell) {
        int dx = Math.abs(goal % width - cell % width), dy = Math.abs(goal / width - cell / width);
        if (!hasDiagonals) return (dx + dy) * cheapest;
        return (Math.max(dx, dy) + (Math.sqrt(2) - 1) * Math.min(dx, dy)) * cheapest;
    }

    static String text(int cell) {
        return cell < 0 ? "null" : "[" + cell % width + "," + cell / width + "]";
    }

    public static void main(String[] args) {
        problem = new Scanner(System.in).nextLine();
        width = number("width");
        height = number("height");
        hasDiagonals = number("moves") == 8;
        int allowed = value("corners").startsWith("\"never") ? 0 : value("corners").startsWith("\"one") ? 1 : 2;
        String[] numbers = value("costs").replaceAll("\\]\\].*", "").replaceAll("[\\[\\]]", "").split(",");
        costs = new double[width * height];
        for (int k = 0; k < costs.length; k++) {
            costs[k] = numbers[k].equals("null") ? Double.NaN : Double.parseDouble(numbers[k]);
            if (costs[k] < cheapest) cheapest = costs[k];
        }
        int start = cell("start");
        goal = cell("goal");

        double[] g = new double[costs.length];
        int[] parent = new int[costs.length];
        boolean[] closed = new boolean[costs.length];
        Arrays.fill(g, Double.POSITIVE_INFINITY);
        Arrays.fill(parent, -1);
        // Of cells with the same f, the one nearest to the goal comes first.
        var open = new PriorityQueue<>(Comparator.comparingDouble(Entry::f).thenComparingDouble(Entry::h));
        StringBuilder out = new StringBuilder();
        g[start] = 0;
        push(start, g, parent, open, out);
        boolean found = false;
        while (!open.isEmpty() && !found) {
            int cell = open.poll().cell();
            if (closed[cell]) continue; // An older entry of a cell that got a lower g.
            closed[cell] = true;
            out.append("{\"event\":\"closed\",\"cell\":" + text(cell) + ",\"g\":" + g[cell] + "}\n");
            found = cell == goal;
            for (int dy = -1; dy <= 1 && !found; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int x = cell % width + dx, y = cell / width + dy, next = y * width + x;
                    boolean diagonal = dx != 0 && dy != 0;
                    if (dx == 0 && dy == 0 || diagonal && !hasDiagonals || !passable(x, y)) continue;
                    int blocked = (passable(x, y - dy) ? 0 : 1) + (passable(x - dx, y) ? 0 : 1);
                    if (diagonal && blocked > allowed) continue;
                    double cost = g[cell] + costs[next] * (diagonal ? Math.sqrt(2) : 1);
                    if (cost < g[next]) {
                        g[next] = cost;
                        parent[next] = cell;
                        push(next, g, parent, open, out);
                    }
                }
            }
        }
        String cells = text(goal);
        for (int at = parent[goal]; at >= 0; at = parent[at]) cells = text(at) + "," + cells;
        out.append(found ? "{\"event\":\"found\",\"cells\":[" + cells + "],\"cost\":" + g[goal] + "}" : "{\"event\":\"exhausted\"}");
        System.out.println(out);
    }

    static void push(int cell, double[] g, int[] parent, PriorityQueue<Entry> open, StringBuilder out) {
        double h = estimate(cell), f = g[cell] + h;
        open.add(new Entry(f, h, cell));
        out.append("{\"event\":\"opened\",\"cell\":" + text(cell) + ",\"parent\":" + text(parent[cell]));
        out.append(",\"g\":" + g[cell] + ",\"h\":" + h + ",\"f\":" + f + "}\n");
    }
}
