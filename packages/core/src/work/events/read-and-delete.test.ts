import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { basic, setUp } from "../../../test/work/event-setup.ts";
import { activeJobCollection, jobCollection } from "../jobs/collection.ts";
import type { ActiveJob, Job } from "../jobs/model.ts";

describe("get_events", () => {
  test("filters by any member, as in search queries", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.createEvent({ ...basic, id: "off", enabled: 0, tags: ["flag"] });
    const ids = async (filter: Record<string, unknown>) => (await at.api.getEvents(filter)).rows.map(({ id }) => id);
    expect(await ids({ enabled: "true" })).toEqual(["backup"]);
    expect(await ids({ enabled: "1" })).toEqual(["backup"]);
    expect(await ids({ enabled: "false" })).toEqual(["off"]);
    expect(await ids({ tags: "flag", revision: "1" })).toEqual(["off"]);
    expect(await ids({ plugin: "nope" })).toEqual([]);
  });

  test("pages, and gives the number of events it returned", async () => {
    await using at = await setUp();
    for (const id of ["a", "b", "c"]) await at.api.createEvent({ ...basic, id });
    const page = await at.api.getEvents({ offset: 1, limit: 1 });
    expect(page).toMatchObject({ rows: [{ id: "b" }], list: { length: 1 } });
  });

  test("hides events that the caller may not see", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const visible = async (groups: string[]) => (await at.as(keyWith([], { groups })).getEvents()).rows.length;
    expect([await visible(["main"]), await visible(["web"])]).toEqual([1, 0]);
  });
});

describe("get_event", () => {
  test("counts active and queued jobs", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.storage.write(async (tx) => {
      for (const [id, state] of [
        ["j1", "active"],
        ["j2", "queued"],
        ["j3", "queued"],
      ] as const)
        await tx.collection(activeJobCollection).insert(activeJob(id, state));
    });
    const { jobs, queued, event } = await at.api.getEvent({ id: "backup" });
    expect(event.id).toBe("backup");
    expect(jobs.map(({ id }) => id)).toEqual(["j1"]);
    expect(queued).toBe(2);
  });

  test("counts jobs by the groups of their server as well, without tickets out of the caller's reach", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.storage.write(async (tx) => {
      const record: ActiveJob = activeJob("j1", "active");
      const placed = { ...record.job, targets: ["s1"], groups: ["main"], tickets: ["tgone"] };
      await tx.collection(activeJobCollection).insert({ ...record, job: placed });
    });
    const { jobs } = await at.as(keyWith([], { groups: ["main"] })).getEvent({ id: "backup" });
    expect(jobs).toMatchObject([{ id: "j1", tickets: [] }]);
    expect((await at.api.getEvent({ id: "backup" })).jobs).toMatchObject([{ tickets: ["tgone"] }]);
  });

  test("an unknown id is not found", async () => {
    await using at = await setUp();
    const refusal = await refusalOf(at.api.getEvent({ id: "nope" }));
    expect(refusal).toEqual({ code: "notfound", description: "Failed to locate event: nope" });
  });
});

const activeJob = (id: string, state: Job["state"]) =>
  ({
    id,
    launched: 1,
    details: { activity: [] },
    job: { id, event: "backup", category: "general", targets: ["main"], state, started: 1 },
  }) as never;

describe("get_event_history", () => {
  test("gives the changes with the event at each change, but not their origin", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.createEvent({ ...basic, id: "other" });
    await at
      .as(keyWith(["edit_events"], { id: "backup" }))
      .updateEvent({ id: "other", notes: "by a key of that name" });
    await at.api.updateEvent({ id: "backup", title: "Second" });
    const first = await at.api.getEventHistory({ id: "backup" });
    expect(first).toMatchObject({
      list: { length: 2 },
      rows: [{ action: "event_update", event: { title: "Second" } }],
    });
    expect(first.rows[0]).not.toHaveProperty("ip");
    expect(first.rows[0]).not.toHaveProperty("ips");
    expect(first.rows[0]).not.toHaveProperty("headers");
    const all = await at.api.getEventHistory({ id: "backup", limit: 10, sort_dir: 1 });
    expect(all.rows.map(({ action, event }) => [action, (event as { revision: number }).revision])).toEqual([
      ["event_create", 1],
      ["event_update", 2],
    ]);
    const rest = await at.api.getEventHistory({ id: "backup", offset: 1, limit: 10 });
    expect(rest.rows.map(({ action }) => action)).toEqual(["event_create"]);
  });

  test("hides from limited callers the event's state in another category, or before it was deleted", async () => {
    await using at = await setUp();
    for (const id of ["theirs", "mine"]) await at.api.createCategory({ id, title: id });
    await at.api.createEvent({ ...basic, category: "theirs", notes: "deleted" });
    await at.api.deleteEvent({ id: "backup" });
    await at.api.createEvent({ ...basic, category: "theirs", notes: "elsewhere" });
    await at.api.updateEvent({ id: "backup", category: "mine", notes: "here" });
    const notes = async (api: Pick<typeof at.api, "getEventHistory">) =>
      (await api.getEventHistory({ id: "backup", limit: 10 })).rows.map(({ event }) => Object(event).notes);
    expect(await notes(at.as(keyWith([], { categories: ["mine"] })))).toEqual(["here"]);
    expect(await notes(at.api)).toEqual(["here", "elsewhere", "deleted", "deleted"]);
  });

  test("needs access to an event that still exists", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const refused = (input: { id: string; sort_by?: string }, limits = {}) =>
      refusalOf(at.as(keyWith([], limits)).getEventHistory(input));
    expect(await refused({ id: "backup" }, { categories: ["x"] })).toMatchObject({ code: "access" });
    expect(await refused({ id: "backup" }, { groups: ["x"] })).toMatchObject({ code: "access" });
    expect(await refused({ id: "nope" })).toEqual({ code: "event", description: "Event not found: nope" });
    expect(await refused({ id: "backup", sort_by: "x" })).toEqual({
      code: "db",
      description: "Failed DB search: Error: Cannot find sorter: x",
    });
  });
});

describe("delete_event", () => {
  test("removes the event and its state", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, update_state: { cursor: 60 } });
    await at.api.deleteEvent({ id: "backup" });
    expect(await at.state("backup")).toBeUndefined();
    expect((await at.api.getEvents()).rows).toEqual([]);
    expect(await at.activity("event_delete")).toMatchObject([{ event: { id: "backup" } }]);
  });

  test("deletes its finished jobs too when asked to", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.createEvent({ ...basic, id: "other" });
    const final = (id: string, event: string) =>
      ({ id, event, category: "general", state: "complete", started: 1, completed: 2, elapsed: 1, code: 0 }) as never;
    await at.storage.write(async (tx) => {
      for (let index = 0; index < 150; index++) await tx.collection(jobCollection).insert(final(`j${index}`, "backup"));
      await tx.collection(jobCollection).insert(final("kept", "other"));
      const later = { ...(final("later", "backup") as object), completed: at.clock.now() + 60 };
      await tx.collection(jobCollection).insert(later as never);
    });
    await at.api.deleteEvent({ id: "backup", delete_jobs: true });
    await at.clock.advance(5);
    const left = await at.storage.read((tx) => tx.collection(jobCollection).list());
    // The job that ended afterwards belongs to a new event with the same id.
    expect(left.map(({ id }) => id)).toEqual(["kept", "later"]);
  });

  test("is refused while a job is active", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.storage.write((tx) => tx.collection(activeJobCollection).insert(activeJob("j1", "queued")));
    expect(await refusalOf(at.api.deleteEvent({ id: "backup" }))).toEqual({
      code: "event",
      description: "Failed to delete event: 1 active jobs found",
    });
  });
});
