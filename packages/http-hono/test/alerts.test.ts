import { definePlugin } from "@signalbox/core/plugin";
import { describe, expect, test } from "vitest";
import { openEngine } from "./boxes/fleet-engine.ts";
import { ONE_STORAGE, STORAGES } from "./open-storage.ts";
import { untilOf } from "./until.ts";

const ping = { enabled: true, type: "test.ping" };
const config = {
  tz: "UTC",
  alert_universal_actions: [
    { ...ping, condition: "alert_new" },
    { ...ping, condition: "alert_cleared" },
  ],
};

/** An action that records the conditions under which it runs. */
const pings = (sent: string[]) =>
  definePlugin({
    id: "test.pings",
    actionTypes: {
      "test.ping": {
        applies: ["alert"],
        target: () => "",
        async run({ action }) {
          sent.push(String(action["condition"]));
          return { code: 0, description: "sent" };
        },
      },
    },
  });

/** An engine over a storage, a server that reports when told to, and a list of sent messages. */
async function open(name: string) {
  const sent: string[] = [];
  const { admin, agent, clock, limited, next } = await openEngine(name, { config, plugins: [pings(sent)] });
  const server = await agent.connect({ hostname: "s1.example.internal", id: "s1", initial: { groups: ["main"] } });
  const newest = async () => (await admin.get("search_alerts/v1")).body.rows[0];
  return {
    ...admin,
    clock,
    sent,
    newest,
    async minute(temp: number) {
      await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
      const stored = next("server.minute");
      server.send("monitor", { version: "1.0", date: clock.now(), data: { temp } });
      await stored;
    },
    /** The newest invocation, once it satisfies the condition: queued work needs turns of the event loop. */
    async when(holds: (invocation: Record<string, unknown>) => boolean) {
      let found: Record<string, unknown> | undefined;
      await untilOf(clock)(async () => {
        const invocation = await newest();
        found = invocation && holds(invocation) ? invocation : undefined;
        return found !== undefined;
      });
      return found ?? {};
    },
    limited: (groups: readonly string[]) =>
      limited(groups, { acknowledge_alerts: true, silence_alerts: true, edit_alerts: true }),
  };
}

const lastOf = (list: unknown): Record<string, unknown> => (Array.isArray(list) ? list.at(-1) : {});

const hot = { id: "hot", title: "Too hot", expression: "temp >= 50", message: "{{temp}} degrees", tags: ["heat"] };

describe.each(ONE_STORAGE)("alerts over %s", (name) => {
  test("an alert lives from create to delete, and its invocation from firing to clearing", async () => {
    const at = await open(name);
    expect((await at.post("create_alert", hot)).body.alert).toMatchObject({ enabled: true, samples: 1, revision: 1 });
    await at.minute(60);
    const fired = await at.when(({ actions }) => Array.isArray(actions) && actions[0]?.code === 0);
    expect(fired).toMatchObject({ active: true, alert: "hot", server: "s1", message: "60 degrees" });
    const tested = await at.post("test_alert", { server: "s1", expression: "temp > 59", message: "{{temp}}!" });
    expect(tested.body).toEqual({ code: 0, result: true, message: "60!" });
    await at.post("manage_alert_invocation_tickets", { id: fired.id, tickets: ["t1"] });
    expect((await at.get("search_alerts/v1?query=tickets:t1")).body.list.length).toBe(1);
    await at.minute(40);
    await at.when(({ actions }) => Array.isArray(actions) && actions[1]?.code === 0);
    expect(at.sent).toEqual(["alert_new", "alert_cleared"]);
    expect((await at.get("search_alerts/v1?query=active:true")).body.list.length).toBe(0);
    const { body } = await at.get(`get_alert_invocations/v1?ids=${fired.id},nope`);
    expect(body.alerts).toMatchObject([{ id: fired.id, active: false, tickets: ["t1"] }, { err: expect.any(String) }]);
    expect((await at.post("delete_alert_invocation", { id: fired.id })).text).toBe('{"code":0}\n');
    expect((await at.post("update_alert", { id: "hot", samples: 2 })).body.alert).toMatchObject({ revision: 2 });
    expect((await at.post("delete_alert", { id: "hot" })).status).toBe(200);
    expect((await at.get("get_alert/v1?id=hot")).status).toBe(404);
  });

  test("a silence holds notices back, is shown in the invocation and in the explanation, and ends", async () => {
    const at = await open(name);
    await at.post("create_alert", hot);
    const made = await at.post("create_silence", { id: "works", title: "Works", tags: ["heat"], end: 1_900_000_000 });
    expect(made.body.silence).toMatchObject({ id: "works", start: 1_800_000_000, revision: 1 });
    await at.minute(60);
    const quiet = await at.when(({ suppressed }) => suppressed !== undefined);
    const by = { kind: "silence", id: "works", title: "Works" };
    expect(quiet.suppressed).toMatchObject([{ condition: "alert_new", count: 1, by }]);
    const { body } = await at.get("explain_alert/v1?alert=hot&server=s1");
    expect(body.rows).toMatchObject([
      { server: "s1", state: "live", result: true, readings: [{ path: "temp", value: 60 }], silenced_by: by },
    ]);
    expect(body.rows[0].reason).toContain('Nothing was sent: silence "Works" (works).');
    expect((await at.post("update_silence", { id: "works", enabled: false })).body.silence.revision).toBe(2);
    expect((await at.get("get_silences/v1")).body.rows).toMatchObject([{ id: "works", in_force: false }]);
    expect((await at.get("get_silence/v1?id=works")).body.silence.title).toBe("Works");
    expect((await at.post("delete_silence", { id: "works" })).text).toBe('{"code":0}\n');
    // The firing is still live, so its message is sent now.
    await at.minute(60);
    await at.when(({ actions }) => Array.isArray(actions) && actions[0]?.code === 0);
    expect(at.sent).toEqual(["alert_new"]);
    await at.minute(40);
    await at.when(({ active }) => !active);
    await at.when(({ actions }) => Array.isArray(actions) && actions[1]?.code === 0);
    expect(at.sent).toEqual(["alert_new", "alert_cleared"]);
  });

  test("an alert repeats until it is acknowledged", async () => {
    const at = await open(name);
    await at.post("create_alert", { ...hot, repeat_minutes: 1 });
    await at.minute(60);
    const { id } = await at.when(({ actions }) => Array.isArray(actions));
    await at.minute(60);
    await at.minute(60);
    // Waits until everything requested has been sent.
    await at.when(({ actions, repeats }) => {
      const results = Array.isArray(actions) ? actions.map(({ code }) => code) : [];
      return Number(repeats) > 0 && results.length === Number(repeats) + 1 && results.every((code) => code === 0);
    });
    const { body } = await at.post("acknowledge_alert_invocation", { id, comment: "On it" });
    expect(body.alert.acknowledged).toMatchObject({ comment: "On it" });
    const before = at.sent.length;
    for (const temp of [60, 60, 60, 40]) await at.minute(temp);
    // A repeat that was in progress at the acknowledgement is not sent either, and its entry says so.
    const ended = await at.when(({ suppressed }) => lastOf(suppressed)["condition"] === "alert_cleared");
    for (const entry of ended["suppressed"] as object[])
      expect(entry).toMatchObject({ by: { kind: "acknowledgement" } });
    expect(at.sent.length).toBe(before);
    expect((await at.post("acknowledge_alert_invocation", { id, comment: "" })).status).toBe(409);
    expect((await at.post("unacknowledge_alert_invocation", { id })).body.alert).not.toHaveProperty("acknowledged");
  });
});

describe.each(STORAGES)("stored minutes over %s", (name) => {
  test("a back-test finds firings in the stored minutes", async () => {
    const at = await open(name);
    await at.post("create_monitor", { id: "temp", title: "Temp", source: "temp", data_type: "float" });
    for (const temp of [40, 60, 70, 40, 80]) await at.minute(temp);
    const expression = "monitors.temp >= 50";
    const { body } = await at.post("backtest_alert", { expression, message: "{{monitors.temp}}", group: "main" });
    expect(body).toMatchObject({ code: 0, servers: 1, points: 5, truncated: false, unknown_paths: [] });
    expect(body.invocations.map((each: Record<string, unknown>) => [each["message"], each["true_minutes"]])).toEqual([
      ["70", 2],
      ["80", 1],
    ]);
  });
});

describe.each(ONE_STORAGE)("limited callers over %s", (name) => {
  test("callers limited to other groups can see and change nothing", async () => {
    const at = await open(name);
    await at.post("create_alert", hot);
    await at.post("create_silence", { id: "works", title: "Works", servers: ["s1"], end: 1_900_000_000 });
    await at.minute(60);
    const { id } = await at.newest();
    const other = await at.limited(["db"]);
    expect((await other.get("search_alerts/v1?query=*")).body.list.length).toBe(0);
    expect((await other.get("get_silences/v1")).body.rows).toEqual([]);
    expect((await other.get("explain_alert/v1?alert=hot")).body.rows).toEqual([]);
    const server = "You do not have the required account privileges to access server ID s1.";
    const refusals = [
      await other.get("explain_alert/v1?alert=hot&server=s1"),
      await other.get("get_silence/v1?id=works"),
      await other.post("acknowledge_alert_invocation", { id, comment: "" }),
      await other.post("update_silence", { id: "works", enabled: false }),
      await other.post("backtest_alert", { alert: "hot", server: "s1" }),
    ];
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 403, body: { code: "access", description: server } });
    expect((await other.post("backtest_alert", { alert: "hot" })).body).toMatchObject({ invocations: [], servers: 0 });
  });
});
