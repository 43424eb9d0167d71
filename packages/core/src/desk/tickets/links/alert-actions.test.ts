import { afterEach, describe, expect, test } from "vitest";
import { cradleProbe, keyWith } from "../../../../test/engine.ts";
import { hot, invocations } from "../../../../test/fleet/alert-setup.ts";
import type { ScriptedServer } from "../../../testing/scripted-agent.ts";
import { type JobsOptions, startJobs, type TestJobs } from "../../../testing/test-jobs.ts";

type Members = Record<string, unknown>;

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

async function setUp(options: JobsOptions = {}) {
  const config = { tz: "UTC", alert_universal_actions: [], ...options.config };
  const { plugin, cradle } = cradleProbe();
  const jobs = await startJobs({ ...options, config, plugins: [plugin] });
  running.push(jobs);
  const { api } = jobs.signalbox;
  await api.createTag({ id: "db", title: "DB" });
  return {
    ...jobs,
    api,
    cradle,
    as: jobs.signalbox.as,
    async minute(server: ScriptedServer, temp: number, data: Members = {}) {
      await jobs.clock.advanceTo(Math.floor(jobs.clock.now() / 60) * 60 + 61);
      const stored = jobs.next("server.minute");
      server.send("monitor", { version: "1.0", date: jobs.clock.now(), data: { temp, ...data } });
      await stored;
      await jobs.settle(1);
      await jobs.settle(1);
    },
    tickets: async () => {
      const { rows } = await api.searchTickets({ query: "*", limit: 100, sort_by: "num", sort_dir: 1 });
      return rows as Members[];
    },
  };
}

const ticket = (members: Members = {}) => ({
  enabled: true,
  condition: "alert_new",
  type: "ticket",
  ticket_type: "incident",
  ticket_assignees: ["admin"],
  ticket_tags: ["db"],
  ...members,
});

describe("the ticket action of an alert", () => {
  test("opens a ticket about the server, and both know each other", async () => {
    const at = await setUp();
    await at.api.createAlert({
      ...hot,
      notes: "Look at the *fan*.",
      actions: [ticket({ ticket_due: "1 day" })],
    } as never);
    const data = { load: [1.234, 1, 1], mounts: { root: { use: 32.21 } }, memory: { total: 2048, available: 1024 } };
    await at.minute(await at.connect(), 60, data);
    const [made] = await at.tickets();
    const [fired] = await invocations(at);
    expect(made).toMatchObject({
      subject: "Alert: Too hot on web01",
      ...{ type: "incident", status: "open", category: "", server: "s1", username: "system" },
      ...{ assignees: ["admin"], tags: ["db"], events: [], due: 1_795_305_600 },
    });
    const body = String(made?.["body"]);
    for (const part of [
      "**Signalbox:** The alert **Too hot** has fired on web01.",
      "- **Message:** 60 degrees",
      "- **Hostname:** web01",
      "- **Groups:** Main Group",
      "```text\ntemp >= 50\n```",
      "## Notes\n\nLook at the *fan*.",
      `(http://localhost:5522/#Alerts?id=${fired?.id})`,
      "(http://localhost:5522/#Server?id=s1)",
      "- **Load average:** 1.23",
      "- **Memory:** 2 K in all, 1 K available",
      "- **Root disk:** 32.2% in use",
      "- **Cores:** n/a",
    ])
      expect(body).toContain(part);
    expect(fired).toMatchObject({ tickets: [made?.["id"]] });
    expect(fired?.actions).toMatchObject([
      { code: 0, description: `Successfully created ticket: #1 (${made?.["id"]})`, loc: "#1" },
    ]);
  });

  test("is linked to the tickets of the jobs that run there, and adds its own", async () => {
    const at = await setUp();
    await at.api.createAlert({ ...hot, actions: [ticket()] } as never);
    const server = await at.connect();
    const { id } = await at.api.runEvent({ id: await at.event(), tickets: ["told"] });
    await at.settle();
    server.send("jobs", { [id]: { state: "active" } });
    await at.settle();
    await at.minute(server, 60);
    const [made] = await at.tickets();
    expect((await invocations(at))[0]?.tickets).toEqual(["told", made?.["id"]]);
    expect(made?.["body"]).toContain(`- [Backup](http://localhost:5522/#Job?id=${id})`);
  });
});

describe("reuse and closing on clear", () => {
  const cold = async (at: Awaited<ReturnType<typeof setUp>>, server: ScriptedServer): Promise<void> => {
    await at.minute(server, 1);
    await at.minute(server, 1);
  };

  test("a repeated alert on the same server comments, and another server has its own ticket", async () => {
    const at = await setUp();
    await at.api.createAlert({ ...hot, actions: [ticket({ reuse: "open" })] } as never);
    const one = await at.connect();
    const two = await at.connect({ id: "s2", hostname: "db01.example.internal" });
    await at.minute(one, 60);
    await cold(at, one);
    await at.minute(one, 70);
    await at.minute(two, 60);
    const made = await at.tickets();
    expect(made).toMatchObject([
      {
        server: "s1",
        status: "open",
        changes: [
          { key: "created" },
          { type: "comment", body: expect.stringContaining("has fired again on web01: 70 degrees") },
        ],
      },
      { server: "s2", changes: [{ key: "created" }] },
    ]);
    expect((await invocations(at)).map(({ tickets }) => tickets)).toEqual([
      [made[0]?.["id"]],
      [made[0]?.["id"]],
      [made[1]?.["id"]],
    ]);
  });

  test("a repetition of a live alert comments too", async () => {
    const at = await setUp();
    await at.api.createAlert({ ...hot, repeat_minutes: 2, actions: [ticket({ reuse: "open" })] } as never);
    const server = await at.connect();
    for (let minute = 0; minute < 4; minute++) await at.minute(server, 60);
    const made = await at.tickets();
    expect(made).toHaveLength(1);
    expect(made[0]?.["changes"]).toMatchObject([{ key: "created" }, { type: "comment" }]);
  });

  test("the end of the alert closes the ticket only where the action asks for it", async () => {
    const at = await setUp();
    const closing = ticket({ reuse: "open", close_on_clear: true });
    await at.api.createAlert({ ...hot, actions: [closing, ticket({ ticket_type: "issue" })] } as never);
    const server = await at.connect();
    await at.minute(server, 60);
    await cold(at, server);
    expect(await at.tickets()).toMatchObject([
      {
        type: "incident",
        status: "closed",
        changes: [{ key: "created" }, { body: expect.stringContaining("is over on web01.") }, { key: "status" }],
      },
      { type: "issue", status: "open" },
    ]);
  });

  test("an action without reuse comments as well, but in older installations each firing has its ticket", async () => {
    const counts: number[] = [];
    for (const isOld of [false, true]) {
      const at = await setUp();
      await at.api.updateGlobalState({ "notices.hooks_per_subject": isOld });
      await at.api.createAlert({ ...hot, actions: [ticket()] } as never);
      const server = await at.connect();
      await at.minute(server, 60);
      await cold(at, server);
      await at.minute(server, 60);
      counts.push((await at.tickets()).length);
      await at.api.updateGlobalState({ "notices.tickets_anew": !isOld });
      await cold(at, server);
      await at.minute(server, 60);
      counts.push((await at.tickets()).length);
    }
    // A ticket created for one firing alone is not reused by the next firing.
    expect(counts).toEqual([1, 2, 2, 3]);
  });

  test("servers with one ticket for the problem share it, and the last of them closes it", async () => {
    const at = await setUp();
    await at.api.createAlert({ ...hot, actions: [ticket({ per: "problem", close_on_clear: true })] } as never);
    const one = await at.connect();
    const two = await at.connect({ id: "s2", hostname: "db01.example.internal" });
    const both = async (first: number, second: number): Promise<void> => {
      await at.minute(one, first);
      two.send("monitor", { version: "1.0", date: at.clock.now(), data: { temp: second } });
      for (let round = 0; round < 3; round++) await at.settle(1);
    };
    await both(60, 70);
    await both(1, 70);
    await both(1, 70);
    const [made, ...others] = await at.tickets();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      status: "open",
      changes: [{ key: "created" }, { body: expect.stringContaining("has fired again on db01: 70 degrees") }],
    });
    expect((await invocations(at)).map(({ tickets }) => tickets)).toEqual([[made?.["id"]], [made?.["id"]]]);
    await both(1, 1);
    await both(1, 1);
    expect(await at.tickets()).toMatchObject([{ status: "closed" }]);
  });

  test("a new ticket for each problem is opened only if the last problem has been over for a while", async () => {
    const at = await setUp();
    await at.api.createAlert({ ...hot, actions: [ticket({ per: "problem", reuse: "new" })] } as never);
    const server = await at.connect();
    await at.minute(server, 60);
    await cold(at, server);
    await at.minute(server, 60);
    for (let minute = 0; minute < 7; minute++) await at.minute(server, 1);
    await at.minute(server, 60);
    expect((await at.tickets()).map(({ changes }) => (changes as Members[]).length)).toEqual([2, 1]);
  });

  test("a ticket of an alert that has ended meanwhile is closed at once", async () => {
    const at = await setUp();
    await at.api.createAlert(hot);
    const server = await at.connect();
    await at.minute(server, 60);
    await cold(at, server);
    const [ended] = await invocations(at);
    const { alerts, ticketLinks } = at.cradle();
    await ticketLinks.run({
      action: ticket({ close_on_clear: true }),
      timeoutSec: 300,
      side: "alert",
      data: (ended && (await alerts.hookData(ended))) ?? {},
      idempotencyKey: "late/0",
      signal: new AbortController().signal,
    });
    expect(await at.tickets()).toMatchObject([{ status: "closed" }]);
  });

  test("a retry finds its ticket with any options", async () => {
    const at = await setUp();
    await at.api.createAlert(hot);
    await at.minute(await at.connect(), 60);
    const [fired] = await invocations(at);
    const { alerts, ticketLinks } = at.cradle();
    const data = (fired && (await alerts.hookData(fired))) ?? {};
    const signal = new AbortController().signal;
    for (const [key, action] of [
      ["a", ticket({ reuse: "new" })],
      ["b", ticket({ reuse: "open" })],
      ["c", ticket()],
    ] as const) {
      const run = { action, data, signal, timeoutSec: 300, side: "alert", idempotencyKey: key } as const;
      const first = await ticketLinks.run(run);
      expect(await ticketLinks.run(run)).toEqual(first);
    }
    expect((await at.tickets()).map(({ changes }) => (changes as Members[]).length)).toEqual([1, 2]);
  });

  test("is refused for an action on the end", async () => {
    const at = await setUp();
    const action = ticket({ condition: "alert_cleared", close_on_clear: true });
    await expect(at.api.createAlert({ ...hot, actions: [action] } as never)).rejects.toThrow(
      "Malformed action entry #1: Ticket cannot be closed on clear by an action on alert_cleared.",
    );
  });
});

describe("the list of an invocation", () => {
  test("is replaced by callers who may edit tickets and are limited to no group", async () => {
    const at = await setUp();
    await at.api.createAlert(hot);
    await at.minute(await at.connect(), 60);
    const [fired] = await invocations(at);
    const id = fired?.id ?? "";
    await at
      .as(keyWith(["edit_tickets"]))
      .manageAlertInvocationTickets({ id, tickets: ["t1", "t2", "t1"], more: 1 } as never);
    expect((await invocations(at))[0]?.tickets).toEqual(["t1", "t2"]);
    expect((await at.api.searchAlerts({ query: "tickets:t2" })).list.length).toBe(1);
    const limited = at.as(keyWith(["edit_tickets"], { groups: ["main"] }));
    await expect(limited.manageAlertInvocationTickets({ id, tickets: [] })).rejects.toMatchObject({
      code: "alert",
      message: "Group-limited users may not manage alerts.",
    });
  });
});
