import { describe, expect, test } from "vitest";
import { type Fleet, limitedTo, useFleets } from "../../../../test/fleet/fleet.ts";
import { systemActor } from "../../../kernel/calls/context.ts";
import { invocationCollection } from "../collection.ts";

const start = useFleets();
const hot = { id: "hot", title: "Too hot", expression: "temp >= 50", message: "{{temp}} degrees, {{nothing}}!" };
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });

describe("definitions", () => {
  test("a fresh store has the alerts of the contract", async () => {
    const { signalbox } = await start();
    const { rows } = await signalbox.api.getAlerts();
    expect(rows.map(({ id }) => id)).toEqual([
      "load_avg_high",
      "mem_free_low",
      "io_wait_high",
      "disk_usage_root_high",
      "active_jobs_high",
      "server_silent",
      "disk_full_critical",
      "event_overdue",
      "event_slow",
      "event_failing",
      "heartbeat_late",
      "heartbeat_failed",
      "check_down",
      "cert_expiring",
      "cert_critical",
      "engine_offline",
    ]);
    expect(rows[4]).toMatchObject({
      samples: 1,
      enabled: true,
      limit_jobs: true,
      abort_jobs: false,
      username: "admin",
      notes: "",
    });
  });

  test("members that are not sent get the contract's defaults", async () => {
    const { signalbox } = await start();
    const { id: _id, ...input } = hot;
    const { alert } = await signalbox.api.createAlert({ ...input, message: "{{ a < 5 && b > 3 }} <b>hot</b>" });
    expect(alert).toMatchObject({ enabled: true, samples: 1, actions: [], groups: [], revision: 1 });
    expect(alert.id).toMatch(/^a[a-z0-9]{15}$/);
    expect(alert.message).toBe("{{ a < 5 && b > 3 }} hot");
  });

  const action = { enabled: true, condition: "alert_new", type: "web_hook", web_hook: "h1" };
  test.each([
    ["an invalid expression", { expression: "1 +" }, "alert", /^Failed to compile alert expression: mine: ./],
    ["an invalid macro", { message: "{{ 1 + }}" }, "alert", /^Failed to compile macros in alert message: mine: ./],
    ["samples that are not a number", { samples: "many" }, "alert", /^Invalid value for samples$/],
    ["samples of 0", { samples: 0 }, "alert", /^Invalid value for samples$/],
    ["groups that are no list", { groups: "main" }, "alert", /^Invalid value for groups$/],
    ["actions that are no list", { actions: {} }, "api", /^Malformed event parameter: actions \(must be array\)$/],
    [
      "an action without enabled",
      { actions: [{ condition: "alert_new" }] },
      "api",
      /^Malformed action entry #1: Missing enabled flag$/,
    ],
    [
      "an action of an unknown type",
      { actions: [{ ...action, type: "dance" }] },
      "api",
      /^Malformed action entry #1: Unknown type$/,
    ],
    [
      "an action for an unknown event",
      { actions: [action, { ...action, type: "run_event", event_id: "no" }] },
      "api",
      /^Malformed action entry #2: Event not found: no$/,
    ],
    ["an id that exists", { id: "mem_free_low" }, "alert", /^That Alert ID already exists: mem_free_low$/],
    ["no message", { message: undefined }, "api", /^Missing parameter: message$/],
  ])("%s is refused", async (_fact, change, code, text) => {
    const { signalbox } = await start();
    const call = signalbox.execute({
      operation: "create_alert",
      input: { ...hot, id: "mine", ...change },
      actor: systemActor,
    });
    await expect(call).rejects.toMatchObject({ code, description: expect.stringMatching(text) });
  });

  test("the shape of actions is checked before the caller, existence after", async () => {
    const { signalbox } = await start();
    const call = (actions: unknown) =>
      signalbox.execute({ operation: "create_alert", input: { ...hot, actions }, credentials: {} });
    await expect(call({})).rejects.toMatchObject({ code: "api" });
    await expect(call([{ ...action, type: "run_event", event_id: "no" }])).rejects.toMatchObject({ code: "session" });
  });

  test("an update merges, answers the record and keeps members that the engine owns", async () => {
    const { signalbox } = await start();
    await signalbox.api.createAlert({ ...hot, samples: 2 });
    const { alert } = await signalbox.api.updateAlert({
      id: "hot",
      samples: "+1",
      username: "mallory",
      title: "Hotter",
    } as never);
    expect(alert).toMatchObject({
      samples: 3,
      username: "system",
      title: "Hotter",
      revision: 2,
      expression: "temp >= 50",
    });
    await expect(signalbox.api.updateAlert({ id: "no" })).rejects.toThrow(
      "Failed to update alert: Error: Item not found",
    );
    await expect(signalbox.api.deleteAlert({ id: "no" })).rejects.toThrow(
      "Failed to delete alert: Error: Item not found",
    );
    await expect(signalbox.api.getAlert({ id: "no" })).rejects.toThrow("Failed to locate alert: no");
  });

  test("callers limited to groups may not manage alerts", async () => {
    const { signalbox } = await start();
    await expect(signalbox.as(limitedTo("main")).createAlert(hot)).rejects.toMatchObject({
      code: "alert",
      description: "Group-limited users may not manage alerts.",
    });
  });
});

describe("get_alert_invocations", () => {
  test("answers in the order of the ids, with the live message, and hides invocations out of reach", async () => {
    const fleet = await start({ config: { alert_universal_actions: [] } });
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.minute(server, { temp: 77 });
    const [invocation] = await fleet.storage.read((tx) => tx.collection(invocationCollection).list());
    const id = invocation?.id ?? "";
    const missing = { err: "Failed to locate alert invocation: nope" };
    const { alerts } = await fleet.signalbox.api.getAlertInvocations({ ids: `nope, ${id}` } as never);
    expect(alerts).toMatchObject([missing, { id, message: "77 degrees, !", modified: Math.floor(fleet.clock.now()) }]);
    const db = await fleet.signalbox.as(limitedTo("db")).getAlertInvocations({ ids: [id] });
    expect(db.alerts).toEqual([{ err: `Failed to locate alert invocation: ${id}` }]);
  });

  test.each([[undefined], [null], [[]], [""], [[5]], [{}], [Array.from({ length: 1001 }, () => "a")]])(
    "ids like %.20j are refused",
    async (ids) => {
      const { signalbox } = await start();
      await expect(signalbox.api.getAlertInvocations({ ids } as never)).rejects.toMatchObject({
        code: "alert",
        description: "Missing or malformed ids parameter.",
      });
    },
  );
});
