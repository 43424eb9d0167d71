import { describe, expect, test, vi } from "vitest";
import { explain, joinAll, minute, servers, setUp } from "../../../test/desk/notices/mailed-servers.ts";
import { refusalOf } from "../../../test/engine.ts";
import { invocations } from "../../../test/fleet/alert-setup.ts";
import { limitedTo } from "../../../test/fleet/fleet.ts";
import { type Step, scriptedClient } from "../../../test/scripted/scripted-client.ts";

describe("grouping", () => {
  test("one alert on several servers is one mail that lists them and one mail of their end", async () => {
    const { fleet, api, sent, subjects } = await setUp();
    const agents = await joinAll(fleet, servers);
    await minute(fleet, agents, [60, 61, 62]);
    await fleet.clock.advance(60);
    expect(subjects()).toEqual([]);
    await fleet.clock.advance(12);
    expect(subjects()).toEqual(["[warning] Too hot on 3 servers"]);
    for (const text of ["host-s1", "host-s2", "host-s3", "60 degrees", "62 degrees"])
      expect(sent[0]?.text).toContain(text);
    for (let count = 0; count < 4; count++) await minute(fleet, agents, [40, 61, 40]);
    expect(subjects()).toHaveLength(1);
    await minute(fleet, agents, [40, 40, 40]);
    await fleet.clock.advance(75);
    expect(subjects()).toEqual(["[warning] Too hot on 3 servers", "[cleared] Too hot on 3 servers"]);
    const { rows } = await api.searchNotices({ query: "receiver:ops", limit: 10 });
    expect(rows.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["cleared", "sent"],
      ["firing", "sent"],
    ]);
  });

  test("a firing on the only server is reported without a wait, in the words of the alert's mail", async () => {
    const { fleet, sent, subjects } = await setUp();
    const agents = await joinAll(fleet, ["s1"]);
    await minute(fleet, agents, [60]);
    expect(subjects()).toEqual(["Signalbox: Alert on Web (host-s1): Too hot"]);
    expect(sent[0]?.text).toContain("60 degrees");
    await minute(fleet, agents, [40]);
    await fleet.clock.advance(2);
    expect(subjects()).toHaveLength(2);
    expect(subjects()[1]).toMatch(/over|cleared/i);
  });

  test("a firing that ends before its notice is reported to no one, with the reason on record", async () => {
    const { fleet, api, subjects } = await setUp({ route: { group_wait: 120 } });
    const agents = await joinAll(fleet, servers);
    await minute(fleet, agents, [60, 40, 40]);
    const [invocation] = await invocations(fleet);
    expect(await explain(api, invocation?.id ?? "")).toEqual(["Waits for others like it until T, then Ops is told."]);
    await minute(fleet, agents, [40, 40, 40]);
    await fleet.clock.advance(600);
    expect(subjects()).toEqual([]);
    expect(await explain(api, invocation?.id ?? "")).toEqual([
      "Waits for others like it until T, then Ops is told.",
      "Ended at T before anybody was told (grouping), so no all-clear is sent.",
    ]);
  });
});

describe("digests", () => {
  test("a route with a digest reports at its time alone, and announces that time", async () => {
    const { fleet, api, subjects } = await setUp();
    const at = new Date((fleet.clock.now() + 600) * 1000).toISOString().slice(11, 16);
    await api.updateRoute({ id: "all", digest: { at: [at], timezone: "UTC" } });
    const agents = await joinAll(fleet, servers);
    for (let count = 0; count < 5; count++) await minute(fleet, agents, [60, 61, 40]);
    expect(subjects()).toEqual([]);
    const [invocation] = await invocations(fleet);
    expect(await explain(api, invocation?.id ?? "")).toEqual([
      expect.stringMatching(/^Waits for the digest of its route: \w+day T; Ops is told then if it is still firing\.$/),
    ]);
    for (let count = 0; count < 6; count++) await minute(fleet, agents, [60, 61, 40]);
    expect(subjects()).toEqual(["[warning] Too hot on 2 servers"]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ at: [] }, "Invalid value for digest"],
    [{ at: ["8:00"] }, "Invalid value for digest"],
    [{ at: ["08:00"], weekdays: [7] }, "Invalid value for digest"],
    [{ at: ["08:00"], timezone: "Mars/Olympus" }, "Unknown time zone: Mars/Olympus"],
  ])("%j is refused", async (digest, description) => {
    const { api } = await setUp();
    expect(await refusalOf(api.updateRoute({ id: "all", digest } as never))).toEqual({ code: "route", description });
  });
});

describe("silences and acknowledgements", () => {
  test("a silence holds the notice until it ends", async () => {
    const { fleet, api, sent, subjects } = await setUp({ route: { repeat_interval: 600 } });
    await api.createSilence({ id: "works", title: "Works", servers: ["s1"], end: 4_000_000_000 });
    const agents = await joinAll(fleet, ["s1"]);
    await minute(fleet, agents, [60]);
    const [invocation] = await invocations(fleet);
    expect(subjects()).toEqual([]);
    expect(await explain(api, invocation?.id ?? "")).toEqual([
      'Not told: silence "Works" until T on 2 Oct, made by system; it will be told then if it is still firing.',
    ]);
    await api.deleteSilence({ id: "works" });
    await fleet.clock.advance(2);
    expect(subjects()).toEqual(["Signalbox: Alert on Web (host-s1): Too hot"]);
    expect(sent[0]?.text).toMatch(/60 degrees, .* \(silenced until \d\d:\d\d\)/);
    expect((await explain(api, invocation?.id ?? "")).at(-1)).toBe("Told to Ops at T.");
    await minute(fleet, agents, [60]);
    for (let count = 0; count < 10; count++) await minute(fleet, agents, [60]);
    expect(sent.at(-1)?.text).not.toContain("silenced");
  });

  test("an acknowledged problem is neither repeated nor escalated, and its end is not reported", async () => {
    const steps = [
      { after: 0, to: ["ops"] },
      { after: 15, to: ["lead"] },
    ];
    const lead = { id: "lead", title: "Lead", type: "mail" as const, email: "lead@example.com" };
    const { fleet, api, sent } = await setUp();
    await api.createReceiver(lead);
    await api.updateRoute({ id: "all", steps, repeat_interval: 600 });
    const agents = await joinAll(fleet, ["s1"]);
    await minute(fleet, agents, [60]);
    for (let count = 0; count < 16; count++) await minute(fleet, agents, [60]);
    expect(sent.map(({ to, subject }) => `${to[0]} ${subject}`)).toEqual([
      "ops@example.com Signalbox: Alert on Web (host-s1): Too hot",
      "ops@example.com [warning] Too hot on Web (host-s1)",
      "lead@example.com [warning] Too hot on Web (host-s1)",
    ]);
    const { rows } = await api.getProblems({});
    await api.acknowledgeProblem({ id: rows[0]?.id ?? "", comment: "on it" });
    for (let count = 0; count < 20; count++) await minute(fleet, agents, [60]);
    await minute(fleet, agents, [40]);
    await fleet.clock.advance(600);
    expect(sent.slice(3).map(({ to, subject }) => `${to[0]} ${subject}`)).toEqual([
      "ops@example.com [acknowledged] Too hot on Web (host-s1)",
      "lead@example.com [acknowledged] Too hot on Web (host-s1)",
    ]);
    expect((await api.getProblems({})).rows).toEqual([]);
  });
});

describe("delivery", () => {
  const hook = {
    id: "chat",
    title: "Chat",
    url: "https://chat.example/x",
    method: "POST",
    body: "{{text}}",
    headers: [],
  };
  async function withHook(steps: readonly Step[], more: Record<string, unknown> = {}) {
    const client = scriptedClient(...steps);
    const at = await setUp({ webHooks: client });
    await at.api.createWebHook({ ...hook, enabled: true } as never);
    await at.api.createReceiver({ id: "room", title: "Room", type: "web_hook", web_hook: "chat", ...more });
    await at.api.updateRoute({ id: "all", steps: [{ after: 0, to: ["room"] }] });
    const agents = await joinAll(at.fleet, ["s1"]);
    await minute(at.fleet, agents, [60]);
    return { ...at, agents, requests: client.sent };
  }

  test("a busy service is retried under the same key, and the end waits for the firing", async () => {
    const { fleet, agents, requests } = await withHook([{ status: 503 }, { status: 503 }, { status: 200 }]);
    await minute(fleet, agents, [40]);
    await fleet.clock.advance(30);
    const keys = requests.map(({ headers }) => headers["X-Idempotency-Key"]);
    expect(requests.map(({ body }) => String(body).split(":")[0])).toEqual([
      ...Array(3).fill("Signalbox Alert Too hot on Web (host-s1)"),
      "Signalbox Alert Too hot cleared on Web (host-s1)",
    ]);
    expect(new Set(keys).size).toBe(2);
  });

  test("a service gets its own format, with the secrets of its hook", async () => {
    const settings = { routing_key: "{{ secrets.PD_KEY }}" };
    const at = await withHook([{ status: 202 }]);
    const secret = {
      title: "PagerDuty",
      enabled: true,
      web_hooks: ["chat"],
      fields: [{ name: "PD_KEY", value: "R0UT3" }],
    };
    await at.api.createSecret(secret as never);
    await at.api.updateReceiver({ id: "room", format: "pagerduty", settings });
    await minute(at.fleet, at.agents, [40]);
    await at.fleet.clock.advance(5);
    // Secrets are decrypted in turns of the real event loop, which the fake clock does not drive.
    await vi.waitUntil(() => at.requests.length === 2, { timeout: 120_000 });
    const { body, headers } = at.requests.at(-1) ?? {};
    expect(headers?.["Content-Type"]).toBe("application/json");

    const [problem] = (await at.api.searchNotices({ limit: 1 })).rows;
    expect(JSON.parse(String(body))).toMatchObject({
      ...{ routing_key: "R0UT3", event_action: "resolve", dedup_key: `signalbox-${problem?.problem}` },
    });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ format: "fax" }, "Invalid value for format"],
    [{ format: "telegram" }, "Invalid value for settings"],
    [{ format: "pagerduty", settings: { routing_key: "R0UT3" } }, "Invalid value for settings"],
    [{ format: "ntfy", settings: { topic: "{{ alert.message }}" } }, "Invalid value for settings"],
  ])("%j is refused", async (members, description) => {
    const { api } = await withHook([{ status: 200 }]);
    expect(await refusalOf(api.updateReceiver({ id: "room", ...members } as never))).toEqual({
      code: "receiver",
      description,
    });
  });

  test("a permanently gone web hook is given up, its fallback is notified, and it gets no end", async () => {
    const { fleet, api, agents, requests, sent } = await withHook([{ status: 404, statusText: "Not Found" }], {
      fallback: "ops",
    });
    await fleet.clock.advance(5);
    expect(requests).toHaveLength(1);
    expect(sent.map(({ to }) => to[0])).toEqual(["ops@example.com"]);
    const [invocation] = await invocations(fleet);
    expect((await explain(api, invocation?.id ?? "")).at(-1)).toMatch(/^Not delivered to Room: .*HTTP 404 Not Found/);
    await minute(fleet, agents, [40]);
    await fleet.clock.advance(600);
    expect(requests).toHaveLength(1);
    expect((await api.getProblems({})).rows).toEqual([]);
  });
});

test("a silent server is no all-clear: the end is reported when data return without the firing", async () => {
  const { fleet, sent } = await setUp();
  const [agent] = await joinAll(fleet, ["s1"]);
  if (!agent) throw new Error("no agent");
  await minute(fleet, [agent], [60]);
  await fleet.clock.advance(600);
  expect(sent).toHaveLength(1);
  for (let count = 0; count < 4; count++) await minute(fleet, [agent], [40]);
  await fleet.clock.advance(12);
  expect(sent).toHaveLength(2);
});

test("a firing that no route matches is explained as such", async () => {
  const { fleet, api, sent } = await setUp({ route: { match: { severities: ["critical"] } } });
  await api.deleteRoute({ id: "normal" });
  await minute(fleet, await joinAll(fleet, ["s1"]), [60]);
  const [invocation] = await invocations(fleet);
  expect(sent).toEqual([]);
  expect(await explain(api, invocation?.id ?? "")).toEqual(["Nobody is told: no route matches warning alerts."]);
});

test("callers limited to groups see notices about their servers alone", async () => {
  const { fleet } = await setUp();
  await minute(fleet, await joinAll(fleet, ["s1"]), [60]);
  const other = fleet.signalbox.as(limitedTo("elsewhere"));
  expect((await other.searchNotices({ limit: 10 })).rows).toEqual([]);
  expect((await other.getProblems({})).rows).toEqual([]);
  const own = fleet.signalbox.as(limitedTo("main"));
  expect((await own.searchNotices({ limit: 10 })).rows).toMatchObject([{ kind: "firing", hidden: 0 }]);
  expect(await refusalOf(own.createReceiver({ title: "Mine", type: "mail", email: "a@b.c" }))).toMatchObject({
    code: "access",
  });
});
