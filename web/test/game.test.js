// The web version, as a player or a link opens it. Each test opens its own page.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

/** Returns where the middle of a cell of the road is in a window of 1280 x 720, which shows it at zoom 2 beside its panels. */
function cellAt(x, y) {
  const [left, top] = [146, 60];
  return [left + 2 * (26 * (x + y) + 27), top + 2 * (13 * (y - x) + 117 + 40)];
}

/** Lets the page log where it shows the map. */
const LOG = "log=warn,emberwalk=info,emberwalk::game::ui::inventory=debug";

/** Returns where the middle of a cell of a map of 10 x 10 is now. The page must have been opened with `LOG`. */
function cellIn(game, x, y) {
  const view = game.lines.findLast(line => line.includes("view zoom="));
  const [, zoom, left, top] = view.match(/zoom=([\d.]+) at=(-?[\d.]+),(-?[\d.]+)/).map(Number);
  return [left + zoom * (26 * (x + y) + 27), top + zoom * (13 * (y - x) + 117 + 40)];
}

/** Returns what the last frame had handled since the page was opened. The page must have been opened with `LOG`. */
function frame(game) {
  const pattern = /frame (\d+) keys=(\d+) buttons=(\d+) .*pointer=(-?[\d.]+),(-?[\d.]+) .*sleep=(\w+)/;
  const last = game.lines.findLast(line => pattern.test(line));
  const [number, keys, buttons, x, y] = last?.match(pattern).slice(1, 6).map(Number) ?? [0, 0, 0, -1, -1];
  return { number, keys, buttons, x, y, sleeps: last !== undefined && !/sleep=None/.test(last) };
}

/** Waits until this number of frames has followed, or nothing asks for one. */
async function frames(game, count) {
  const end = frame(game).number + count;
  await game.until("frames", () => frame(game).number >= end || frame(game).sleeps);
}

/** Waits until the map has come to rest where it is shown. The page must have been opened with `LOG`. */
async function rest(game) {
  const view = () => game.lines.findLast(line => line.includes("view zoom="));
  // What was pressed shows its effects, and a view that has set out moves in each frame.
  await frames(game, 2);
  for (let before; before !== view();) {
    before = view();
    await frames(game, 4);
  }
}

/** Presses a key, and waits until a frame has handled it. The page must have been opened with `LOG`. */
async function key(game, name) {
  const { keys } = frame(game);
  await game.page.keyboard.press(name);
  await game.until(`the key ${name}`, () => frame(game).keys >= keys + 2);
}

/** Clicks a cell of a map of 10 x 10 that has come to rest. The page must have been opened with `LOG`. */
async function click(game, x, y) {
  await rest(game);
  await game.page.mouse.click(...cellIn(game, x, y));
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

test("screen readers say the cell under the pointer", async t => {
  const game = await open(t, "?map=figures/road");
  await game.page.mouse.move(...cellAt(2, 7));
  await game.page.waitForFunction(() => /^2,7 grass, cost 1$/.test(document.getElementById("spoken").textContent));
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

test("text is typed with the keyboard of a touch screen", async t => {
  const game = await open(t, "?map=figures/road", { touch: true });
  await game.page.touchscreen.tap(...cellAt(2, 7));
  await game.page.keyboard.press("n");
  const field = game.page.locator("#field");
  await field.waitFor({ state: "visible" });
  await field.tap();
  await field.pressSequentially("Old mil");
  await field.press("Backspace");
  await field.pressSequentially("ll");
  await field.press("Enter");
  await game.line(/map loaded name="Old mill"/);
  await field.waitFor({ state: "hidden" });
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
  // On a keyboard without Latin letters, keys count by their places. The page is pasted into, and reloaded.
  for (const [key, code] of [["ы", "KeyS"], ["я", "KeyZ"], ["щ", "KeyO"], ["ד", "KeyS"]]) {
    assert.equal(await prevented(key, { code, ctrlKey: true }), true, `Ctrl+${key}`);
  }
  for (const [key, code] of [["м", "KeyV"], ["к", "KeyR"], ["е", "KeyT"]]) {
    assert.equal(await prevented(key, { code, ctrlKey: true }), false, `Ctrl+${key}`);
  }
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

/** Drops files onto the page, all together: their names, and their content as text or in base64. */
async function dropAll(game, files) {
  await game.page.evaluate(async files => {
    const dropped = new DataTransfer();
    for (const [name, { text, base64 }] of Object.entries(files)) {
      const content = text ?? await (await fetch(`data:;base64,${base64}`)).arrayBuffer();
      dropped.items.add(new File([content], name));
    }
    const map = document.getElementById("map");
    for (const kind of ["dragover", "drop"]) {
      map.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }
  }, files);
}

/** Drops a file onto the page. */
async function drop(game, name, text) {
  await dropAll(game, { [name]: { text } });
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

test("a map that is not valid is rejected with its errors", async t => {
  const game = await open(t, "");
  await drop(game, "bad.ron", '(name: "Bad", base: ["Gg"], overlay: [".."])');
  await game.line(/map rejected file="bad.ron" faults=1/);
});

/// A maze of 3 x 3 pixels as a GIF: the middle one is a wall.
const MAZE = "R0lGODdhAwADAIEAAAAAAP///wAAAAAAACwAAAAAAwADAAAICQADCAwAYGCAgAA7";

test("a picture that is dropped opens as a map, or is downloaded with the path through it", async t => {
  const game = await open(t, `?${LOG}`);
  await dropAll(game, { "maze.gif": { base64: MAZE } });
  await game.line(/picture dropped file="maze.gif"/);
  const downloads = game.page.waitForEvent("download");
  await press(game, "Button", "Save the path");
  assert.equal((await downloads).suggestedFilename(), "maze-solved.png");
  await game.line(/picture solved file="maze.gif" cost=17 steps=3 copy="maze-solved.png"/);
  const lines = game.lines.length;
  await dropAll(game, { "maze.gif": { base64: MAZE } });
  await game.line(/picture dropped/, lines);
  await game.page.keyboard.press("Enter");
  await game.line(/map loaded name="maze" width=3 height=3/);
  await game.line(/route found from=0,0 to=2,2/);
});

test("a Tiled map that is dropped with its tileset is imported", async t => {
  const game = await open(t, "");
  const map = '<map orientation="orthogonal" width="2" height="1" tilewidth="52" tileheight="26">'
    + '<tileset firstgid="1" source="tiles.tsx"/><layer width="2" height="1"><data encoding="csv">1,1</data></layer></map>';
  const tiles = '<tileset tilecount="1" tilewidth="52" tileheight="26"><tile id="0" type="snow"/></tileset>';
  await dropAll(game, { "village.tmx": { text: map }, "tiles.tsx": { text: tiles } });
  await game.line(/map loaded name="village" width=2 height=1/);
});

/** Presses a control of this name. The page must have been opened with `LOG`. */
async function press(game, role, name) {
  const place = new RegExp(`control role=${role} name="${name}" on=.* at=([\\d.]+),([\\d.]+) to=([\\d.]+),([\\d.]+)`);
  await game.line(place);
  const last = game.lines.findLast(line => place.test(line));
  const [left, top, right, bottom] = last.match(place).slice(1).map(Number);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  await game.page.mouse.move(x, y);
  await game.until("the pointer", () => Math.hypot(frame(game).x - x, frame(game).y - y) < 2);
  // A hand presses for longer than a frame.
  const { buttons } = frame(game);
  await game.page.mouse.down();
  await game.until("the press", () => frame(game).buttons > buttons);
  await game.page.mouse.up();
}

/** Returns what the program for the command line prints when it checks a recording. */
async function checkWithProgram(t, text) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "emberwalk-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "walk.emberplay.ron");
  await writeFile(file, text);
  return promisify(execFile)(EMBERWALK, ["replay", file, "--check"]).then(({ stdout }) => stdout, error => error.stdout);
}

const NEEDS_PROGRAM = { skip: EMBERWALK ? false : "EMBERWALK is not set" };

test("a recording that was saved is true everywhere: dropped, in a link, and in the program", NEEDS_PROGRAM, async t => {
  const game = await open(t, `?map=figures/road&${LOG}`);
  await click(game, 2, 7);
  await game.line(/arrived cell=2,7/);
  await press(game, "Button", "Map: The road");
  const downloads = game.page.waitForEvent("download");
  await press(game, "MenuItem", "Save a recording");
  const download = await downloads;
  assert.equal(download.suggestedFilename(), "emberwalk-001.emberplay.ron");
  const text = await readFile(await download.path(), "utf8");
  const [, hashes] = (await checkWithProgram(t, text)).match(/: ok, .* and (\d+) hash/);
  assert.ok(hashes > 1);

  const checked = new RegExp(`recording checked seconds=\\S+ hashes=${hashes}$`);
  const other = await open(t, "");
  await drop(other, "walk.emberplay.ron", text);
  await other.line(/recording opened/);
  await other.line(checked);
  assert.equal(await other.page.title(), "Emberwalk - The road");
  await other.page.waitForURL(/\?play=/);
  const linked = await open(t, new URL(other.page.url()).search);
  await linked.line(checked);
  assert.equal(await linked.page.title(), "Emberwalk - The road");

  // The second in which an order that was changed makes a difference, and both states.
  const changed = text.replace(/(walk\(goal:\(2,7\),route:)"[^"]*"/, '$1""');
  assert.notEqual(changed, text);
  const [, sentence, recorded, played] = (await checkWithProgram(t, changed))
    .match(/: (different at .* s: .*)\n +recorded: (.*)\n +played: +(.*)\n/);
  await drop(other, "changed.ron", changed);
  const line = await other.line(/recording is different/);
  assert.match(sentence, /the traveller/);
  for (const part of [sentence, recorded, played]) assert.ok(line.includes(part), `${line} has no ${part}`);
});

test("a trace that is dropped is played in the search view", NEEDS_PROGRAM, async t => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "emberwalk-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "mine.jsonl");
  await promisify(execFile)(EMBERWALK, ["route", "figures/road", "--algorithm", "dijkstra", "--trace", file]);
  const game = await open(t, "?map=figures/road");
  await drop(game, "mine.jsonl", await readFile(file, "utf8"));
  await game.line(/trace opened file=".*mine\.jsonl"/);
  await game.line(/search recorded/);
  await game.page.waitForURL(/&view=search$/);
});

test("a recording with an error shows it, and the map stays", async t => {
  const game = await open(t, "");
  await drop(game, "walk.emberplay.ron", "(format: 1, program: \"\", tileset: \"\", entries: [(0, order(put(3)))])");
  await game.line(/map rejected file="walk.emberplay.ron" faults=1/);
  assert.equal(await game.page.title(), "Emberwalk - The valley");
});

test("a recording that was played ahead draws no frames while it stands still", async t => {
  const road = '(name: "Long road", base: ["GGGG"], overlay: ["1..2"])';
  const order = '(0, order(travel(number: 3, seed: 1, start: (0, 0)))), (900, order(go((3, 0))))';
  const frames = "log=warn,emberwalk=info,emberwalk::frame=trace";
  const game = await open(t, `?${frames}`);
  await drop(game, "long.emberplay.ron", `(format: 1, program: "", tileset: "", entries: [(0, order(open(r#"${road}"#))), ${order}])`);
  await game.line(/recording checked seconds=900\.0 hashes=0/);
  // A hand presses for longer than a frame.
  for (const key of ["m", " "]) await game.page.keyboard.press(key, { delay: 500 });
  await game.quiet(3);
});

/** Paints a cell of a map of 10 x 10. The page must have been opened with `LOG`. */
async function paint(game, x, y) {
  // The map fits again beside the palette, and glides there.
  await key(game, "e");
  await key(game, "2");
  await click(game, x, y);
  await game.line(/painted cells=1/);
}

test("a save is a download that keeps comments", async t => {
  const game = await open(t, `?${LOG}`);
  const base = Array(10).fill('"GGGGGGGGGG"').join(", ");
  await drop(game, "own.ron", `// Mine.\n(name: "My own", base: [${base}], overlay: [${base.replaceAll("G", ".")}])\n`);
  await game.line(/map loaded name="My own"/);
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

test("unsaved strokes are offered after the page was closed, and not before", async t => {
  const game = await open(t, `?map=figures/road&${LOG}`);
  await paint(game, 4, 8);
  const second = await session.open(`?map=figures/road&${LOG}`, { context: game.context });
  await second.ready();
  await paint(second, 5, 8);
  const lines = second.lines.length;
  await click(second, 5, 9);
  await second.line(/painted cells=1/, lines);
  await game.page.close();
  // The pages have not overwritten what the other one keeps.
  const third = await session.open(`?map=figures/road&${LOG}`, { context: game.context });
  await third.line(/recovery offered .*strokes=1$/);
  await second.page.close();
  await third.page.close();
  const fourth = await session.open(`?map=figures/road&${LOG}`, { context: game.context });
  await fourth.line(/recovery offered .*strokes=2$/);
  // No page was offered what another one holds, or what it holds itself.
  assert.deepEqual(second.lines.filter(line => /recovery offered/.test(line)), []);
  assert.deepEqual(third.lines.filter(line => /recovery offered .*strokes=2/.test(line)), []);
});

test("the browser asks before a page with unsaved changes is left", async t => {
  const game = await open(t, `?map=figures/road&${LOG}`);
  const asked = [];
  game.page.on("dialog", dialog => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  // A page that nobody has touched is never asked about.
  await paint(game, 4, 8);
  await game.page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
  await game.page.waitForSelector("#cover", { state: "detached" });
  await game.page.mouse.click(...cellAt(2, 7));
  await game.page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
});

test("Escape does not end the page", async t => {
  const game = await open(t, "?map=figures/road");
  for (let k = 0; k < 4; k++) await game.page.keyboard.press("Escape");
  await game.page.mouse.click(...cellAt(2, 7));
  await game.line(/goal set cell=2,7/);
  assert.equal(await game.page.locator("#cover").count(), 0);
});

test("text is pasted into a field", async t => {
  const game = await open(t, `?map=figures/road&${LOG}`);
  await game.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await game.page.evaluate(() => navigator.clipboard.writeText("Paste & go\n"));
  await game.page.keyboard.press("n");
  // The field has the keyboard once the dialog is open.
  await game.line(/focus role=(TextInput|MultilineTextInput)/);
  // A hand holds Control for longer than a frame.
  const { keys } = frame(game);
  await game.page.keyboard.down("Control");
  await game.until("Control", () => frame(game).keys > keys);
  await key(game, "v");
  await game.page.keyboard.up("Control");
  await game.page.keyboard.press("Enter");
  await game.line(/map loaded name="Paste & go"/);
});

test("a link is copied as it is now", async t => {
  const game = await open(t, "?map=figures/snow");
  await game.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // All pages share the clipboard, which may still have the text of another test.
  await game.page.evaluate(() => navigator.clipboard.writeText(""));
  for (const key of ["v", "v", "v", "i"]) await game.page.keyboard.press(key);
  let copied;
  await game.until("the link", async () => copied = await game.page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(copied, game.page.url());
  assert.match(copied, /\?map=figures\/snow&erupting$/);
});

test("an invalid link shows what is wrong, and a way to continue", async t => {
  const { deflateRawSync } = await import("node:zlib");
  const large = deflateRawSync(Buffer.alloc((1 << 20) + 1, "G")).toString("base64url");
  for (const [query, message] of [
    ["?to=here", "the link has to=here, which is not valid"],
    ["?map=no/such", "There is no map no/such."],
    [`?data=${large}`, "the map in the link is too large: its text has more than 1 MiB"],
  ]) {
    const game = await session.open(query);
    t.after(() => game.close());
    await game.page.getByText(message).waitFor();
    await game.page.getByRole("link", { name: "Open the valley" }).click();
    assert.match(await game.ready(), /map loaded name="The valley"/);
  }
});

test("a page on which nothing moves draws no frames", async t => {
  const game = await open(t, "?map=figures/road&log=warn,emberwalk=info,emberwalk::frame=trace");
  await game.page.keyboard.press("m");
  await game.quiet(3);
});

/** Returns the text of a map with a wall in every sixth row. */
function striped(width, height) {
  const rows = row => Array.from({ length: height }, (_, y) => `"${row(y)}"`).join(", ");
  const ground = y => (y % 4 ? "G" : "S").repeat(width);
  const wall = y => (y % 6 ? "." : y % 12 ? "W".repeat(width - 1) + "." : "." + "W".repeat(width - 1)).padEnd(width, ".");
  return `(name: "Stripes", base: [${rows(ground)}], overlay: [${rows(wall)}])`;
}

test("landmarks are prepared in slices, and an idle page draws no frames for that", async t => {
  const targets = "emberwalk=debug,emberwalk::frame=trace,emberwalk::work=trace";
  const game = await open(t, `?map=figures/road&log=warn,${targets}`);
  await game.page.keyboard.press("m");
  await drop(game, "stripes.ron", striped(300, 300));
  const made = await game.line(/tables made/);
  const [, bytes, needed] = made.match(/bytes=(\d+) slices=(\d+)/).map(Number);
  assert.ok(bytes > 300 * 300 * 50, `tables and jump points take ${bytes} bytes`);
  assert.ok(needed > 10, `${needed} slices`);
  const last = game.lines.lastIndexOf(made);
  const count = pattern => game.lines.slice(0, last).filter(line => pattern.test(line)).length;
  const [slices, frames] = [count(/slice done/), count(/frame drawn/)];
  assert.ok(slices >= needed && frames < slices, `${slices} slices, ${frames} frames`);
});

test("the still picture is the same as the painter's", { skip: EMBERWALK ? false : "EMBERWALK is not set" }, async t => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "emberwalk-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const map of ["figures/road", "figures/slope"]) {
    const file = path.join(folder, "painted.png");
    await promisify(execFile)(EMBERWALK, ["render", map, "--plain", "--zoom", "2", "-o", file]);
    const game = await open(t, `?map=${map}&plain&still`);
    const painted = await readFile(file);
    // A frame is on the screen some time after it was drawn.
    await game.until(`the picture of ${map}`, async () => {
      const shown = await game.page.screenshot();
      return await game.page.evaluate(compare, [shown.toString("base64"), painted.toString("base64")]) >= 0.999;
    });
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
