import { describe, expect, test } from "vitest";
import { cradleProbe, keyWith, refusalOf, START, startEngine } from "../../../test/engine.ts";
import { shared } from "../../../test/shared.ts";
import { activityCollection } from "../activity/collection.ts";

const fault = (code: string, description: string) => ({ code, description });
const ops = { id: "ops", title: "Ops" };

describe("create_channel", () => {
  test("fills in the defaults and the stamps", async () => {
    await using engine = await startEngine();
    const { channel } = await engine.as(keyWith(["create_channels"])).createChannel({ ...ops, extra: 1 } as never);
    expect(channel).toEqual({
      ...ops,
      extra: 1,
      enabled: true,
      users: [],
      email: "",
      web_hook: "",
      run_event: "",
      sound: "",
      max_per_day: 0,
      icon: "",
      notes: "",
      username: "ktest",
      created: START,
      modified: START,
      revision: 1,
    });
    expect(await engine.api.getChannel({ id: "ops" })).toEqual({ channel });
  });

  test("creates an id with the prefix ch and refuses a taken one", async () => {
    await using engine = await startEngine();
    const { channel } = await engine.api.createChannel({ title: "T" });
    expect(channel.id).toMatch(/^ch[a-z0-9]{14}$/);
    expect(await refusalOf(engine.api.createChannel({ ...ops, id: channel.id }))).toEqual(
      fault("channel", `That Channel ID already exists: ${channel.id}`),
    );
  });

  const unchanged = shared(startEngine);
  test.each<[object, string]>([
    [{ title: undefined }, "Missing parameter: title"],
    [{ users: "admin" }, "Malformed parameter: users"],
    [{ users: [5] }, "Malformed parameter: users"],
    [{ email: [] }, "Malformed parameter: email"],
    [{ web_hook: 5 }, "Malformed parameter: web_hook"],
    [{ web_hook: "a b" }, "Malformed parameter: web_hook"],
    [{ run_event: {} }, "Malformed parameter: run_event"],
    [{ sound: "../../x.mp3" }, "Malformed parameter: sound"],
    [{ sound: "x.wav" }, "Malformed parameter: sound"],
    [{ max_per_day: -1 }, "Malformed parameter: max_per_day"],
    [{ max_per_day: "5" }, "Malformed parameter: max_per_day"],
  ])("refuses %j", async (members, description) => {
    const engine = await unchanged();
    expect(await refusalOf(engine.api.createChannel({ ...ops, ...members } as typeof ops))).toEqual(
      fault("api", description),
    );
  });
});

describe("update_channel and delete_channel", () => {
  test("merge the sent members, update the stamps, and need their privileges", async () => {
    await using engine = await startEngine();
    const { channel } = await engine.api.createChannel({ ...ops, max_per_day: 2 });
    await engine.clock.advance(5);
    const editor = engine.as(keyWith(["edit_channels"]));
    await editor.updateChannel({ id: "ops", users: ["joe"], max_per_day: "+3", sound: "" });
    expect((await engine.api.getChannel({ id: "ops" })).channel).toEqual({
      ...channel,
      users: ["joe"],
      max_per_day: 5,
      modified: START + 5,
      revision: 2,
    });
    expect(await refusalOf(editor.updateChannel({ id: "ops", max_per_day: "-9" }))).toEqual(
      fault("api", "Malformed parameter: max_per_day"),
    );
    expect((await refusalOf(editor.deleteChannel({ id: "ops" }))).code).toBe("access");
    await engine.as(keyWith(["delete_channels"])).deleteChannel({ id: "ops" });
    expect(await refusalOf(engine.api.getChannel({ id: "ops" }))).toEqual(
      fault("notfound", "Failed to locate channel: ops"),
    );
  });

  test("an unknown id is refused", async () => {
    await using engine = await startEngine();
    expect(await refusalOf(engine.api.updateChannel({ id: "nope" }))).toEqual(
      fault("channel", "Failed to update channel: Error: Item not found"),
    );
    expect(await refusalOf(engine.api.deleteChannel({ id: "nope" }))).toEqual(
      fault("channel", "Failed to delete channel: Error: Item not found"),
    );
  });

  test("every change of a channel emits an event after its commit and leaves a row in the log", async () => {
    const probe = cradleProbe();
    await using engine = await startEngine({ plugins: [probe.plugin] });
    const seen: string[] = [];
    for (const type of ["channel.created", "channel.updated", "channel.deleted"] as const)
      engine.events.on(type, ({ id }) => void seen.push(`${type} ${id}`));
    await engine.api.createChannel(ops);
    await engine.api.updateChannel({ id: "ops", title: "New" });
    await engine.api.deleteChannel({ id: "ops" });
    expect(seen).toEqual(["channel.created ops", "channel.updated ops", "channel.deleted ops"]);
    const rows = await probe.cradle().storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.slice(-3)).toMatchObject([
      { action: "channel_create", description: "Ops", channel: { id: "ops" } },
      { action: "channel_update", description: "New", channel: { revision: 2 } },
      { action: "channel_delete", channel: { id: "ops" } },
    ]);
  });
});

describe("presets", () => {
  test("in a fresh store with a user admin include the channel for emergencies", async () => {
    await using engine = await startEngine();
    const { rows } = await engine.as(keyWith([])).getChannels();
    expect(rows).toMatchObject([{ id: "sev1", title: "Severity 1", users: ["admin"], sound: "attention-3.mp3" }]);
  });

  test("can be disabled", async () => {
    await using engine = await startEngine({ config: { presets: false } });
    expect(await engine.api.getChannels()).toEqual({ rows: [], list: { length: 0 } });
  });
});
