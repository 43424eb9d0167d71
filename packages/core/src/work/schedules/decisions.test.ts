import { describe, expect, test } from "vitest";
import { recordingLogger, START } from "../../../test/engine.ts";
import { type ScriptedProcess, scriptedProcesses } from "../../../test/scripted/scripted-processes.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import { createSignalbox } from "../../engine/signalbox.ts";
import { memoryBlobStore } from "../../memory/memory-blob-store.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { LeftFile, ProcessSpec } from "../../ports/agents/process-runner.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { eventStateCollection } from "../events/collection.ts";
import { activeJobCollection } from "../jobs/collection.ts";

type Members = Record<string, unknown>;

interface Options {
  /** The plugin's answer to one request. */
  readonly decide: (line: { items: Members[] }) => ScriptedProcess;
  readonly files?: Readonly<Record<string, string>>;
  readonly storage?: Storage;
  readonly start?: number;
  /** Called while the process runs. */
  readonly meanwhile?: (at: { readonly api: ReturnType<typeof createSignalbox>["api"] }) => Promise<unknown>;
}

const answer = (...items: unknown[]): ScriptedProcess => ({ stdout: JSON.stringify({ xy: 1, items }) });

async function setUp({ decide, files, storage, start = START + 30, meanwhile }: Options) {
  const clock = fakeClock(start);
  const store = storage ?? memoryStorage({ clock });
  const blobs = memoryBlobStore({ clock });
  const removed: string[] = [];
  const lineOf = ({ stdin }: ProcessSpec) => JSON.parse(stdin) as { items: Members[]; active_jobs: Members[] };
  const processes = scriptedProcesses((spec) => decide(lineOf(spec)));
  const leftFile = async (_spec: unknown, path: string): Promise<LeftFile | undefined> => {
    const text = files?.[path];
    if (text === undefined) return undefined;
    return {
      name: path.slice(path.lastIndexOf("/") + 1),
      sizeBytes: text.length,
      async *content() {
        yield Buffer.from(text);
      },
      remove: async () => void removed.push(path),
    };
  };
  const log = recordingLogger();
  const signalbox: ReturnType<typeof createSignalbox> = createSignalbox({
    ...{ storage: store, blobs, clock, log, secretKey: "EXAMPLE_CLUSTER_KEY" },
    processes: {
      leftFile,
      async start(spec) {
        await meanwhile?.(signalbox);
        return processes.runner.start(spec);
      },
    },
    config: { debug: true, tz: "UTC", job_universal_actions: { default: [], workflow: [] } },
  });
  await signalbox.start();
  const { api } = signalbox;
  const stored = await api.getPlugins();
  if (!stored.rows.some(({ id }) => id === "due"))
    await api.createPlugin({ id: "due", title: "Due", type: "scheduler", command: "/usr/bin/decide" });
  return {
    api,
    blobs,
    clock,
    log,
    removed,
    asked: () => processes.started.map(lineOf),
    event: (id: string, triggers: Members[] = [], members: Members = {}) =>
      api.createEvent({
        ...{
          id,
          title: id,
          enabled: true,
          category: "general",
          plugin: "shellplug",
          targets: ["main"],
          algo: "random",
        },
        params: { script: "echo" },
        triggers: [{ type: "schedule" }, { type: "plugin", plugin_id: "due" }, ...triggers].map((each) => ({
          enabled: true,
          ...each,
        })),
        limits: [
          { type: "job", enabled: true, amount: 5 },
          { type: "queue", enabled: true, amount: 100 },
        ],
        ...members,
      } as never),
    jobs: async () =>
      (await store.read((tx) => tx.collection(activeJobCollection).list())).map(({ job, details }) => ({
        ...job,
        input: details["input"],
      })) as Members[],
    warnings: async () =>
      (await store.read((tx) => tx.collection(activityCollection).list()))
        .filter(({ action }) => action === "warning")
        .map(({ description }) => description),
    pending: async (id: string) =>
      (await store.read((tx) => tx.collection(eventStateCollection).get(id)))?.pending ?? [],
    stop: () => signalbox.stop(),
    [Symbol.asyncDispose]: () => signalbox.stop(),
  };
}

const durable = (): Storage => ({ ...memoryStorage(), close: async () => undefined });

describe("scheduler plugins", () => {
  test("one process decides about all events of a minute, in their order", async () => {
    await using at = await setUp({
      decide: ({ items }) => answer(...items.map(({ job }) => (job as Members)["event"] !== "no")),
    });
    await at.event("yes", [], { tags: [] });
    await at.event("no");
    await at.clock.advance(30.5);
    expect(at.asked()).toHaveLength(1);
    expect(at.asked()[0]?.items).toMatchObject([
      {
        type: "plugin",
        enabled: true,
        plugin_id: "due",
        timezone: "UTC",
        now: START + 60,
        dargs: { hour: 8, minute: 1, year: 2027 },
        job: { event: "yes", source: "plugin", splugin: "due", params: { script: "echo" } },
      },
      { job: { event: "no" } },
    ]);
    expect(await at.jobs()).toMatchObject([{ event: "yes", source: "plugin", splugin: "due", now: START + 60 }]);
    expect(await at.pending("yes")).toEqual([]);
    expect(await at.pending("no")).toEqual([]);
    await at.clock.advance(60);
    expect(at.asked()[1]).toMatchObject({ active_jobs: [] });
    expect((await at.jobs()).map(({ now }) => now)).toEqual([START + 60, START + 120]);
  });

  test("seconds of precision and intervals are one question at the whole minute", async () => {
    await using at = await setUp({ decide: ({ items }) => answer(...items.map(() => true)) });
    await at.event("e", [{ type: "precision", seconds: [0, 20, 40] }]);
    await at.clock.advance(31);
    expect(at.asked()[0]?.items).toHaveLength(1);
    expect(await at.jobs()).toHaveLength(1);
  });

  test("an answer may delay, pass on data, and show or hide the job", async () => {
    const said = { launch: true, delay: 90, data: { from: "plugin", b: 2 }, invisible: true };
    await using at = await setUp({
      decide: ({ items }) =>
        answer(...items.map(({ job }) => ((job as Members)["event"] === "a" ? said : { launch: true }))),
    });
    const data = { type: "schedule", data: { from: "trigger", a: 1 } };
    const quiet = { type: "quiet", invisible: true, ephemeral: true };
    const triggers = [data, { type: "plugin", plugin_id: "due" }].map((each) => ({ enabled: true, ...each }));
    await at.event("a", [], { triggers });
    await at.event("b", [quiet]);
    await at.clock.advance(31);
    const [a, b] = await at.jobs();
    expect(a).toMatchObject({
      state: "start_delay",
      until: START + 150,
      invisible: true,
      input: { data: { from: "plugin", a: 1, b: 2 } },
    });
    expect(b).toMatchObject({ ephemeral: true });
    expect(b?.["invisible"]).toBeUndefined();
  });

  test("files that it left are kept for the job, and removed where it says so", async () => {
    const files = ["out/a.txt", { path: "b.bin", filename: "Better.csv", delete: true }];
    await using at = await setUp({
      decide: () => answer({ launch: true, files }),
      files: { "out/a.txt": "aa", "b.bin": "bbb" },
    });
    await at.event("e");
    await at.clock.advance(31);
    expect((await at.jobs())[0]?.["input"]).toMatchObject({
      files: [
        { filename: "a.txt", size: 2, path: expect.stringMatching(/^files\/plugins\/due\/[\w-]{43}\/a\.txt$/) },
        { filename: "Better.csv", size: 3 },
      ],
    });
    expect(at.removed).toEqual(["b.bin"]);
    expect(await at.blobs.list("files/plugins/", { limit: 5 })).toHaveLength(2);
  });

  test("a missing file prevents its job from starting, and is reported", async () => {
    await using at = await setUp({ decide: () => answer({ launch: true, files: ["gone"] }) });
    await at.event("e");
    await at.clock.advance(31);
    expect(await at.jobs()).toEqual([]);
    expect(await at.warnings()).toEqual(["Failed to launch scheduled event: e: File not found: gone"]);
    expect(await at.pending("e")).toEqual([]);
  });

  test.each<[string, ScriptedProcess, string]>([
    ["fails", { exit: { code: 3 }, stdout: '{"xy":1,"items":[true]}' }, "exited with code 3."],
    ["writes no JSON", { stdout: "hello" }, "output is not JSON."],
    ["lacks xy", { stdout: '{"items":[true]}' }, "output lacks the member xy."],
    ["has no items", { stdout: '{"xy":1,"items":[]}' }, "output has no items."],
    ["answers for another number", answer(true, true), "output has 2 items where 1 are expected."],
  ])("a plugin that %s launches nothing and is reported", async (_what, process, reason) => {
    await using at = await setUp({ decide: () => process });
    await at.event("e");
    await at.clock.advance(31);
    expect(await at.jobs()).toEqual([]);
    expect(await at.warnings()).toEqual([`Scheduler plugin failed: Due: Scheduler Plugin ${reason}`]);
    await at.clock.advance(60);
    expect(at.asked()[1]?.items.map(({ now }) => now)).toEqual([START + 120]);
  });

  test("with catch-up a minute is asked about again, three times", async () => {
    let failures = 2;
    await using at = await setUp({
      decide: ({ items }) => (failures-- > 0 ? { exit: { code: 1 } } : answer(...items.map(() => true))),
    });
    await at.event("e", [{ type: "catchup" }]);
    await at.clock.advance(150.5);
    expect((await at.jobs()).map(({ now }) => now)).toEqual([START + 60, START + 120, START + 180]);
    failures = Number.POSITIVE_INFINITY;
    await at.clock.advance(60 * 5);
    const times = at.asked().flatMap(({ items }) => items.map(({ now }) => now));
    expect(times.filter((now) => now === START + 240)).toHaveLength(4);
  });

  test("the next engine asks once about runs that a dead one left pending", async () => {
    const storage = durable();
    const first = await setUp({ storage, decide: () => ({ exit: "never" }) });
    await first.event("e");
    await first.clock.advance(31);
    expect(await first.pending("e")).toMatchObject([{ key: "0", now: START + 60, tries: 0 }]);
    await first.stop();
    await using second = await setUp({
      storage,
      start: START + 70,
      decide: ({ items }) => answer(...items.map(() => true)),
    });
    await second.clock.advance(51);
    expect((await second.jobs()).map(({ now }) => now)).toEqual([START + 60, START + 120]);
  });

  test("a process that hangs ends after its time and does not delay others", async () => {
    await using at = await setUp({ decide: () => ({ exit: "never" }) });
    await at.event("stuck");
    await at.event("free", [], { triggers: [{ type: "schedule", enabled: true }] });
    await at.clock.advance(31);
    expect((await at.jobs()).map(({ event }) => event)).toEqual(["free"]);
    await at.clock.advance(31);
    expect(await at.warnings()).toEqual(["Scheduler plugin failed: Due: Scheduler Plugin timed out after 30 seconds."]);
  });

  test("an event changed while the process runs is launched in its new form, and not without its trigger", async () => {
    const changes = [
      { id: "moved", targets: ["elsewhere"], params: { script: "true" } },
      { id: "gone", triggers: [{ type: "manual", enabled: true }] },
    ];
    await using at = await setUp({
      decide: ({ items }) => answer(...items.map(() => true)),
      meanwhile: ({ api }) => Promise.all(changes.map((change) => api.updateEvent(change as never))),
    });
    for (const { id } of changes) await at.event(id);
    await at.clock.advance(31);
    expect(await at.jobs()).toMatchObject([{ event: "moved", targets: ["elsewhere"], params: { script: "true" } }]);
  });

  test("a disabled plugin is skipped", async () => {
    await using at = await setUp({ decide: () => answer(true) });
    await at.event("e");
    await at.api.updatePlugin({ id: "due", enabled: false });
    await at.clock.advance(91);
    expect(at.asked()).toEqual([]);
    expect(await at.jobs()).toEqual([]);
  });
});
