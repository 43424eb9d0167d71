import { describe, expect, test } from "vitest";
import { keyWith, refusalOf } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { basic, setUp, writer } from "../../../test/work/event-setup.ts";

describe("update_event", () => {
  test("replaces only sent members and increments the revision", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const { event } = await at.api.updateEvent({
      id: "backup",
      title: "New",
      type: "workflow",
      username: "x",
      created: 1,
    } as never);
    expect(event).toMatchObject({ ...basic, title: "New", revision: 2, username: "system", created: 1_800_000_000 });
    expect(event).not.toHaveProperty("type");
  });

  test("refuses an outdated revision", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.updateEvent({ id: "backup", revision: 1, title: "A" });
    expect(await refusalOf(at.api.updateEvent({ id: "backup", revision: 1, title: "B" }))).toEqual({
      code: "event",
      description: "Event out of date: backup (Revision mismatch: 1 != 2)",
    });
  });

  test("validates the merged event as a whole", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const refusal = await refusalOf(at.api.updateEvent({ id: "backup", params: {} }));
    expect(refusal.description).toBe("Event Plugin: Parameter 'script' is required.");
    expect((await refusalOf(at.api.updateEvent({ id: "backup", targets: [] }))).description).toBe(
      "Event has no targets specified.",
    );
  });

  test("keeps the locked value for callers who are not administrators", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const { event } = await at.as(writer).updateEvent({ id: "backup", params: { script: "rm", annotate: true } });
    expect(event.params).toEqual({ script: "echo hi", annotate: true });
  });

  test("takes no relative steps for numbers", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, level: 5 } as never);
    const refusal = await refusalOf(at.api.updateEvent({ id: "backup", level: "+1" } as never));
    expect(refusal.description).toBe("Malformed parameter value: level");
  });

  test("leaves triggers unchanged when they are not sent", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, triggers: [{ type: "magic", enabled: true, key: "k" }] });
    const { event } = await at.api.updateEvent({ id: "backup", title: "New" });
    expect(event.triggers?.[0]?.["token"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("checks the rights on the stored and on the merged event", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const limited = at.as(keyWith(["edit_events"], { groups: ["web"] }));
    expect((await refusalOf(limited.updateEvent({ id: "backup", targets: ["web"] }))).code).toBe("access");
    const owner = at.as(keyWith(["edit_events"], { groups: ["main"] }));
    expect((await refusalOf(owner.updateEvent({ id: "backup", targets: ["web"] }))).code).toBe("access");
  });

  test("starts a replay when the cursor is moved back", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.updateEvent({ id: "backup", update_state: { cursor: 60 } });
    expect(await at.state("backup")).toEqual({ id: "backup", cursor: 60, replay: 1 });
  });

  test("an unknown id is refused", async () => {
    await using at = await setUp();
    const refusal = await refusalOf(at.api.updateEvent({ id: "nope" }));
    expect(refusal).toEqual({ code: "event", description: "Event not found: nope" });
  });
});

describe("update_state", () => {
  test("sets the event's state of scheduler and jobs, and is shown with the global state", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, update_state: { nth: 2, robin: 3, custom: "kept", replay: 9, pending: [] } });
    const shown = async () => ((await at.api.getGlobalState()).state as { events: unknown }).events;
    expect(await shown()).toEqual({ backup: { nth: 2, robin: 3, custom: "kept" } });
    await at.api.updateEvent({ id: "backup", update_state: { last_code: "warning", robin: 1 } });
    expect(await shown()).toEqual({ backup: { nth: 2, robin: 1, custom: "kept", last_code: "warning" } });
    await at.api.deleteEvent({ id: "backup" });
    expect(await shown()).toEqual({});
  });

  test.each(["cursor", "nth", "robin"])("accepts a number only for %s", async (member) => {
    await using at = await setUp();
    for (const value of ["5", "", {}])
      expect(await refusalOf(at.api.createEvent({ ...basic, update_state: { [member]: value } }))).toEqual({
        code: "api",
        description: `Malformed event parameter: update_state (${member} must be a number)`,
      });
  });
});

describe("run_event", () => {
  const fields = [
    { id: "size", type: "text", title: "Size", value: "big" },
    { id: "count", type: "text", title: "Count", range: "1-3" },
    { id: "fixed", type: "text", title: "Fixed", value: "f", locked: true },
  ];

  test("launches with sent values, then values of the event, then defaults", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields, params: { script: "x", count: 1 } });
    expect(await at.api.runEvent({ id: "backup", params: { count: 2 }, input: { data: { a: 1 } } })).toEqual({
      id: "j1",
    });
    expect(at.launched[0]).toMatchObject({
      source: "user",
      username: "system",
      params: { script: "x", size: "big", count: 2, fixed: "f" },
      input: { data: { a: 1 } },
      targets: ["main"],
    });
  });

  test("a key is the source of its runs and cannot choose locked values", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields });
    await at.as(writer).runEvent({ id: "backup", params: { script: "rm", fixed: "mine", size: "s" } });
    expect(at.launched[0]).toMatchObject({ source: "key", username: "ktest" });
    expect(at.launched[0]?.params).toEqual({ script: "echo hi", size: "s", fixed: "f" });
  });

  test("merges json and flat names", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, fields });
    await at.api.runEvent({ title: "Backup", "params/size": "flat", json: '{"label":"L","tags":["flag"]}' } as never);
    expect(at.launched[0]).toMatchObject({ params: { size: "flat" }, overrides: { label: "L" }, tags: ["flag"] });
  });

  test("drops members that the caller may not set", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.runEvent({
      id: "backup",
      command: "sh",
      category: "other",
      label: "L",
      priority: "1" as never,
    } as never);
    expect(at.launched[0]?.overrides).toEqual({ label: "L", priority: true });
  });

  test("honours a delayed start", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    await at.api.runEvent({ id: "backup", state: "start_delay", until: 1_800_000_100 });
    await at.api.runEvent({ id: "backup", state: "active", until: 1_800_000_100 } as never);
    expect(at.launched.map(({ until }) => until)).toEqual([1_800_000_100, undefined]);
  });

  test("strict overrides leave callers without edit_events only the harmless members", async () => {
    await using at = await setUp({ run_event_overrides: "strict" });
    await at.api.createEvent(basic);
    await at.as(keyWith(["run_jobs"])).runEvent({ id: "backup", label: "L", algo: "least_cpu", limits: [] });
    await at.as(writer).runEvent({ id: "backup", algo: "least_cpu" });
    expect(at.launched.map(({ overrides }) => overrides)).toEqual([{ label: "L" }, { algo: "least_cpu" }]);
  });

  const unchanged = shared(async () => {
    const at = await setUp();
    await at.api.createEvent({ ...basic, fields });
    await at.api.createEvent({ ...basic, id: "off", title: "Off", enabled: false });
    await at.api.createEvent({ ...basic, id: "clock", title: "Clock", triggers: [] });
    return at;
  });
  test.each([
    [{}, "event", "Failed to locate event: No criteria specified"],
    [{ id: "nope" }, "event", "Event not found: nope"],
    [{ title: "Nope" }, "event", "Event not found: Nope"],
    [{ id: "off" }, "event", "Event is disabled: off"],
    [{ id: "clock" }, "event", "Event does not allow manual job runs: clock"],
    [{ id: "backup", input: [] }, "api", "Malformed event parameter: input (must be object)"],
    [{ id: "backup", params: { count: 9 } }, "api", "Event: Parameter 'count' value is invalid (1-3)."],
    [{ id: "backup", params: { script: "" } }, "api", "Event Plugin: Parameter 'script' is required."],
    [{ id: "backup", algo: "a b" }, "api", "Malformed parameter value: algo"],
    [{ id: "backup", tags: ["nope"] }, "api", "Unknown tag: nope"],
    [{ id: "backup", json: '{"__proto__":{}}' }, "api", "Invalid parameter: __proto__ (illegal key)"],
  ])("%j is refused", async (input, code, description) => {
    const at = await unchanged();
    expect(await refusalOf(at.api.runEvent(input as never))).toEqual({ code, description });
    expect(at.launched).toEqual([]);
  });

  test("a stored tag that was deleted since does not prevent the event from being run", async () => {
    await using at = await setUp();
    await at.api.createTag({ id: "nightly", title: "Nightly" });
    await at.api.createEvent({ ...basic, tags: ["nightly"] });
    await at.api.deleteTag({ id: "nightly" });
    await at.api.runEvent({ id: "backup" });
    expect(at.launched).toMatchObject([{ event: { tags: ["nightly"] } }]);
  });

  test("a stored action whose event was deleted since does not prevent the event from being run", async () => {
    await using at = await setUp();
    const action = { enabled: true, condition: "error", type: "run_event", event_id: "other" } as const;
    await at.api.createEvent({ ...basic, id: "other" });
    await at.api.createEvent({ ...basic, actions: [action] });
    await at.api.deleteEvent({ id: "other" });
    await at.api.runEvent({ id: "backup" });
    expect(at.launched).toMatchObject([{ event: { actions: [action] } }]);
    await at.api.runEvent({ id: "backup", actions: [action] });
    const changed = { ...action, condition: "success" } as const;
    expect(await refusalOf(at.api.runEvent({ id: "backup", actions: [changed] }))).toEqual({
      code: "api",
      description: "Malformed action entry #1: Event not found: other",
    });
  });

  test("a test run needs neither an enabled event nor a manual trigger", async () => {
    await using at = await setUp();
    await at.api.createEvent({ ...basic, enabled: false, triggers: [] });
    await at.api.runEvent({ id: "backup", test: true });
    expect(at.launched).toMatchObject([{ test: true }]);
  });

  test("a refusal of the launcher is passed on", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    at.refuse("Category is disabled: General");
    expect(await refusalOf(at.api.runEvent({ id: "backup" }))).toEqual({
      code: "event",
      description: "Failed to launch job: Category is disabled: General",
    });
  });

  test("targets that a parameter sets are limited to the caller's groups", async () => {
    await using at = await setUp();
    await at.api.createEvent(basic);
    const limited = at.as(keyWith(["run_jobs"], { groups: ["main"] }));
    const refusal = await refusalOf(limited.runEvent({ id: "backup", params: { _xy_override_targets: "web,db" } }));
    expect(refusal.description).toBe("You do not have the required account privileges to access targets: web, db.");
  });

  test("broken json is refused with a clear message", async () => {
    await using at = await setUp();
    const { code, description } = await refusalOf(at.api.runEvent({ json: "{" }));
    expect([code, description]).toEqual(["api", expect.stringMatching(/^Failed to parse JSON: /)]);
  });
});
