import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { HostFunctionCall } from "../../ports/agents/agent-transport.ts";
import { seededRandom } from "../../testing/box/seeded-random.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { createTestSignalbox } from "../../testing/test-signalbox.ts";
import { defineEvent, type EventDefinition, type ParamsSchema } from "./define-event.ts";

const call = (params: unknown): HostFunctionCall => ({
  jobId: "j1",
  params,
  secrets: {},
  input: { data: { a: 1 } },
  log: () => undefined,
  progress: () => undefined,
  tag: () => undefined,
  files: { input: [], read: async function* () {}, write: async () => undefined },
  signal: new AbortController().signal,
  clock: fakeClock(),
  random: seededRandom(),
  fetch: globalThis.fetch,
});

describe("defineEvent", () => {
  test("gives the function the parameters as the schema returned them", async () => {
    const event = defineEvent({
      id: "sum",
      title: "Sum",
      params: z.object({ a: z.coerce.number(), b: z.number().default(2) }),
      run: ({ params, job, input }) => {
        expectTypeOf(params).toEqualTypeOf<{ a: number; b: number }>();
        return { sum: params.a + params.b, job, input };
      },
    });
    expect(await event.run(call({ a: "5" }))).toEqual({
      sum: 7,
      job: { id: "j1", event: "sum" },
      input: { data: { a: 1 } },
    });
  });

  test("refuses parameters with the code params, before the function runs", async () => {
    let ran = false;
    const event = defineEvent({
      id: "sum",
      title: "Sum",
      params: z.object({ list: z.array(z.object({ n: z.number() })) }),
      run: () => {
        ran = true;
      },
    });
    await expect(event.run(call({ list: [{ n: "x" }] }))).rejects.toMatchObject({
      code: "params",
      message: expect.stringMatching(/^Parameter 'list\.0\.n': /),
    });
    expect(ran).toBe(false);
  });

  test("accepts any schema of the standard, also an asynchronous one", async () => {
    const params: ParamsSchema<{ upper: string }> = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: async (value) => {
          const { text } = value as { text?: unknown };
          return typeof text === "string"
            ? { value: { upper: text.toUpperCase() } }
            : { issues: [{ message: "no text" }] };
        },
      },
    };
    const event = defineEvent({ id: "up", title: "Up", params, run: ({ params: { upper } }) => upper });
    expect(await event.run(call({ text: "a" }))).toBe("A");
    await expect(event.run(call({}))).rejects.toThrow("Parameter 'params': no text");
  });

  test("passes the parameters unchanged when there is no schema", async () => {
    const event = defineEvent({ id: "raw", title: "Raw", run: ({ params }) => params["a"] });
    expect(await event.run(call({ a: 1 }))).toBe(1);
  });

  const triggersOf = (schedule: EventDefinition<unknown>["schedule"]) =>
    defineEvent({ id: "e", title: "E", ...(schedule === undefined ? {} : { schedule }), run: () => undefined }).record[
      "triggers"
    ];
  const manual = { type: "manual", enabled: true };

  test.each<[EventDefinition<unknown>["schedule"], object[]]>([
    [undefined, [manual]],
    ["*/30 * * * *", [manual, { type: "schedule", enabled: true, minutes: [0, 30] }]],
    [{ every: 90 }, [manual, { type: "interval", enabled: true, start: 0, duration: 90 }]],
    [
      { hours: [4], timezone: "Europe/Berlin" },
      [manual, { type: "schedule", enabled: true, hours: [4], timezone: "Europe/Berlin" }],
    ],
    [
      [{ hours: [4] }, { type: "catchup" }],
      [manual, { type: "schedule", enabled: true, hours: [4] }, { type: "catchup", enabled: true }],
    ],
    [
      ["0 4 * * *", "30 9 * * mon"],
      [
        manual,
        { type: "schedule", enabled: true, hours: [4], minutes: [0] },
        { type: "schedule", enabled: true, hours: [9], minutes: [30], weekdays: [1] },
      ],
    ],
  ])("the schedule %j becomes triggers, in addition to a manual trigger", (schedule, expected) => {
    expect(triggersOf(schedule)).toEqual(expected);
  });

  test("a time zone applies to each time of the schedule that names none", () => {
    const timezone = "Europe/Berlin";
    const schedule: EventDefinition<unknown>["schedule"] = [
      ...["0 4 * * *", { hours: [5], timezone: "UTC" }, { type: "catchup" as const }],
    ];
    expect(defineEvent({ id: "e", title: "E", schedule, timezone, run: () => 1 }).record["triggers"]).toEqual([
      manual,
      { type: "schedule", enabled: true, hours: [4], minutes: [0], timezone },
      { type: "schedule", enabled: true, hours: [5], timezone: "UTC" },
      { type: "catchup", enabled: true },
    ]);
  });

  test("limits and actions are enabled unless they say otherwise", () => {
    const { record } = defineEvent({
      ...{ id: "e", title: "E", run: () => 1 },
      limits: [{ type: "retry", amount: 2 }],
      actions: [{ condition: "error", type: "email", email: "ops@example.com", enabled: false }],
    });
    expect(record["limits"]).toEqual([{ enabled: true, type: "retry", amount: 2 }]);
    expect(record["actions"]).toEqual([expect.objectContaining({ enabled: false })]);
  });

  test.each([
    [{ id: "Bad Id" }, "Event Bad Id: Malformed parameter: id (up to 64 of a-z, 0-9 and _)"],
    [{ title: " " }, "Malformed parameter: title (a text without < and >)"],
    [{ schedule: { every: -5 } }, "Interval duration must be a positive number."],
    [{ schedule: "* * *" }, "five fields"],
    [{ schedule: { cron: "0 4 * * *" } }, "Event e: there is no member schedule.0.cron"],
    [{ schedule: { every: 60, ofset: 5 } }, "there is no member schedule.0.ofset"],
    [{ schedule: [7] }, "Malformed trigger entry #2"],
    [{ schedule: "0 4 * * *", timezone: "Europe/Berln" }, "Unknown timezone: Europe/Berln"],
    [{ schedule: { every: 60 }, timezone: "UTC" }, "timezone needs a schedule"],
    [{ timezone: "UTC" }, "timezone needs a schedule"],
    [{ triggers: [{ type: "single", epoch: 5, at: 6 }] }, "there is no member triggers.0.at"],
    [{ limits: [{ type: "retry", amont: 5 }] }, "there is no member limits.0.amont"],
    [{ actions: [{ condition: "error", type: "tag", tags: ["a"], tag: "b" }] }, "there is no member actions.0.tag"],
    [{ overlap: "wait" }, "Malformed parameter value: overlap"],
    [{ expect: { success_every: "soon" } }, "Invalid value for expect.success_every"],
    [{ limits: [{ type: "time" }] }, "Malformed limit entry #1"],
    [{ run: undefined }, "either run or worker is needed"],
    [{ worker: { module: "file:///work.js" } }, "either run or worker is needed"],
    [{ run: "work" }, "run is not a function"],
    [{ run: undefined, worker: "work.js" }, "worker.module is not an address"],
    [{ run: undefined, worker: { module: "./work.js" } }, "worker.module is not an address"],
    [{ run: undefined, worker: { module: "https://example.com/work.js" } }, "worker.module is not an address"],
    [{ run: undefined, worker: { module: "file:///work.js", export: "" } }, "worker.export is not a name"],
  ])("refuses %j when it is declared", (change, text) => {
    expect(() => defineEvent({ id: "e", title: "E", run: () => undefined, ...change } as never)).toThrow(text);
  });
});

describe("an event with a worker", () => {
  const event = defineEvent({
    id: "resize",
    title: "Resize",
    params: z.object({ width: z.coerce.number() }),
    input: z.object({ height: z.coerce.number().default(3) }),
    worker: { module: new URL("file:///srv/resize.js"), export: "resize" },
  });

  test("sends its checked parameters and data and its module to the agent, and returns the answer", async () => {
    const seen: unknown[] = [];
    const inWorker = async (target: unknown) => {
      seen.push(target);
      return { done: true };
    };
    expect(await event.run({ ...call({ width: "5" }), inWorker })).toEqual({ done: true });
    expect(seen).toEqual([
      { module: "file:///srv/resize.js", export: "resize", event: "resize", params: { width: 5 }, data: { height: 3 } },
    ]);
  });

  test("starts no thread for parameters that the schema refuses", async () => {
    const inWorker = () => Promise.reject(new Error("started"));
    await expect(event.run({ ...call({ width: "x" }), inWorker })).rejects.toMatchObject({ code: "params" });
  });

  test("fails with a clear message when the agent has no threads", async () => {
    await expect(event.run(call({ width: 5 }))).rejects.toMatchObject({
      code: "worker",
      message: "The agent of this program cannot run functions in threads",
    });
  });

  test("takes a function or a module, never both", () => {
    const both = { id: "e", title: "E", run: () => undefined, worker: { module: "file:///work.js" } } as const;
    // @ts-expect-error one of the two
    expect(() => defineEvent(both)).toThrow();
  });
});

test("runs on the servers that it names, chosen by its algorithm", async () => {
  const targets = ["web2", "web1"];
  const event = defineEvent({ id: "sum", title: "Sum", targets, algo: "prefer_first_natural", run: () => 1 });
  await using box = await createTestSignalbox({ events: [event] });
  const at = async (): Promise<unknown> => (await box.job((await box.run("sum")).id)).server;
  expect(await at()).toBeUndefined();
  await box.connect({ id: "web1", onJob: () => ({ code: 0 }) });
  expect(await at()).toBe("web1");
  await box.connect({ id: "web2", onJob: () => ({ code: 0 }) });
  expect(await at()).toBe("web2");
  expect(() => defineEvent({ id: "sum", title: "Sum", targets: [], run: () => 1 })).toThrow(/^Event sum: .*targets/);
});

test("the types know the members of each trigger, limit and action", () => {
  const run = (): void => undefined;
  const base = { id: "typed", title: "Typed" };
  const event = defineEvent({
    ...base,
    schedule: [{ hours: [4], days: [-1] }, { type: "catchup" }],
    triggers: [{ type: "magic", key: "open-sesame" }],
    limits: [{ enabled: true, type: "retry", amount: 3, backoff: 2 }],
    actions: [
      { enabled: true, condition: "tag:slow", type: "web_hook", web_hook: "chat" },
      { enabled: true, condition: "error", type: "acme.page", pager: "ops" },
    ],
    run,
  });
  expect(event.record["limits"]).toEqual([{ enabled: true, type: "retry", amount: 3, backoff: 2 }]);
  // @ts-expect-error A misspelt list of hours would launch in every hour.
  expect(() => defineEvent({ ...base, schedule: { hour: [4] }, run })).toThrow("no member schedule.0.hour");
  // @ts-expect-error There is no such type of trigger.
  expect(() => defineEvent({ ...base, triggers: [{ type: "shedule" }], run })).toThrow("Unknown type");
  // @ts-expect-error A limit of memory without an amount.
  expect(() => defineEvent({ ...base, limits: [{ enabled: true, type: "mem" }], run })).toThrow("memory amount");
  const untargeted = { enabled: true, condition: "error", type: "run_event" } as const;
  // @ts-expect-error An action that names no event.
  expect(() => defineEvent({ ...base, actions: [untargeted], run })).toThrow("Invalid Event ID");
});
