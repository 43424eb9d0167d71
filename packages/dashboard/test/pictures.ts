/**
 * Takes pictures of the pages of a prepared store: `npm run docs:pictures -- dark 390 overview jobs`. `--whole` includes what is
 * below the fold, `--publish` takes the pictures of the guides.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newPage, openBrowser, signIn } from "./fixture/browser.ts";
import { putOwnPage } from "./fixture/own-page/index.ts";
import { FIXTURE_PAGES, type FixturePage } from "./fixture/pages.ts";
import { serveFixture } from "./fixture/serve.ts";
import { prepareStore } from "./fixture/store.ts";

const WIDTHS = [390, 1280, 1920] as const;
const THEMES = ["light", "dark"] as const;
/** Largest height of a picture of a whole page, in pixels. */
const HIGHEST = 4000;
const PAUSE_MS = 900;

/** Pictures of the guides: the page, its theme and its width. */
const PUBLISHED = {
  overview: ["overview", "light", 1280],
  "overview-dark": ["overview", "dark", 1280],
  "overview-phone": ["overview", "light", 390],
  alert: ["alert", "light", 1280],
  notice: ["notice", "light", 1280],
  job: ["job-running", "dark", 1280],
  server: ["server", "light", 1280],
  why: ["event-why", "light", 1280],
  workflow: ["workflow", "light", 1280],
} as const;

interface Picture {
  readonly file: `${string}.png` | `${string}.webp`;
  readonly page: FixturePage;
  readonly width: number;
  readonly theme: string;
}

const words = process.argv.slice(2);
const isWhole = words.includes("--whole");
const folder = (path: string): string => {
  const found = fileURLToPath(new URL(path, import.meta.url));
  mkdirSync(found, { recursive: true });
  return found;
};

function published(): Picture[] {
  const to = folder("../../../docs/pictures/");
  return Object.entries(PUBLISHED).map(([name, [of, theme, width]]) => {
    const page = FIXTURE_PAGES.find((one) => one.name === of);
    if (!page) throw new Error(`There is no page ${of}`);
    return { file: `${to}${name}.webp`, page, theme, width };
  });
}

/** The pictures that the arguments name; for a kind of argument that is not given, all. */
function asked(): Picture[] {
  const to = folder("../pictures/");
  const chosen = <Value>(all: readonly Value[], nameOf: (value: Value) => string): readonly Value[] => {
    const named = all.filter((value) => words.includes(nameOf(value)));
    return named.length > 0 ? named : all;
  };
  return chosen(FIXTURE_PAGES, ({ name }) => name).flatMap((page) =>
    chosen(WIDTHS, String).flatMap((width) =>
      chosen(THEMES, String).map((theme) => ({
        ...{ page, width, theme },
        file: `${to}${page.name}-${theme}-${width}.png` as const,
      })),
    ),
  );
}

const isPublishing = words.includes("--publish");
const pictures = isPublishing ? published() : asked();
const browser = await openBrowser();
if (typeof browser === "string") throw new Error(browser);
const store = await prepareStore();
const served = await serveFixture(store);
const { page, faults } = await newPage(browser);
await page.emulateTimezone("Europe/Berlin");
await signIn(page, served.url);
store.run();
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
const size = (width: number, height: number) =>
  page.setViewport({ width, height, deviceScaleFactor: width === 390 ? 2 : 1 });

let shown = "";
for (const { file, page: what, width, theme } of pictures) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  // One visit of a page serves both themes.
  if (shown !== `${what.name} ${width}`) {
    const height = width === 390 ? 844 : 900;
    await size(width, height);
    await page.goto(served.url + (await what.path(store)));
    const isThere = page.waitForSelector(what.ready, { timeout: 10_000 });
    await isThere.catch(() => console.error(`${what.name}: nothing at ${what.ready}`));
    await pause();
    const whole = Number(await page.evaluate("document.documentElement.scrollHeight"));
    if (isWhole) await size(width, Math.min(HIGHEST, Math.max(height, whole)));
    shown = `${what.name} ${width}`;
  }
  await pause();
  await page.screenshot(file.endsWith(".webp") ? { path: file, type: "webp", quality: 82 } : { path: file });
  console.log(file);
}
if (isPublishing) {
  const file = `${folder("../../../docs/pictures/")}own-page.webp` as const;
  await size(760, 500);
  await page.goto(await putOwnPage(page, served.url));
  await page.waitForSelector("li");
  await page.screenshot({ path: file, type: "webp", quality: 82 });
  console.log(file);
}
for (const fault of new Set(faults)) console.error(fault);
await browser.close();
await served.stop();
await store.stop();
