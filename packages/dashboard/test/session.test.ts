import type { HTTPRequest } from "puppeteer-core";
import { beforeEach, expect } from "vitest";
import { enter, newPage, signIn, windowBeside } from "./fixture/browser.ts";
import { field, fill, press, pressOn, says } from "./fixture/hands.ts";
import { openSite } from "./fixture/site.ts";
import { PASSWORD } from "./fixture/store.ts";

const { browser, site, inBrowser } = await openSite("Sessions");

// Each test ends the page's session or changes its account.
beforeEach(() => enter(site.watched.page, site.served.url));

/** Ends the sessions of all other pages of the account. */
async function endOthers(): Promise<void> {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/me`);
  await press(page, "Log out everywhere else");
  const password = await page.waitForSelector("form.stack input[type=password]");
  await password?.type(PASSWORD);
  await pressOn(page, "form button[type=submit]", "Log out everywhere else");
  await says(page, "All other sessions end.");
  await site.store.second();
}

inBrowser("entries are restored when their owner signs in again, and can be saved", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await press(page, "Create group");
  await fill(page, "Name", "Kept");
  await fill(page, "Hostnames", "kept-");
  await endOthers();
  await says(page, "What you entered is kept");
  expect(await page.$eval("#app", (app) => (app as HTMLElement).innerText)).not.toContain("Create group");
  const password = await page.waitForSelector("dialog input[type=password]");
  await password?.type("wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .wrong");
  await password?.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForFunction(`!document.querySelector(".ended")`);
  expect(await (await field(page, "Name")).evaluate((one) => (one as HTMLInputElement).value)).toBe("Kept");
  await press(page, "Create group");
  await says(page, "“Kept” was saved.");
});

inBrowser("a page without entries shows the sign-in, which says why", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await page.waitForSelector("tbody tr");
  await endOthers();
  await says(page, "Your session has ended.");
  await page.waitForSelector(".login form");
});

inBrowser("a lost cookie is noticed at the next action, whose entries stay for another try", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await press(page, "Create group");
  await fill(page, "Name", "Late");
  await fill(page, "Hostnames", "late-");
  await page.browserContext().deleteMatchingCookies({ name: "session_id", url: site.served.url });
  await press(page, "Create group");
  const password = await page.waitForSelector("dialog input[type=password]");
  await password?.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForFunction(`!document.querySelector(".ended")`);
  // The refusal was about the session, which exists again.
  expect(await page.$$eval(".toast, dialog [role=alert]", (all) => all.map((one) => one.textContent))).toEqual([]);
  await press(page, "Create group");
  await says(page, "“Late” was saved.");
});

inBrowser("a window notices another account signing in beside it, keeps its entries, and both can go on", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await press(page, "Create group");
  await fill(page, "Name", "Mine");
  const beside = await windowBeside(page);
  await page.browserContext().deleteMatchingCookies({ name: "session_id", url: site.served.url });
  await signIn(beside, site.served.url, "mara");
  await says(page, "Mara Lindqvist has signed in in another window");
  expect(await page.$eval("#app", (app) => (app as HTMLElement).innerText)).not.toContain("Create group");
  const password = await page.waitForSelector("dialog input[type=password]");
  await password?.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForFunction(`!document.querySelector(".ended")`);
  expect(await (await field(page, "Name")).evaluate((one) => (one as HTMLInputElement).value)).toBe("Mine");
  await says(beside, "Administrator has signed in in another window");
  await press(beside, "Go on as Administrator");
  await beside.waitForSelector("nav.side a[href$='/people']");
  await press(page, "Cancel");
});

inBrowser("a window checks its session when it becomes visible again", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await page.waitForSelector("tbody tr");
  await enter(page, site.served.url, "mara");
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
  await says(page, "Mara Lindqvist has signed in in another window");
  await press(page, "Go on as Mara Lindqvist");
  await page.waitForFunction(`!document.querySelector(".ended") && document.querySelector("tbody tr")`);
});

inBrowser("a late answer about the session does not hide the account that signed in after it", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/groups`);
  await page.waitForSelector("tbody tr");
  const body = String(await page.evaluate(`fetch("/boot.json").then((answer) => answer.text())`));
  const late = Promise.withResolvers<void>();
  let asked = 0;
  const answer = async (request: HTTPRequest): Promise<void> => {
    if (!request.url().endsWith("/boot.json")) return request.continue();
    asked += 1;
    if (asked > 1) return request.continue();
    await late.promise;
    return request.respond({ contentType: "application/json", body });
  };
  await page.setRequestInterception(true);
  page.on("request", (request) => void answer(request));
  const look = (): Promise<unknown> => page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
  await look();
  await expect.poll(() => asked).toBe(1);
  await enter(page, site.served.url, "mara");
  await look();
  // A request that was made by the second look would have been seen before this one is answered.
  await page.evaluate(`fetch("/assets/none").then(() => true)`);
  expect(asked).toBe(1);
  late.resolve();
  await says(page, "Mara Lindqvist has signed in in another window");
});

inBrowser("a window ignores other dashboards of its origin, and a sign-out removes the name", async () => {
  const { page } = site.watched;
  await page.goto(`${site.served.url}/groups`);
  await page.waitForSelector("tbody tr");
  const kept = (): Promise<unknown> => page.evaluate(`localStorage.getItem("signalbox.viewer ")`);
  await expect.poll(kept).toBe("user admin");
  let looks = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/boot.json")) looks += 1;
  });
  const hear = (base: string): Promise<unknown> =>
    page.evaluate(`dispatchEvent(new StorageEvent("storage", { key: "signalbox.viewer ${base}" }))`);
  for (let at = 0; at < 5; at++) await hear("/other");
  await hear("");
  await expect.poll(() => looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(5);
  await pressOn(page, ".who");
  await press(page, "Sign out");
  await page.waitForSelector("input[name=username]");
  expect(await kept()).toBe("");
  // An answer from before the sign-out may come after it and write the name once more; the next page removes it.
  await page.evaluate(`localStorage.setItem("signalbox.viewer ", "user admin")`);
  await page.reload();
  await expect.poll(kept).toBe("");
});
