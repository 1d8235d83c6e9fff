// Opens the page in headless Chromium, with a software renderer, and reads its log.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const FOLDER = process.env.EMBERWALK_PAGE ?? fileURLToPath(new URL("../dist", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const FLAGS = [
  "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
  "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/// How long a line of the log may take.
const PATIENCE = 60_000;

/** Serves the page and starts the browser. */
export async function start() {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, "http://localhost").pathname;
    const file = path.join(FOLDER, name === "/" ? "index.html" : path.normalize(name));
    try {
      await stat(file);
      response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const address = `http://127.0.0.1:${server.address().port}/`;
  return {
    browser,
    address,
    open: (query = "", options = {}) => Game.open(browser, address + query, options),
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

/** A page with the game. */
export class Game {
  static async open(browser, address, { size = [1280, 720], touch = false, context } = {}) {
    const [width, height] = size;
    context ??= await browser.newContext({ viewport: { width, height }, hasTouch: touch, acceptDownloads: true });
    const game = new Game();
    game.context = context;
    game.page = await context.newPage();
    game.lines = [];
    game.waiting = [];
    game.page.on("console", message => game.#note(message.text()));
    game.page.on("pageerror", error => game.#note(`page error: ${error}`));
    await game.page.goto(address);
    return game;
  }

  #note(text) {
    this.lines.push(text);
    if (process.env.EMBERWALK_SHOW_LOG) console.log(text);
    this.waiting = this.waiting.filter(({ pattern, resolve }) => !pattern.test(text) || void resolve(text));
  }

  /** Waits for a line of the log that has the pattern, and comes after the first `from` lines. */
  async line(pattern, from = 0) {
    const found = this.lines.slice(from).find(line => pattern.test(line));
    if (found) return found;
    let timer;
    const late = new Promise((_, reject) => {
      const fail = () => reject(new Error(`no line ${pattern} in:\n${this.lines.join("\n")}`));
      timer = setTimeout(fail, PATIENCE);
    });
    const line = new Promise(resolve => this.waiting.push({ pattern, resolve }));
    return Promise.race([line, late]).finally(() => clearTimeout(timer));
  }

  /** Waits until a condition is true. */
  async until(what, condition) {
    const end = Date.now() + PATIENCE;
    while (!await condition()) {
      if (Date.now() > end) throw new Error(`waited for ${what} in:\n${this.lines.join("\n")}`);
      await this.page.waitForTimeout(20);
    }
  }

  /** Waits until the log has no new line for some seconds. */
  async quiet(seconds) {
    let before = -1;
    await this.until("no new line", async () => {
      if (this.lines.length === before) return true;
      before = this.lines.length;
      await this.page.waitForTimeout(1000 * seconds);
      return this.lines.length === before;
    });
  }

  /** Waits until the map is shown. */
  async ready() {
    const line = await this.line(/map loaded/);
    await this.page.waitForSelector("#cover", { state: "detached", timeout: PATIENCE });
    return line;
  }

  async close() {
    await this.context.close();
  }
}
