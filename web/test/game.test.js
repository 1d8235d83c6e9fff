// What a player and a link see of the page. Each test opens a page of its own.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { start } from "./page.js";

/// The program for the command line, which paints what the page must show.
const EMBERWALK = process.env.EMBERWALK;

let session;
before(async () => { session = await start(); });
after(() => session?.stop());

/** Returns where the middle of a cell of a map of 10 x 10 is in a window of 1280 x 720, which shows it at zoom 2. */
function cellAt(x, y) {
  const [left, top] = [118, 72];
  return [left + 2 * (26 * (x + y) + 27), top + 2 * (13 * (y - x) + 117 + 40)];
}

/** Opens a page, and closes it after the test. */
async function open(t, query, options) {
  const game = await session.open(query, options);
  t.after(() => game.close());
  await game.ready();
  return game;
}

test("the page shows the valley, with the route to the castle", async t => {
  const game = await open(t, "");
  assert.match(await game.line(/map loaded/), /map loaded name="The valley" width=24 height=20/);
  await game.line(/goal set cell=/);
  await game.line(/route found from=.* cost=9\.828 /);
  assert.equal(await game.page.title(), "Emberwalk - The valley");
});

test("a click on a cell sends the traveller there", async t => {
  const game = await open(t, "?map=figures/road");
  await game.page.mouse.click(...cellAt(2, 7));
  await game.line(/goal set cell=2,7/);
  await game.line(/route found .* to=2,7 /);
  await game.line(/arrived cell=2,7/);
});

test("a tap sends the traveller there, too", async t => {
  const game = await open(t, "?map=figures/road", { touch: true });
  await game.page.touchscreen.tap(...cellAt(2, 7));
  await game.line(/goal set cell=2,7/);
});

/** Touches the screen with fingers that move straight through the points of their paths, all at the same time. */
async function touch(game, paths, rest = 0) {
  const client = await game.context.newCDPSession(game.page);
  const points = step => paths.map((path, id) => ({ x: path[step][0], y: path[step][1], id }));
  const send = (type, touchPoints) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", points(0));
  await game.page.waitForTimeout(rest);
  for (let step = 1; step < paths[0].length; step++) await send("touchMove", points(step));
  await send("touchEnd", []);
}

/** Returns points from one to another. */
function line([x, y], [dx, dy]) {
  return Array.from({ length: 11 }, (_, k) => [x + (dx * k) / 10, y + (dy * k) / 10]);
}

test("a finger that moves pans, two fingers zoom, and a long press only points", async t => {
  const game = await open(t, "?map=figures/road", { touch: true });
  const lines = game.lines.length;
  const [x, y] = cellAt(2, 7);
  await touch(game, [line([x, y], [0, 0])], 900);
  await touch(game, [line([x + 20, y], [100, 60])]);
  await game.page.waitForTimeout(500);
  assert.deepEqual(game.lines.slice(lines), []);
  await game.page.touchscreen.tap(x + 100, y + 60);
  await game.line(/goal set cell=2,7/, lines);
  // From zoom 2 to zoom 3: the cell to the east is then 78 pixels away.
  await touch(game, [line([x + 60, y + 60], [-20, 0]), line([x + 140, y + 60], [20, 0])]);
  await game.page.waitForTimeout(500);
  await game.page.touchscreen.tap(x + 100 + 78, y + 60 - 39);
  await game.line(/goal set cell=3,7/, lines);
});

test("an eruption plans the route again", async t => {
  const game = await open(t, "?map=figures/snow");
  const lines = game.lines.length;
  await game.page.keyboard.press("v");
  await game.line(/eruption on/, lines);
  await game.line(/route found/, lines);
  await game.line(/route changed before=/, lines);
});

test("keys of the program are not the browser's, and the other way round", async t => {
  const game = await open(t, "?map=figures/road");
  const prevented = (key, modifiers = {}) => game.page.evaluate(([key, modifiers]) => {
    const event = new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true, ...modifiers });
    document.getElementById("map").dispatchEvent(event);
    return event.defaultPrevented;
  }, [key, modifiers]);
  for (const key of ["Tab", "ArrowUp", "PageDown", " ", "F1", "Escape"]) {
    assert.equal(await prevented(key), true, key);
  }
  for (const key of ["s", "z", "o", "+"]) assert.equal(await prevented(key, { ctrlKey: true }), true, `Ctrl+${key}`);
  for (const key of ["F5", "F11", "F12"]) assert.equal(await prevented(key), false, key);
  for (const key of ["t", "w", "r", "l"]) assert.equal(await prevented(key, { ctrlKey: true }), false, `Ctrl+${key}`);
});

test("a link brings back map, goal, options and view", async t => {
  const game = await open(t, "?map=figures/road&to=7,5&algorithm=dijkstra&view=search");
  await game.line(/map loaded name="The road"/);
  await game.line(/goal set cell=7,5/);
  await game.line(/search recorded algorithm=dijkstra/);
});

test("the address follows what the player does", async t => {
  const game = await open(t, "?map=figures/road");
  await game.page.mouse.click(...cellAt(2, 7));
  await game.page.waitForURL(/\?map=figures\/road&to=2,7$/);
  await game.line(/arrived/);
  await game.page.keyboard.press("Tab");
  await game.page.waitForURL(/&view=search$/);
  await game.page.keyboard.press("Escape");
  await game.page.keyboard.press("PageDown");
  await game.page.waitForURL(/\?map=figures\/wall$/);
});

/** Drops a file onto the page. */
async function drop(game, name, text) {
  await game.page.evaluate(([name, text]) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([text], name));
    const map = document.getElementById("map");
    for (const kind of ["dragover", "drop"]) {
      map.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }
  }, [name, text]);
}

const OWN = '// Mine.\n(name: "My own", base: ["GGGG", "GSSG", "GGGG"], overlay: ["1...", "....", "...2"])\n';

test("a map that is dropped opens, and is in the link", async t => {
  const game = await open(t, "");
  const lines = game.lines.length;
  await drop(game, "own.ron", OWN);
  await game.line(/map loaded name="My own" width=4 height=3/, lines);
  await game.page.waitForURL(/\?data=/);
  const other = await open(t, new URL(game.page.url()).search);
  await other.line(/map loaded name="My own" width=4 height=3/);
});

test("a map that is not valid is rejected with its faults", async t => {
  const game = await open(t, "");
  await drop(game, "bad.ron", '(name: "Bad", base: ["Gg"], overlay: [".."])');
  await game.line(/map rejected file="bad.ron" faults=1/);
});

/** Paints a cell of a map of 10 x 10 with the first terrain. */
async function paint(game, x, y) {
  await game.page.keyboard.press("e");
  await game.page.keyboard.press("2");
  await game.page.mouse.click(...cellAt(x, y));
  await game.line(/painted cells=1/);
}

test("a save is a download that keeps comments", async t => {
  const game = await open(t, "");
  const base = Array(10).fill('"GGGGGGGGGG"').join(", ");
  await drop(game, "own.ron", `// Mine.\n(name: "My own", base: [${base}], overlay: [${base.replaceAll("G", ".")}])\n`);
  await game.line(/map loaded name="My own"/);
  await game.page.waitForTimeout(500);
  await paint(game, 4, 4);
  const downloads = game.page.waitForEvent("download");
  await game.page.keyboard.press("Control+s");
  const download = await downloads;
  assert.equal(download.suggestedFilename(), "own.ron");
  const text = await readFile(await download.path(), "utf8");
  assert.match(text, /^\/\/ Mine\.\n/);
  assert.match(text, /"GGGG[^G]GGGGG"/);
  await game.line(/saved file="own.ron"/);
});

test("what was painted is offered after the page was closed", async t => {
  const game = await open(t, "?map=figures/road");
  await paint(game, 4, 8);
  const other = await session.open("?map=figures/road", { context: game.context });
  await other.line(/recovery offered .*strokes=1/);
});

test("a page on which nothing moves draws no frames", async t => {
  const game = await open(t, "?map=figures/road&log=warn,emberwalk=info,emberwalk::frame=trace");
  await game.page.keyboard.press("m");
  await game.page.waitForTimeout(3000);
  const lines = game.lines.length;
  await game.page.waitForTimeout(3000);
  assert.deepEqual(game.lines.slice(lines), []);
});

/** Returns the text of a map with a wall in every sixth row. */
function striped(width, height) {
  const rows = row => Array.from({ length: height }, (_, y) => `"${row(y)}"`).join(", ");
  const ground = y => (y % 4 ? "G" : "S").repeat(width);
  const wall = y => (y % 6 ? "." : y % 12 ? "W".repeat(width - 1) + "." : "." + "W".repeat(width - 1)).padEnd(width, ".");
  return `(name: "Stripes", base: [${rows(ground)}], overlay: [${rows(wall)}])`;
}

test("landmarks are prepared in slices, and an idle page draws no frames for that", async t => {
  const game = await open(t, "?map=figures/road&log=warn,emberwalk=debug,emberwalk::frame=trace,emberwalk::work=trace");
  await game.page.keyboard.press("m");
  await drop(game, "stripes.ron", striped(300, 300));
  const made = await game.line(/tables made/);
  const [, bytes, parts] = made.match(/bytes=(\d+) parts=(\d+)/).map(Number);
  assert.ok(bytes > 300 * 300 * 50, `tables and jump points take ${bytes} bytes`);
  assert.ok(parts > 10, `${parts} parts`);
  const last = game.lines.lastIndexOf(made);
  const count = pattern => game.lines.slice(0, last).filter(line => pattern.test(line)).length;
  const [slices, frames] = [count(/slice done/), count(/frame drawn/)];
  assert.ok(slices >= parts && frames < slices, `${slices} slices, ${frames} frames`);
});

test("the still picture is that of the painter", { skip: EMBERWALK ? false : "EMBERWALK is not set" }, async t => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "emberwalk-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const map of ["figures/road", "figures/slope"]) {
    const file = path.join(folder, "painted.png");
    await promisify(execFile)(EMBERWALK, ["render", map, "--plain", "--zoom", "2", "-o", file]);
    const game = await open(t, `?map=${map}&plain&still`);
    await game.page.waitForTimeout(1000);
    const shown = await game.page.screenshot();
    const painted = await readFile(file);
    const share = await game.page.evaluate(compare, [shown.toString("base64"), painted.toString("base64")]);
    assert.ok(share >= 0.999, `${map}: ${share}`);
  }
});

/** Returns which share of the painted pixels is shown, within 2 of 255, in the middle of the window. */
async function compare(pictures) {
  const [shown, painted] = await Promise.all(pictures.map(async data => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  const [left, top] = [Math.ceil((shown.width - painted.width) / 2), Math.ceil((shown.height - painted.height) / 2)];
  let [same, all] = [0, 0];
  for (let y = 0; y < painted.height; y++) {
    for (let x = 0; x < painted.width; x++) {
      const one = 4 * (y * painted.width + x);
      const other = 4 * ((y + top) * shown.width + x + left);
      // Where the picture is transparent, the window shows its backdrop.
      if (painted.data[one + 3] === 0) continue;
      all++;
      if ([0, 1, 2].every(k => Math.abs(painted.data[one + k] - shown.data[other + k]) <= 2)) same++;
    }
  }
  return same / all;
}
