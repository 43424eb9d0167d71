import type { HTTPRequest, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { enter, newPage, signIn } from "./fixture/browser.ts";
import { askUntilLogin, field, press, pressOn, says } from "./fixture/hands.ts";
import { type Served, serveFixture } from "./fixture/serve.ts";
import { openPages } from "./fixture/site.ts";
import { PASSWORD, USER } from "./fixture/store.ts";

const { browser, site, inBrowser } = await openPages("The ways in", { base: "/ops" });
/** The site has our own login. This dashboard, with a login by the host, is at another path of the same engine. */
let hosts: Served;

beforeAll(async () => {
  hosts = await serveFixture(site.store, {
    base: "/admin/box",
    links: [{ title: "Runbooks", href: "/admin/box/api/ping" }],
    authorize: (request) =>
      /\bdoor=open\b/.test(request.headers.get("cookie") ?? "") && {
        ...{ id: "lena", name: "Lena Brandt", privileges: ["run_jobs"], categories: ["billing"] },
      },
  });
});

afterAll(() => hosts.stop());

const pathOf = (page: Page): string => new URL(page.url()).pathname;

inBrowser("the sign-in tells the owner of a locked account why it is locked and how to unlock it", async () => {
  const { page } = await newPage(browser);
  await site.store.box.api.userAdminCreate({
    ...{ username: "otto", full_name: "Otto Lind", email: "otto@ledgerly.example", password: PASSWORD },
    active: 0,
  });
  await page.goto(`${site.served.url}/`);
  await (await field(page, "User name")).type("otto");
  const answerTo = async (password: string): Promise<unknown> => {
    await page.type("input[name=password]", password);
    await page.keyboard.press("Enter");
    await page.waitForFunction(`!document.querySelector("input[name=password]").value`);
    const fault = await page.waitForSelector(".login .wrong");
    return fault?.evaluate((one) => (one as HTMLElement).innerText);
  };
  expect(await answerTo("wrong")).toBe("Username or password incorrect.");
  expect(await answerTo(PASSWORD)).toBe("User account is disabled: otto");
  await site.store.box.api.userAdminUpdate({ username: "otto", active: 1, force_password_reset: 1 });
  expect(await answerTo(PASSWORD)).toBe("Account is locked out. Please reset your password to unlock it.");
  const described = await (await field(page, "Password")).evaluate((one) => one.getAttribute("aria-describedby"));
  expect(await page.$eval(".login .wrong", ({ id }) => id)).toBe(described);
  await press(page, "Forgot the password?");
  await says(page, "With it you choose a new password.");
});

inBrowser("a forgotten password is reset by a mail; its link is removed from the address once used", async () => {
  const { page, faults } = await newPage(browser);
  await page.goto(`${site.served.url}/`);
  await press(page, "Forgot the password?");
  await (await field(page, "User name")).type("mara");
  await (await field(page, "Mail address")).type("mara@ledgerly.example");
  await press(page, "Send the mail");
  await says(page, "a mail is on its way");
  const mail = await vi.waitUntil(() => site.store.box.mails.find(({ text }) => text.includes("#Login?u=mara")), {
    timeout: 120_000,
  });
  const hash = /#Login\?u=mara&h=[\w-]+/.exec(mail?.text ?? "")?.[0] ?? "";
  expect(hash).not.toBe("");

  await page.goto(`${site.served.url}/${hash.split("&")[0]}`);
  await says(page, "This link does not work");
  expect(await (await field(page, "User name")).evaluate((one) => (one as HTMLInputElement).value)).toBe("mara");

  await page.goto(`${site.served.url}/me`);
  await page.goto(`${site.served.url}/${hash}`);
  await (await field(page, "New password")).type("A quite new one 88");
  expect(page.url()).not.toContain(hash.split("h=")[1]);
  expect(pathOf(page)).toBe("/ops/login/reset");
  await press(page, "Set the password");
  await says(page, "The password is set.");
  await press(page, "To the sign-in");
  await page.waitForSelector("input[name=username]");
  await page.type("input[name=username]", "mara");
  await page.type("input[name=password]", "A quite new one 88");
  await press(page, "Sign in");
  await page.waitForSelector("main#main h1");
  expect(faults).toEqual([]);

  // A signed-in person follows the same link again.
  await page.goto(`${site.served.url}/me`);
  await page.goto(`${site.served.url}/${hash}`);
  await (await field(page, "New password")).type("Another new one 99");
  await press(page, "Set the password");
  await says(page, "This link does not work");
  await press(page, "To the sign-in");
  await page.waitForSelector("main#main h1");
});

inBrowser("the page of a magic link follows the theme of the system", async () => {
  const triggers = [{ type: "magic", enabled: true, key: "dark" }];
  await site.store.box.api.createEvent({
    ...{ id: "asked", title: "Asked by a link", enabled: true, category: "general", targets: ["web_1"], triggers },
    ...{
      plugin: "shellplug",
      params: { script: "true" },
      algo: "random",
      fields: [{ id: "why", type: "text", title: "Why", caption: "For the log" }],
    },
  } as never);
  const { page } = await newPage(browser);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.goto(`${site.served.url}/api/app/form/v1/dark`);
  const colours = () =>
    page.evaluate(() => ["h1", "small"].map((name) => getComputedStyle(document.querySelector(name) as Element).color));
  expect(await colours()).toEqual(["rgb(255, 255, 255)", "rgb(170, 170, 170)"]);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  expect(await colours()).toEqual(["rgb(0, 0, 0)", "rgb(102, 102, 102)"]);
});

inBrowser(
  "the session cookie is limited to the sub-path, hidden from scripts, and gone after signing out",
  async () => {
    const { page } = await newPage(browser);
    await signIn(page, site.served.url);
    const [session] = (await page.cookies(site.served.url)).filter(({ name }) => name === "session_id");
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(await page.evaluate("document.cookie")).not.toContain("session_id");
    await page.reload();
    await page.waitForSelector("main#main h1");
    await pressOn(page, ".who");
    await press(page, "Sign out");
    await page.waitForSelector("input[name=username]");
    await page.goto(`${site.served.url}/jobs`);
    await page.waitForSelector("input[name=username]");
    expect((await page.cookies(site.served.url)).filter(({ name }) => name === "session_id")).toEqual([]);
  },
);

inBrowser("after a session ends, the sign-in says so and leads back to the page", async () => {
  const { page } = await newPage(browser);
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/tickets/1`);
  await page.waitForSelector(".live.is-live");
  await page.deleteCookie({ name: "session_id", url: site.served.url });
  await askUntilLogin(page, "/jobs");
  await says(page, "Your session has ended.");
  const place = pathOf(page);
  await (await field(page, "User name")).type(USER);
  await (await field(page, "Password")).type(PASSWORD);
  await press(page, "Sign in");
  await page.waitForSelector("main#main h1");
  expect(pathOf(page)).toBe(place);
  expect(["/ops/tickets/1", "/ops/jobs"]).toContain(place);
});

inBrowser("a phone shows the host's own links in the menu of its last tab", async () => {
  const { page } = await newPage(browser);
  await page.setViewport({ width: 390, height: 844 });
  await page.setCookie({ name: "door", value: "open", domain: new URL(hosts.url).hostname, path: "/" });
  await page.goto(`${hosts.url}/jobs`);
  await page.waitForSelector("main#main h1");
  await pressOn(page, ".tabbar button");
  await pressOn(page, ".hits button", "Runbooks");
  await page.waitForFunction(`location.pathname === "/admin/box/api/ping"`);
});

inBrowser("a user signed in by the host sees no login, only their categories, and no foreign rights", async () => {
  const { page, faults } = await newPage(browser);
  expect((await page.goto(`${hosts.url}/`))?.status()).toBe(403);
  const { hostname } = new URL(hosts.url);
  await page.setCookie({ name: "door", value: "open", domain: hostname, path: "/" });
  await page.goto(`${hosts.url}/events`);
  await says(page, "Nightly invoice run");
  expect(await page.content()).not.toContain("Rebuild search index");
  expect(await page.$$eval("nav a", (all) => all.map((one) => one.textContent))).not.toContain("People");
  await pressOn(page, ".who");
  await page.waitForSelector(".menu:popover-open");
  const menu = await page.$$eval(".menu:popover-open button", (all) => all.map((one) => one.textContent));
  expect(menu).not.toContain("Sign out");
  await page.goto(`${hosts.url}/activity`);
  await says(page, "Your account has no privilege for this page.");
  await page.goto(`${hosts.url}/alert-rules/short`);
  await says(page, "You can view this, but not change it.");
  expect(await page.$$eval("main form :enabled:is(input, select, textarea)", (all) => all.length)).toBe(0);
  await page.goto(`${hosts.url}/monitors?edit=disk_usage_root`);
  await says(page, "You can view this, but not change it.");
  expect(await page.$$eval("dialog :enabled:is(input, select, textarea)", (all) => all.length)).toBe(0);
  await page.waitForFunction(`document.activeElement.textContent === "Close"`);
  await page.goto(`${hosts.url}/checks`);
  await says(page, "There may be some elsewhere.");
  expect(faults.filter((fault) => !fault.includes("403"))).toEqual([]);
});

/** Links as they occur in mails, hooks and notes, each with the path that it leads to and what the page says then. */
const LINKS: readonly (readonly [link: string, path: string, says: string])[] = [
  ["#Home", "/", "need"],
  ["#Dashboard", "/", "need"],
  ["#Jobs", "/jobs", "Finished"],
  ["#Search?query=mailbox&event=mailbox", "/jobs", "Fetch the support mailbox"],
  ["#Alerts", "/alerts", "firing"],
  ["#Alerts?sub=search", "/alerts", "firing"],
  ["#Tickets?sub=view&num=1", "/tickets/1", "Payout file rejected"],
  ["#Tickets?sub=new", "/tickets/new", "Create ticket"],
  ["#Tickets?query=status:open", "/tickets", "Tickets found"],
  ["#Events?sub=view&id=mailbox", "/events/mailbox", "Fetch the support mailbox"],
  ["#Events?sub=edit&id=mailbox", "/events/mailbox/edit", "Edit Fetch the support mailbox"],
  ["#Events?sub=new", "/events/new", "Create event"],
  ["#Workflows?sub=view&id=closing", "/workflows/closing", "Month-end closing"],
  ["#Workflows?sub=history&id=closing", "/events/closing/history", "Created by"],
  ["#Server?id=db_1", "/servers/db_1", "db-1"],
  ["#Servers?sub=search", "/servers", "All servers"],
  ["#Group?id=main", "/groups/main", "Main Group"],
  ["#Groups?sub=view&id=main", "/groups/main", "Main Group"],
  ["#Snapshots", "/snapshots", "All snapshots"],
  ["#ActivityLog", "/activity", "Actions"],
  ["#APIKeys", "/people/keys", "Deployment"],
  ["#Users?sub=edit&username=jonas", "/people/jonas", "Jonas Weber"],
  ["#Roles?sub=edit&id=desk", "/people/roles/desk", "Service desk"],
  ["#Secrets?sub=edit&id=bank", "/secrets/bank", "Access to the bank"],
  ["#WebHooks?sub=edit&id=chat", "/web-hooks/chat", "Operations chat"],
  ["#Channels?sub=edit&id=oncall", "/channels/oncall", "On call"],
  ["#Plugins?sub=edit&id=shellplug", "/plugins/shellplug", "Shell Script"],
  ["#Monitors", "/monitors", "All monitors"],
  ["#AlertSetup?sub=edit&id=busy", "/alert-rules/busy", "CPU is busy"],
  ["#Tags?sub=edit&id=slow", "/tags/slow", "Slow"],
  ["#Categories?sub=edit&id=billing", "/categories/billing", "Billing"],
  ["#Buckets?sub=edit&id=rates", "/buckets/rates", "Exchange rates"],
  ["#Config", "/configuration", "settings"],
  ["#System", "/system", "Scheduler"],
];

inBrowser("links of the peer's form, one after the other in one window, each open the record they name", async () => {
  const { page, faults } = await newPage(browser);
  await page.setViewport({ width: 1280, height: 900 });
  await enter(page, site.served.url);
  await page.goto(`${site.served.url}/`);
  await page.waitForSelector("main#main h1");
  for (const [link, path, text] of LINKS) {
    // Follows the link on an open page, without a reload.
    await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
    await page
      .waitForFunction(
        `location.pathname.replace(/\\/$/, "") === ${JSON.stringify(`/ops${path}`.replace(/\/$/, ""))} &&
          document.querySelector("main")?.innerText.includes(${JSON.stringify(text)})`,
        { timeout: 120_000 },
      )
      .catch(() => expect(`${link} leads to ${page.url()}`).toBe(path));
  }
  expect(faults).toEqual([]);
});

inBrowser("the sign-in says that the browser does not send the session back, instead of asking again", async () => {
  const { page } = await newPage(browser);
  // Answers as to a browser without cookies.
  await page.setRequestInterception(true);
  const answer = async (request: HTTPRequest): Promise<void> => {
    if (!request.url().endsWith("/boot.json")) return request.continue();
    const body = await (await fetch(request.url())).text();
    return request.respond({ contentType: "application/json", body });
  };
  page.on("request", (request) => void answer(request));
  await page.goto(`${site.served.url}/`);
  await (await field(page, "User name")).type(USER);
  await (await field(page, "Password")).type(PASSWORD);
  await page.keyboard.press("Enter");
  await says(page, "this browser does not send the session cookie back");
});

inBrowser("the host's logo and a long title leave room for everything beside them", async () => {
  const logo = "/brand/logo.svg";
  const title = "Operations of the Ledgerly Group, Northern Branch";
  const branded = await serveFixture(site.store, { base: "/brand", title, logo });
  const { page } = await newPage(browser);
  await page.setViewport({ width: 390, height: 700 });
  /** Pixels by which the elements reach over the right edge of their panel or window. */
  const over = (elements: string, edge: string) =>
    page.evaluate(`Math.max(...[...document.querySelectorAll("${elements}")].map(
      (one) => one.getBoundingClientRect().right - ${edge}))`);
  try {
    await page.goto(`${branded.url}/`);
    const panel = "document.querySelector('.login .panel').getBoundingClientRect().right";
    await field(page, "Password");
    expect(await page.$eval(".login img", (one) => one.getAttribute("src"))).toBe(logo);
    expect(await over(".login input, .login button, .login h1", panel)).toBeLessThan(0);
    await signIn(page, branded.url);
    expect(await page.$eval(".top .brand img", (one) => one.getAttribute("src"))).toBe(logo);
    expect(await over(".top .brand, .top button", "innerWidth")).toBeLessThan(0);
  } finally {
    await branded.stop();
  }
});
