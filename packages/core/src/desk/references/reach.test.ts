import { afterEach, describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { jobRecords } from "../../../test/work/job-records.ts";
import { startJobs, type TestJobs } from "../../testing/test-jobs.ts";

type Members = Record<string, unknown>;

const running: TestJobs[] = [];
afterEach(async () => {
  for (const { signalbox } of running.splice(0)) await signalbox.stop();
});

const account = "You do not have the required account privileges to access";
const foreignCategory = { code: "access", description: `${account} category ID theirs.` };
const foreignTarget = { code: "access", description: `${account} targets: db.` };
const foreignServer = { code: "access", description: `${account} server ID s2.` };

const runs = (event_id: string, params?: Members) => ({
  ...{ enabled: true, condition: "success", type: "run_event", event_id },
  ...(params ? { params } : {}),
});
const tells = (channel_id: string) => ({ enabled: true, condition: "success", type: "channel", channel_id });
const onAlert = (action: Members) => ({ ...action, condition: "alert_new" });

/** An event of the category "theirs" with the servers of "db", beside one of "mine" with the servers of "web". */
async function setUp() {
  const jobs = await startJobs();
  running.push(jobs);
  const { api } = jobs.signalbox;
  for (const id of ["mine", "theirs"]) await api.createCategory({ id, title: id });
  for (const id of ["web", "db"]) await api.createGroup({ id, title: id, hostname_match: "^none$" });
  await jobs.connect({ id: "s1", hostname: "web01.example.internal", initial: { groups: ["web"] } });
  await jobs.connect({ id: "s2", hostname: "db01.example.internal", initial: { groups: ["db"] } });
  await api.createPlugin({ id: "prog", title: "Program", type: "event", command: "sh" });
  await jobs.event({ id: "foreign", category: "theirs", targets: ["db"] });
  await jobs.event({ id: "own", category: "mine", plugin: "prog", targets: ["web"] });
  await api.createChannel({ id: "foreigntalk", title: "Talk", run_event: "foreign" });
  await api.createChannel({ id: "owntalk", title: "Talk", run_event: "own" });
  const as = (...privileges: string[]) => jobs.signalbox.as(keyWith(privileges, { categories: ["mine"] }));
  return {
    ...jobs,
    ...jobRecords(jobs.storage),
    api,
    as,
    inGroup: (...privileges: string[]) => jobs.signalbox.as(keyWith(privileges, { groups: ["web"] })),
    async event(members: Members = {}) {
      const { event } = await api.getEvent({ id: "own" });
      const { triggers: _mine, ...rest } = event;
      return { ...rest, id: "copy", triggers: [{ type: "manual", enabled: true }], ...members } as never;
    },
  };
}

type Place = Awaited<ReturnType<typeof setUp>>;
type Write = (at: Place, action: Members) => Promise<unknown>;

/** Every way in which a caller limited to a category writes actions. */
const writes: Readonly<Record<string, Write>> = {
  "a new event": async ({ as, event }, action) => as("create_events").createEvent(await event({ actions: [action] })),
  "an event": async ({ as }, action) => as("edit_events").updateEvent({ id: "own", actions: [action] } as never),
  "an override of a run": async ({ as }, action) => as("run_jobs").runEvent({ id: "own", actions: [action] } as never),
  "a category": async ({ as }, action) =>
    as("edit_categories").updateCategory({ id: "mine", actions: [action] as never }),
  "a new alert": async ({ as }, action) =>
    as("create_alerts").createAlert({
      ...{ title: "A", expression: "true", message: "m" },
      actions: [onAlert(action)] as never,
    }),
  "an alert": async ({ api, as }, action) => {
    await api.createAlert({ id: "a1", title: "A", expression: "true", message: "m" });
    return as("edit_alerts").updateAlert({ id: "a1", actions: [onAlert(action)] as never });
  },
  "a new group": async ({ as }, action) =>
    as("create_groups").createGroup({
      ...{ id: "more", title: "More", hostname_match: "^none$" },
      alert_actions: [onAlert(action)] as never,
    }),
  "a group": async ({ as }, action) =>
    as("edit_groups").updateGroup({ id: "web", alert_actions: [onAlert(action)] as never }),
  "groups at once": async ({ as }, action) =>
    as("edit_groups").multiUpdateGroup({ items: [{ id: "web", alert_actions: [onAlert(action)] as never }] }),
};

describe.each(Object.entries(writes))("an action of %s", (_name, write) => {
  test("starts no event of a foreign category", async () => {
    expect(await refusalOf(write(await setUp(), runs("foreign")))).toEqual(foreignCategory);
  });

  test("names no channel that starts an event of a foreign category", async () => {
    expect(await refusalOf(write(await setUp(), tells("foreigntalk")))).toEqual(foreignCategory);
  });

  test("starts events of the own category, directly or through a channel", async () => {
    await write(await setUp(), runs("own"));
    await write(await setUp(), tells("owntalk"));
  });
});

describe("a foreign action that is stored", () => {
  test("stays when it is sent back unchanged, beside other actions", async () => {
    const at = await setUp();
    await at.api.updateEvent({ id: "own", actions: [runs("foreign")] } as never);
    const { event } = await at
      .as("edit_events")
      .updateEvent({ id: "own", title: "Other", actions: [runs("own"), runs("foreign")] } as never);
    expect(event).toMatchObject({ title: "Other", actions: [{ event_id: "own" }, { event_id: "foreign" }] });
  });

  test("cannot be changed, as by another condition or other parameters", async () => {
    const at = await setUp();
    await at.api.updateEvent({ id: "own", actions: [runs("foreign")] } as never);
    for (const members of [{ condition: "start" }, { params: { a: 1 } }])
      expect(
        await refusalOf(
          at.as("edit_events").updateEvent({ id: "own", actions: [{ ...runs("foreign"), ...members }] } as never),
        ),
      ).toEqual(foreignCategory);
  });

  test("does not prevent its event from being launched with the same actions", async () => {
    const at = await setUp();
    await at.api.updateEvent({ id: "own", actions: [runs("foreign")] } as never);
    expect((await at.as("run_jobs").runEvent({ id: "own", actions: [runs("foreign")] } as never)).id).toMatch(/^j/);
  });
});

test("checks and heartbeats may not name a server of a foreign group, but keep a stored one", async () => {
  const at = await setUp();
  const writer = at.inGroup("manage_checks");
  const check = { title: "Page", type: "http", url: "https://ops.example.com" } as const;
  const heartbeat = { title: "Copy", every: 60 };
  const refused = { code: "access" };
  expect(await refusalOf(writer.createCheck({ ...check, server: "s2" }))).toMatchObject(refused);
  expect(await refusalOf(writer.createHeartbeat({ ...heartbeat, server: "s2" }))).toMatchObject(refused);
  await writer.createCheck({ ...check, id: "own", server: "s1" });
  await writer.createHeartbeat({ ...heartbeat, id: "own", server: "s1" });
  expect(await refusalOf(writer.updateCheck({ id: "own", server: "s2" }))).toMatchObject(refused);
  expect(await refusalOf(writer.updateHeartbeat({ id: "own", server: "s2" }))).toMatchObject(refused);
  await at.api.updateCheck({ id: "own", server: "s2" });
  await at.api.updateHeartbeat({ id: "own", server: "s2" });
  await writer.updateCheck({ id: "own", title: "Front page", server: "s2" });
  await writer.updateHeartbeat({ id: "own", title: "Copies", server: "s2" });
});

describe("other records that name events", () => {
  test("a channel starts no event of a foreign category", async () => {
    const at = await setUp();
    const writer = at.as("create_channels", "edit_channels");
    expect(await refusalOf(writer.createChannel({ title: "C", run_event: "foreign" }))).toEqual(foreignCategory);
    expect(await refusalOf(writer.updateChannel({ id: "owntalk", run_event: "foreign" }))).toEqual(foreignCategory);
    expect(await writer.updateChannel({ id: "foreigntalk", title: "Renamed", run_event: "foreign" })).toEqual({});
  });

  test("a ticket lists no event of a foreign category", async () => {
    const at = await setUp();
    const writer = at.as("create_tickets", "edit_tickets");
    const members = { subject: "T", category: "mine" };
    expect(await refusalOf(writer.createTicket({ ...members, events: [{ id: "foreign" }] }))).toEqual(foreignCategory);
    const { ticket } = await writer.createTicket({ ...members, events: [{ id: "own" }] });
    expect(await refusalOf(writer.updateTicket({ id: ticket.id, events: [{ id: "foreign" }] }))).toEqual(
      foreignCategory,
    );
  });
});

describe("tickets of a foreign category", () => {
  async function withTicket() {
    const at = await setUp();
    const { ticket } = await at.api.createTicket({ subject: "T", category: "theirs" });
    return { ...at, tickets: [ticket.id] };
  }

  test("are not linked to jobs", async () => {
    const at = await withTicket();
    await at.final("j1", { category: "mine", event: "own" });
    const link = { id: "j1", tickets: at.tickets };
    expect(await refusalOf(at.as("edit_tickets").manageJobTickets(link))).toEqual(foreignCategory);
  });

  test("are not handed to jobs at a launch", async () => {
    const at = await withTicket();
    const call = { id: "own", tickets: at.tickets };
    expect(await refusalOf(at.as("run_jobs").runEvent(call as never))).toEqual(foreignCategory);
  });
});

describe("a caller limited to a group", () => {
  test("lets no action start an event that runs only elsewhere", async () => {
    const at = await setUp();
    const write = at.inGroup("edit_events").updateEvent({ id: "own", actions: [runs("foreign")] } as never);
    expect(await refusalOf(write)).toEqual(foreignTarget);
  });

  test.each<[string, Members, object]>([
    ["a group", { targets: ["web", "db"] }, foreignTarget],
    ["a server", { targets: ["web", "s2"] }, { code: "access", description: `${account} targets: s2.` }],
    ["a parameter", { params: { script: "x", _xy_override_targets: "web, db" } }, foreignTarget],
    [
      "a parameter of a trigger",
      { triggers: [{ type: "manual", enabled: true, params: { _xy_override_targets: ["db"] } }] },
      foreignTarget,
    ],
    ["a parameter of an action", { actions: [runs("own", { _xy_override_targets: "db" })] }, foreignTarget],
    [
      "the default of a field",
      { fields: [{ id: "_xy_override_targets", type: "text", title: "Where", value: "db" }] },
      foreignTarget,
    ],
  ])("adds no foreign target to an event by %s", async (_name, members, refusal) => {
    const at = await setUp();
    const create = at.inGroup("create_events").createEvent(await at.event(members));
    expect(await refusalOf(create)).toEqual(refusal);
    expect(await refusalOf(at.inGroup("edit_events").updateEvent({ id: "own", ...members } as never))).toEqual(refusal);
  });

  test("keeps foreign targets that are stored and adds servers of the own group", async () => {
    const at = await setUp();
    await at.api.updateEvent({ id: "own", targets: ["web", "db"] });
    const { event } = await at.inGroup("edit_events").updateEvent({ id: "own", targets: ["db", "web", "s1"] });
    expect(event.targets).toEqual(["db", "web", "s1"]);
  });

  test("names no foreign server whose id is the name of the own group", async () => {
    const at = await setUp();
    await at.connect({ id: "web", hostname: "db02.example.internal", initial: { groups: ["db"] } });
    const create = at.inGroup("create_events").createEvent(await at.event());
    expect(await refusalOf(create)).toEqual({ code: "access", description: `${account} server ID web.` });
  });

  test("cannot match a foreign server into the own group by a pattern", async () => {
    const at = await setUp();
    await at.api.createGroup({ id: "auto", title: "Auto", hostname_match: "^db" });
    await at.connect({ id: "s3", hostname: "db03.example.internal", initial: {} });
    await at.settle(1);
    expect((await at.api.getServer({ id: "s3" })).server.groups).toEqual(["main", "auto"]);
    const writer = at.signalbox.as(keyWith(["create_groups", "edit_groups"], { groups: ["web", "more"] }));
    const everywhere = { code: "access", description: `${account} group ID *.` };
    const more = { id: "more", title: "More" };
    expect(await refusalOf(writer.updateGroup({ id: "web", hostname_match: "." }))).toEqual(everywhere);
    expect(await refusalOf(writer.createGroup({ ...more, hostname_match: "03" }))).toEqual(everywhere);
    expect((await writer.createGroup({ ...more, hostname_match: "^web" })).group.id).toBe("more");
    expect((await writer.updateGroup({ id: "web", hostname_match: "^web0" })).group.hostname_match).toBe("^web0");
  });

  test("names no foreign server in a ticket", async () => {
    const at = await setUp();
    const writer = at.inGroup("create_tickets");
    expect(await refusalOf(writer.createTicket({ subject: "T", server: "s2" }))).toEqual(foreignServer);
    expect((await writer.createTicket({ subject: "T", server: "s1" })).ticket.server).toBe("s1");
  });

  test("writes no program of a monitor, which runs on all servers", async () => {
    const at = await setUp();
    const refusal = { code: "alert", description: "Group-limited users may not manage monitors." };
    const plugin = { id: "probe", title: "P", type: "monitor", command: "sh" } as const;
    const writer = at.inGroup("create_plugins", "edit_plugins", "delete_plugins");
    expect(await refusalOf(writer.createPlugin(plugin))).toEqual(refusal);
    await at.api.createPlugin(plugin);
    expect(await refusalOf(writer.updatePlugin({ id: "probe", command: "id" }))).toEqual(refusal);
    expect(await refusalOf(writer.deletePlugin({ id: "probe" }))).toEqual(refusal);
  });
});
