import { describe, expect, test } from "vitest";
import { cradleProbe, recordingLogger, START, startEngine } from "../../../test/engine.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Plugin } from "../../kernel/plugin.ts";
import type { Services } from "../../kernel/services.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { startJobs } from "../../testing/test-jobs.ts";
import { eventStateCollection } from "../events/collection.ts";
import type { Job } from "../jobs/model.ts";

type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Stands in for the jobs domain: launches each key once, as the real one does, and can be told to fail. */
function fakeLauncher(launched: Launched[] = []) {
  const failures: Error[] = [];
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      const failure = failures.shift();
      if (failure) throw failure;
      if (launched.some(({ uniqueKey }) => uniqueKey === request.uniqueKey)) return undefined;
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 } satisfies Job;
    },
    launchIdempotent: () => Promise.reject(new Error("Nobody asks for this here")),
    storeLaunched: async () => undefined,
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched, failures };
}

interface Options {
  readonly start?: number;
  readonly storage?: Storage;
  readonly launched?: Launched[];
  readonly config?: Record<string, unknown>;
}

async function setUp({ start = START + 30, storage = memoryStorage(), launched = [], config = {} }: Options = {}) {
  const launcher = fakeLauncher(launched);
  const clock = fakeClock(start);
  const log = recordingLogger();
  const engine = await startEngine({ storage, clock, log, plugins: [launcher.plugin], config });
  const minutes = (): number[] => launched.map(({ now = Number.NaN }) => (now - START) / 60);
  return { ...engine, ...launcher, clock, log, storage, minutes, [Symbol.asyncDispose]: () => engine.stop() };
}

/** Survives the stop of an engine, as a database does. */
const durable = (): Storage => ({ ...memoryStorage(), close: async () => undefined });

const event = (...triggers: Record<string, unknown>[]) => ({
  id: "e",
  title: "E",
  enabled: true,
  category: "general",
  plugin: "shellplug",
  params: { script: "x" },
  targets: ["main"],
  algo: "random",
  triggers: triggers.map((trigger) => ({ enabled: true, ...trigger })),
});
const everyMinute = { type: "schedule" };
const switched = (isOn: boolean) => ({ "scheduler.enabled": isOn }) as Record<string, unknown> as Record<string, never>;

describe("the scheduler", () => {
  test("launches a due event once in its minute", async () => {
    await using at = await setUp();
    await at.api.createEvent(event({ type: "schedule", minutes: [2] }));
    await at.clock.advance(300);
    expect(at.launched).toMatchObject([
      { source: "scheduler", now: START + 120, uniqueKey: `e:0:${START + 120}`, params: { script: "x" } },
    ]);
    expect(at.launched[0]).not.toHaveProperty("stype");
  });

  test("merges parameters, tags and data of the trigger and says its type", async () => {
    await using at = await setUp();
    const trigger = { type: "single", epoch: START + 60, params: { size: 1 }, tags: ["flag"], data: [1, 2] };
    await at.api.createEvent(event(trigger, { type: "quiet", invisible: true }, { type: "delay", duration: 5 }));
    await at.clock.advance(60);
    expect(at.launched).toMatchObject([
      {
        stype: "single",
        params: { script: "x", size: 1 },
        addTags: ["flag"],
        input: { data: { items: [1, 2] } },
        overrides: { invisible: true },
        until: START + 65,
      },
    ]);
  });

  test.each([
    ["a disabled event", async (api: Api) => void (await api.updateEvent({ id: "e", enabled: false }))],
    [
      "an event in a disabled category",
      async (api: Api) => void (await api.updateCategory({ id: "general", enabled: false })),
    ],
  ])("passes over %s", async (_name, disable) => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await disable(at.api);
    await at.clock.advance(180);
    expect(at.launched).toEqual([]);
  });

  test("rests while it is switched off; minutes of the pause are not made up for", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    await at.api.updateGlobalState(switched(false));
    await at.clock.advance(120);
    await at.api.updateGlobalState(switched(true));
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 4]);
  });

  test("after a pause runs the missed minutes of an event with catch-up", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(30);
    await at.api.updateGlobalState(switched(false));
    await at.clock.advance(120);
    expect(at.minutes()).toEqual([1]);
    await at.api.updateGlobalState(switched(true));
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 3, 4]);
  });

  test("does not launch startup triggers while it is switched off", async () => {
    const storage = durable();
    await using first = await setUp({ storage });
    await first.api.createEvent(event({ type: "startup" }));
    await first.api.updateGlobalState(switched(false));
    await first.stop();
    await using second = await setUp({ storage, start: START + 600 });
    await second.clock.advance(1);
    expect(second.launched).toEqual([]);
  });

  test("makes up for minutes that a stall of two minutes swallowed, once", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    at.clock.step(120);
    await at.clock.advance(120);
    expect(at.minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  test("takes a longer gap for downtime", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    at.clock.step(3600);
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 62]);
  });

  test("never evaluates a minute again when the clock steps back", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(150);
    at.clock.step(-120);
    await at.clock.advance(240);
    expect(at.minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  test("misses runs that were due while no engine ran", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(everyMinute));
    await first.clock.advance(30);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 230 });
    await second.clock.advance(60);
    expect(second.minutes()).toEqual([1, 4]);
  });

  test("catches up on runs that were due while no engine ran", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(everyMinute, { type: "catchup" }));
    await first.clock.advance(30);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 230 });
    await second.clock.advance(60);
    expect(second.minutes()).toEqual([1, 2, 3, 4]);
  });

  test.each([
    ["no pass has come to it", async () => undefined],
    [
      "it is changed before a pass comes to it",
      async ({ api }: Awaited<ReturnType<typeof setUp>>) => api.updateEvent({ id: "e", notes: "New" }),
    ],
  ])("catches up on runs that were due since an event was made, also when %s", async (_when, meanwhile) => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.clock.advance(40);
    await first.api.createEvent(event(everyMinute, { type: "catchup" }));
    await first.stop();
    // The next engine dies in its first pass before the event has its turn, and so does the one after it.
    for (const start of [START + 230, START + 470]) {
      const torn = await setUp({ storage, launched, start });
      torn.failures.push(...Array.from({ length: 100 }, () => new Error("power cut")));
      await torn.clock.advance(11);
      await meanwhile(torn);
      await torn.stop();
    }
    expect(launched).toEqual([]);
    await using last = await setUp({ storage, launched, start: START + 710 });
    await last.clock.advance(60);
    expect(last.minutes()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("works a large backlog off, a day of minutes a pass", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event({ type: "schedule", minutes: [0, 30] }, { type: "catchup" }));
    await first.clock.advance(60);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 2 * 86_400 });
    await second.clock.advance(1);
    const afterOnePass = launched.length;
    await second.clock.advance(60);
    expect([afterOnePass, launched.length]).toEqual([48, 96]);
    expect(new Set(launched.map(({ uniqueKey }) => uniqueKey)).size).toBe(96);
  });

  test("launches many runs of one minute in transactions of 25, each once", async () => {
    const sizes: number[] = [];
    const launched: Launched[] = [];
    const inner = memoryStorage();
    const write: Storage["write"] = async (work) => {
      const before = launched.length;
      const result = await inner.write(work);
      if (launched.length > before) sizes.push(launched.length - before);
      return result;
    };
    await using at = await setUp({ storage: { ...inner, write }, launched });
    await at.api.createEvent(
      event({ type: "schedule", minutes: [2] }, { type: "interval", start: START, duration: 1 }),
    );
    await at.clock.advance(60);
    expect(sizes).toEqual([25, 10, 25]);
    expect(new Set(launched.map(({ now }) => now)).size).toBe(60);
  });

  test("takes up a minute again whose first launches were stored when the engine died", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event({ type: "interval", start: START, duration: 1 }));
    // The second transaction of the minute is lost.
    first.failures[25] = new Error("power cut");
    await first.clock.advance(31);
    expect(launched).toHaveLength(25);
    await first.clock.advance(60);
    expect(new Set(launched.map(({ uniqueKey }) => uniqueKey)).size).toBe(launched.length);
    expect(launched.filter(({ now = 0 }) => now < START + 120)).toHaveLength(60);
    await first.stop();
  });

  test("replays when the cursor is moved back", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(90);
    await at.api.updateEvent({ id: "e", update_state: { cursor: START } });
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 1, 2, 3]);
  });

  test("counts every-nth over restarts", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(everyMinute, { type: "nth", every: 3 }));
    await first.clock.advance(95);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 130 });
    await second.clock.advance(240);
    expect(second.minutes()).toEqual([1, 4]);
  });

  test("a refused launch is told in the activity and stops no other launch", async () => {
    await using at = await setUp();
    await at.api.createEvent(
      event({ type: "schedule", minutes: [1], params: { a: 1 } }, { type: "schedule", minutes: [1] }),
    );
    at.failures.push(
      new DomainError("job", "conflict", "Maximum daily 'start' count of 1 has been reached for event: e"),
    );
    await at.clock.advance(60);
    expect(at.launched.map(({ uniqueKey }) => uniqueKey)).toEqual([`e:1:${START + 60}`]);
    const rows = await at.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.filter(({ action }) => action === "warning")).toMatchObject([
      { description: expect.stringContaining("Maximum daily"), keywords: ["e", "system"] },
    ]);
  });

  test("a failure of the storage is tried again in the next minute", async () => {
    await using at = await setUp();
    await at.api.createEvent(event({ type: "schedule", minutes: [1] }));
    at.failures.push(new Error("disk full"));
    await at.clock.advance(60);
    expect(at.launched).toEqual([]);
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1]);
    expect(at.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  test("writes nothing for events that are not due but the common cursor", async () => {
    await using at = await setUp();
    await at.api.createEvent(event({ type: "schedule", years: [2001] }));
    await at.clock.advance(60);
    const states = await at.storage.read((tx) => tx.collection(eventStateCollection).list());
    expect(states).toEqual([{ id: "*", cursor: START + 60 }]);
  });

  test("launches startup triggers once per engine", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    // The engine's own start passes first: startup triggers created later must wait for the next start.
    await first.clock.advance(1);
    await first.api.createEvent(event({ type: "startup", data: { a: 1 }, tags: ["flag"] }));
    await first.clock.advance(120);
    await first.stop();
    expect(launched).toEqual([]);
    await using second = await setUp({
      storage: { ...storage, coordination: { ...storage.coordination, nodeId: "n2" } },
      launched,
    });
    await second.clock.advance(180);
    expect(launched).toMatchObject([
      { source: "startup", input: { data: { a: 1 } }, addTags: ["flag"], uniqueKey: "e:0:startup:n2" },
    ]);
  });

  test("no engine that is up for longer than the setting launches startup triggers", async () => {
    const storage = durable();
    await using first = await setUp({ storage });
    await first.api.createEvent(event({ type: "startup" }));
    await first.stop();
    const config = { min_startup_trigger_uptime: "10 seconds" };
    const [late, launched] = [fakeLauncher(), [] as Launched[]];
    const clock = fakeClock(START);
    const lead = { held: undefined as (() => void) | undefined };
    const coordination: Storage["coordination"] = {
      ...storage.coordination,
      nodeId: "n2",
      // A standby: it becomes the leader when somebody lets it.
      lead(office, work) {
        const signal = new AbortController();
        let own: Disposable | undefined;
        const begin = lead.held;
        lead.held = () => {
          begin?.();
          own = storage.coordination.lead(office, (term) =>
            work({ ...term, lost: AbortSignal.any([term.lost, signal.signal]) }),
          );
        };
        return { [Symbol.dispose]: () => own?.[Symbol.dispose]() };
      },
    };
    await using second = await startEngine({
      ...{ storage: { ...storage, coordination }, clock, config },
      plugins: [late.plugin],
    });
    await second.clock.advance(11);
    lead.held?.();
    await second.clock.advance(5);
    expect([...launched, ...late.launched]).toEqual([]);
  });

  test("spreads runs that are due at once over seconds, in the order of the events", async () => {
    await using at = await setUp();
    for (let index = 0; index < 45; index++) await at.api.createEvent({ ...event(everyMinute), id: `e${index}` });
    await at.clock.advance(30);
    const starts = at.launched.map(({ until }) => (until === undefined ? 0 : until - START - 60));
    expect(starts).toEqual([...Array(20).fill(0), ...Array(20).fill(1), ...Array(5).fill(2)]);
  });

  test("spreads nothing when told so, and never puts a delay forward", async () => {
    await using at = await setUp({ config: { scheduler_stagger_ms: 0 } });
    for (let index = 0; index < 30; index++) await at.api.createEvent({ ...event(everyMinute), id: `e${index}` });
    await at.clock.advance(30);
    expect(at.launched.every(({ until }) => until === undefined)).toBe(true);
    await using slow = await setUp({ config: { scheduler_stagger_ms: 2000 } });
    for (const id of ["a", "b"])
      await slow.api.createEvent({ ...event(everyMinute, { type: "delay", duration: 60 }), id });
    await slow.clock.advance(30);
    expect(slow.launched.map(({ until }) => until)).toEqual([START + 120, START + 120]);
  });

  test("remembers minutes in which it was switched off, and minutes without an engine", async () => {
    const storage = durable();
    const first = await setUp({ storage });
    await first.clock.advance(30);
    await first.api.updateGlobalState(switched(false));
    await first.clock.advance(120);
    await first.api.updateGlobalState(switched(true));
    await first.clock.advance(60);
    await first.stop();
    await using second = await setUp({ storage, start: START + 1800 });
    await second.clock.advance(1);
    const state = await storage.read((tx) => tx.collection(eventStateCollection).get("*"));
    expect(state?.gaps).toEqual([
      { from: START + 120, to: START + 180, reason: "paused" },
      { from: START + 300, to: START + 1740, reason: "down" },
    ]);
  });
});

describe("catch-up after three days off", () => {
  const DAYS = 3 * 86_400;
  const daily = { type: "schedule", hours: [12], minutes: [0] };

  async function missed(...triggers: Record<string, unknown>[]): Promise<string[]> {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(...triggers, { type: "catchup" }));
    await first.clock.advance(90);
    await first.stop();
    launched.length = 0;
    await using second = await setUp({ storage, launched, start: START + DAYS });
    // A day of minutes a pass.
    await second.clock.advance(4 * 60);
    return launched.map(({ now = 0 }) => new Date(now * 1000).toISOString().slice(5, 16));
  }

  test("runs every day that was missed, in order, once", async () => {
    expect(await missed(daily)).toEqual(["01-15T12:00", "01-16T12:00", "01-17T12:00"]);
  });

  test("runs every minute that was missed, and each one once", async () => {
    const runs = await missed(everyMinute);
    expect([runs.length, runs[0], runs.at(-1)]).toEqual([3 * 1440 + 2, "01-15T08:03", "01-18T08:04"]);
    expect(new Set(runs).size).toBe(runs.length);
  });

  test("leaves out runs that a blackout forbids or no range allows", async () => {
    const noon = START + 4 * 3600;
    expect(await missed(daily, { type: "blackout", start: noon + 86_400, end: noon + 86_400 })).toEqual([
      "01-15T12:00",
      "01-17T12:00",
    ]);
    const ranges = [
      { type: "range", end: noon },
      { type: "range", start: noon + 2 * 86_400, end: noon + 2 * 86_400 },
    ];
    expect(await missed(daily, ...ranges)).toEqual(["01-15T12:00", "01-17T12:00"]);
    expect(await missed(daily, { type: "range" })).toEqual([]);
  });

  test("counts every-nth over the missed minutes", async () => {
    expect(await missed({ type: "schedule", hours: [0, 6, 12, 18], minutes: [0] }, { type: "nth", every: 4 })).toEqual([
      "01-15T12:00",
      "01-16T12:00",
      "01-17T12:00",
    ]);
  });

  test("keeps the delay and the seconds of the time that was missed", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(daily, { type: "catchup" }, { type: "precision", seconds: [0, 30] }));
    await first.clock.advance(90);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 86_400 });
    await second.clock.advance(61);
    const noon = START + 4 * 3600;
    expect(launched.map(({ now, until }) => [now, until])).toEqual([
      [noon, noon],
      [noon + 30, noon + 30],
    ]);
  });
});

describe("catch-up", () => {
  test("waits while the event is disabled, and runs the missed minutes afterwards", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(30);
    await at.api.updateEvent({ id: "e", enabled: false });
    await at.clock.advance(120);
    await at.api.updateEvent({ id: "e", enabled: true });
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 3, 4]);
  });

  test("gives a job the time that was missed, and the present for its start", async () => {
    const storage = durable();
    const begin = async (start: number) => startJobs({ storage, clock: fakeClock(start), config: { tz: "UTC" } });
    const first = await begin(START);
    await first.event({
      triggers: [everyMinute, { type: "catchup" }].map((trigger) => ({ enabled: true, ...trigger })),
    });
    await first.clock.advance(70);
    await first.signalbox.stop();
    const second = await begin(START + 3600);
    await second.connect();
    await second.clock.advance(2);
    const { rows } = await second.signalbox.api.getActiveJobs();
    const oldest = rows.toSorted((left, right) => Number(left.now) - Number(right.now))[0];
    expect(oldest?.now).toBe(START + 120);
    expect(oldest?.started).toBeGreaterThanOrEqual(START + 3600);
    await second.signalbox.stop();
  });
});

describe("a due run happens once", () => {
  async function withScheduler() {
    const probe = cradleProbe();
    const at = await startJobs({ clock: fakeClock(START + 30), plugins: [probe.plugin], config: { tz: "UTC" } });
    const { scheduler } = probe.cradle();
    const { signal } = new AbortController();
    const jobs = async () => (await at.signalbox.api.getActiveJobs()).rows.map(({ now }) => now);
    return { ...at, jobs, pass: (now: number) => scheduler.run(now, signal), rewind: rewind(at.storage) };
  }
  /** Takes the storage back to the view of a leader that was held up for long, without the other one's writes. */
  const rewind = (storage: Storage) => (id: string) =>
    storage.write((tx) => tx.collection(eventStateCollection).update(id, () => ({ id, cursor: START })));

  test("also when several leaders evaluate its minute at the same time", async () => {
    const at = await withScheduler();
    await at.event({
      triggers: [{ enabled: true, ...everyMinute }],
      limits: [
        { type: "job", enabled: true, amount: 1 },
        { type: "queue", enabled: true, amount: 99 },
      ],
    });
    await Promise.all([at.pass(START + 60), at.pass(START + 60), at.pass(START + 60)]);
    expect(await at.jobs()).toEqual([START + 60]);
    await at.signalbox.stop();
  });

  test("also for the events that a killed engine had not come to, when the next one starts after the minute", async () => {
    const storage = durable();
    const probe = cradleProbe();
    const first = await startJobs({ clock: fakeClock(START + 30), storage, plugins: [probe.plugin] });
    const triggers = [{ enabled: true, ...everyMinute }];
    const ids = [await first.event({ triggers }), await first.event({ triggers }), await first.event({ triggers })];
    const killed = new AbortController();
    first.signalbox.events.on("job.launched", () => killed.abort());
    await probe.cradle().scheduler.run(START + 60.1, killed.signal);
    const jobs = async () => (await first.signalbox.api.getActiveJobs()).rows.map((job) => [job.event, job.now]);
    expect(await jobs()).toHaveLength(1);
    const second = await startJobs({ clock: fakeClock(START + 75), storage });
    await second.clock.advance(1);
    expect((await jobs()).toSorted()).toEqual(ids.toSorted().map((id) => [id, START + 60]));
    await second.signalbox.stop();
    await first.signalbox.stop();
  });

  test("a minute is missed by all events or by none, also when leaders who started before and after it take turns", async () => {
    const storage = durable();
    const old = cradleProbe();
    const first = await startJobs({ clock: fakeClock(START + 30), storage, plugins: [old.plugin] });
    const triggers = [{ enabled: true, ...everyMinute }];
    for (let n = 0; n < 3; n++) await first.event({ triggers });
    const never = new AbortController();
    await old.cradle().scheduler.run(START + 60.1, never.signal);
    const young = cradleProbe();
    const second = await startJobs({ clock: fakeClock(START + 130), storage, plugins: [young.plugin] });
    const killed = new AbortController();
    second.signalbox.events.on("job.launched", () => killed.abort());
    await young.cradle().scheduler.run(START + 180.1, killed.signal);
    await old.cradle().scheduler.run(START + 181, never.signal);
    const jobs = (await first.signalbox.api.getActiveJobs()).rows;
    expect(jobs.map(({ now = 0 }) => now - START).toSorted((a, b) => a - b)).toEqual([60, 60, 60, 180, 180, 180]);
    const state = await storage.read((tx) => tx.collection(eventStateCollection).get("*"));
    expect(state).toEqual({
      ...{ id: "*", cursor: START + 180 },
      gaps: [{ from: START + 120, to: START + 120, reason: "down" }],
    });
    await second.signalbox.stop();
    await first.signalbox.stop();
  });

  test("also in a minute without a leader: the next one started after it, and another node was there", async () => {
    const clock = fakeClock(START + 30);
    const storage = durable();
    const node = (nodeId: string, isLeader: boolean): Storage => ({
      ...storage,
      coordination: {
        ...{ ...storage.coordination, nodeId, shared: true },
        ...(isLeader ? {} : { lead: () => ({ [Symbol.dispose]: () => undefined }) }),
      },
    });
    const first = await startJobs({ clock, storage: node("node_one", true) });
    const beside = await startJobs({ clock, storage: node("node_two", false) });
    await first.event({ triggers: [{ enabled: true, ...everyMinute }] });
    await clock.advance(60);
    await first.signalbox.stop();
    await clock.advance(40);
    const next = await startJobs({ clock, storage: node("node_three", true) });
    await clock.advance(60);
    const { rows } = await beside.signalbox.api.searchJobs({ query: "*", limit: 99 });
    expect(rows.map(({ now }) => Number(now) - START).toSorted((a, b) => a - b)).toEqual([60, 120, 180]);
    await next.signalbox.stop();
    await beside.signalbox.stop();
  });

  test("also when a leader knows nothing of the launches of another one", async () => {
    const at = await withScheduler();
    const id = await at.event({
      triggers: [
        { enabled: true, ...everyMinute },
        { enabled: true, type: "catchup" },
      ],
      limits: [
        { type: "job", enabled: true, amount: 1 },
        { type: "queue", enabled: true, amount: 99 },
      ],
    });
    await at.pass(START + 60);
    await at.pass(START + 120);
    await at.rewind(id);
    await at.rewind("*");
    await at.pass(START + 180);
    expect((await at.jobs()).toSorted()).toEqual([START + 60, START + 120, START + 180]);
    await at.signalbox.stop();
  });
});

type Api = Awaited<ReturnType<typeof setUp>>["api"];
