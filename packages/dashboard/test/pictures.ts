/** Pictures of every page of a prepared store: `npm run docs:pictures -- jobs dark 390`. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { newPage, openBrowser, signIn } from "./fixture/browser.ts";
import { FIXTURE_PAGES } from "./fixture/pages.ts";
import { serveFixture } from "./fixture/serve.ts";
import { prepareStore } from "./fixture/store.ts";

const WIDTHS = [390, 1280, 1920] as const;
const THEMES = ["light", "dark"] as const;
const wanted = process.argv.slice(2);
const folder = fileURLToPath(new URL("../pictures/", import.meta.url));
mkdirSync(folder, { recursive: true });

const browser = await openBrowser();
if (typeof browser === "string") throw new Error(browser);
const store = await prepareStore();
const served = await serveFixture(store);
const { page, faults } = await newPage(browser);
await signIn(page, served.url);
const clock = setInterval(() => void store.second(), 1000);

for (const { name, path, ready } of FIXTURE_PAGES)
  for (const width of WIDTHS)
    for (const theme of THEMES) {
      const file = `${name}-${theme}-${width}.png`;
      if (!wanted.every((word) => file.includes(word))) continue;
      await page.setViewport({ width, height: width === 390 ? 844 : 900, deviceScaleFactor: width === 390 ? 2 : 1 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.goto(served.url + (await path(store)));
      await page.waitForSelector(ready, { timeout: 10_000 }).catch(() => console.error(`${file}: nothing at ${ready}`));
      await new Promise((resolve) => setTimeout(resolve, 1200));
      await page.screenshot({ path: `${folder}${file}` as `${string}.png` });
      console.log(file);
    }
for (const fault of new Set(faults)) console.error(fault);
clearInterval(clock);
await browser.close();
await served.stop();
await store.stop();
