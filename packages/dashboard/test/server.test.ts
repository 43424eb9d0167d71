import { createTestSignalbox, type TestSignalbox } from "@signalbox/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDashboard, type DashboardOptions } from "../src/index.ts";

const HOME = "https://ops.example.com";
const PASSWORD = "Sunflower 77 fields";

let box: TestSignalbox;

beforeAll(async () => {
  box = await createTestSignalbox({ administratorPassword: PASSWORD });
  for (const [id, title] of [
    ["open", "Open"],
    ["closed", "Closed"],
  ] as const)
    await box.api.createCategory({ id, title, enabled: true });
});
afterAll(() => box.stop());

/** Mounts a dashboard at `/ops`; returns a function that sends it requests. */
function mount(options: DashboardOptions = {}) {
  const dashboard = createDashboard(box.signalbox, options);
  return (path: string, init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(dashboard(new Request(`${HOME}/ops${path}`, init), {}));
}

const ann = { id: "ann", name: "Ann", privileges: ["edit_events"] };
const call = (input: object, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json", host: "ops.example.com", ...headers },
  body: JSON.stringify(input),
});
const READ = "/api/app/get_categories/v1";

describe("a host that signs its people in", () => {
  test("the boot file names the viewer", async () => {
    const ask = mount({ authorize: () => ann });
    const boot = (await (await ask("/boot.json")).json()) as { signIn: string; viewer: { id: string } };
    expect(boot).toMatchObject({ signIn: "host", viewer: { title: "Ann" } });
    expect((await ask(READ, call({}, { origin: HOME }))).status).toBe(200);
  });

  test("a refusal or redirect comes before any other answer", async () => {
    const refusing = mount({ authorize: () => false });
    expect((await refusing("/")).status).toBe(403);
    expect((await refusing("/boot.json")).status).toBe(403);
    expect((await refusing(READ)).status).toBe(403);
    const leading = mount({ authorize: () => new Response(null, { status: 302, headers: { Location: "/login" } }) });
    expect((await leading("/jobs")).headers.get("location")).toBe("/login");
  });

  test.each([null, undefined])("nobody is known as %s", async (nobody) => {
    const boot = await mount({ authorize: async () => nobody })("/boot.json");
    expect(await boot.json()).toMatchObject({ signIn: "own" });
  });

  test.each([true, "ann", 1, 0, ""])("an answer that is no user, such as %j, fails at the host", async (found) => {
    await expect(mount({ authorize: () => found as never })("/")).rejects.toThrow(`authorize answered ${found}:`);
  });

  test.each([
    ["another origin", { origin: "https://evil.example" }, 403],
    ["another site, as the browser says", { "sec-fetch-site": "cross-site" }, 403],
    ["another origin of the same site", { "sec-fetch-site": "same-site" }, 403],
    ["an origin that is none", { origin: "null" }, 403],
    ["this origin", { origin: HOME }, 200],
    ["this origin, as the browser says", { "sec-fetch-site": "same-origin" }, 200],
    ["a program", {}, 200],
  ])("a change asked for by %s", async (_who, headers, status) => {
    const ask = mount({ authorize: () => ann });
    expect((await ask(READ, call({}, headers as Record<string, string>))).status).toBe(status);
  });
});

describe("without a host's sign-in", () => {
  test("a caller without a session learns nothing", async () => {
    const ask = mount();
    const boot = (await (await ask("/boot.json")).json()) as Record<string, unknown>;
    expect(boot["viewer"]).toBeUndefined();
    expect((await ask(READ, call({}))).status).toBe(403);
  });
});

describe("a read-only dashboard", () => {
  const asked = { authorize: () => ({ ...ann, privileges: ["admin"] }), readOnly: true };
  test("lists are read and changes refused, also for administrators", async () => {
    const ask = mount(asked);
    expect((await ask(READ, call({}, { origin: HOME }))).status).toBe(200);
    const refused = await ask("/api/app/create_tag/v1", call({ title: "New" }, { origin: HOME }));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, "access"]);
    expect((await box.api.getTags()).rows.map(({ title }) => title)).not.toContain("New");
  });

  test.each([
    ...["/api//app//create_tag/v1", "/api/APP/create_tag/v1", "/api/App/create_tag", "/api/a+pp/create_tag/v1"],
    ...["/api/%61pp/create_tag/v1", "/api/app/create%5Ftag/v1", "/%61pi/app/create_tag/v1"],
  ])("the path %s changes nothing", async (path) => {
    const before = (await box.api.getTags()).rows.length;
    const answer = await mount(asked)(path, call({ title: "New" }, { origin: HOME }));
    expect(await answer.text()).not.toContain('"tag"');
    expect((await box.api.getTags()).rows).toHaveLength(before);
  });

  test("people sign in there, and out again", async () => {
    const ask = mount({ readOnly: true });
    const login = await ask("/api/user/login/v1", call({ username: "admin", password: PASSWORD }));
    expect(login.status).toBe(200);
    const [cookie = ""] = login.headers.getSetCookie()[0]?.split(";") ?? [];
    const headers = { cookie, "accept-encoding": "br, gzip" };
    expect(await (await ask("/boot.json", { headers })).json()).toMatchObject({ viewer: { id: "admin" } });
  });
});

describe("a user with limits", () => {
  test("sees only the categories within reach", async () => {
    const limited = { ...ann, categories: ["open"] };
    const ask = mount({ authorize: () => limited });
    const boot = (await (await ask("/boot.json")).json()) as { viewer: { categories: string[] } };
    expect(boot.viewer.categories).toEqual(["open"]);
    const { rows } = (await (await ask(READ, call({}, { origin: HOME }))).json()) as { rows: { id: string }[] };
    expect(rows.map(({ id }) => id)).toEqual(["open"]);
  });
});

describe("places", () => {
  test.each(["/https:evil.example", "/http:evil.example", "//evil.example", "/a:b", ""])(
    "the path /ops%s leads nowhere else",
    async (path) => {
      const answer = await mount()(path);
      const to = answer.headers.get("location") ?? "";
      expect([answer.status, new URL(to, `${HOME}/ops${path}`).href]).toEqual([308, `${HOME}/ops${path}/`]);
    },
  );

  test.each(["/ops/jobs", "/ops/jobs/"])(
    "a mount of the name of a page is %s from its first step on",
    async (basePath) => {
      const ask = mount({ basePath });
      expect((await ask("/jobs?q=x")).headers.get("location")).toBe("./jobs/?q=x");
      expect(await (await ask("/jobs/")).text()).toContain('href="./assets/icon.svg"');
      expect(await (await ask("/jobs/jobs/1")).text()).toContain('href="../assets/icon.svg"');
      expect(await (await ask("/jobs/boot.json")).json()).toMatchObject({ signIn: "own" });
    },
  );
});

test.each([
  ["/", "overview"],
  ["/servers/", "servers"],
  ["/servers/db_1?range=day", "server"],
  ["/servers/compare", "server-compare"],
  ["/jobs/j1/log", "job"],
  ["/workflows/w%2F1/edit", "edit"],
  ["/tags/new", "tags"],
])("the document at %s names the scripts of its page ahead of time", async (path, page) => {
  const text = await (await mount()(path)).text();
  const named = [...text.matchAll(/modulepreload" href="[./]*assets\/([\w-]+)-[\w-]{8}\.js"/g)].map(([, name]) => name);
  expect(named).toContain("shared");
  expect(named).toContain(page);
});

test("the document at an address of no page names what all pages need", async () => {
  const text = await (await mount()("/jobs/a/b/c")).text();
  expect(text.match(/modulepreload/g)).toHaveLength(1);
});

describe("headers", () => {
  test("a page is not cached, not framed, and runs no foreign script", async () => {
    const { headers } = await mount()("/jobs");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("vary")).toBe("Cookie");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  });

  test("answers with data are not cached", async () => {
    const ask = mount({ authorize: () => ann });
    expect((await ask("/boot.json")).headers.get("cache-control")).toBe("no-store");
    expect((await ask(READ, call({}, { origin: HOME }))).headers.get("cache-control")).toContain("no-store");
  });

  test("scripts have hashed names and are cached forever", async () => {
    const ask = mount();
    const script = /assets\/app-[\w-]+\.js/.exec(await (await ask("/")).text())?.[0] ?? "";
    const found = await ask(`/${script}`);
    expect([found.status, found.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect((await ask("/assets/none.js")).status).toBe(404);
    expect((await ask("/assets/..%2f..%2fpackage.json")).status).toBe(404);
  });
});

test("liveness, readiness, figures and counters are served beside the pages", async () => {
  const ask = mount({ api: { statusFrom: ["203.0.113.7"] } });
  expect((await ask("/health")).status).toBe(200);
  expect(await (await ask("/ready")).json()).toMatchObject({ ready: true, state: "serving" });
  expect((await ask("/metrics")).status).toBe(403);
  const dashboard = createDashboard(box.signalbox, { api: { statusFrom: ["203.0.113.7"] } });
  const figures = await dashboard(new Request(`${HOME}/ops/metrics`), { remoteAddress: "203.0.113.7" });
  expect(await figures.text()).toContain("\nsignalbox_up 1\n");
  const counters = await dashboard(new Request(`${HOME}/ops/server-status`), { remoteAddress: "203.0.113.7" });
  expect(await counters.json()).toMatchObject({ code: 0, requests: expect.any(Number) });
});
