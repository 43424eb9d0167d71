import { createSignalbox } from "../engine/signalbox.ts";
import type { SignalboxOptions } from "../engine/signalbox-options.ts";
import type { Plugin } from "../kernel/plugins/plugin.ts";
import { createCalendar } from "../lib/time/calendar.ts";
import { memoryBlobStoreOn } from "../memory/memory-blob-store.ts";
import { type MemoryContents, newContents } from "../memory/memory-contents.ts";
import { memoryStorageOn } from "../memory/memory-storage.ts";
import type { HostFunction } from "../ports/agents/agent-transport.ts";
import type { Mail } from "../ports/outside/mailer.ts";
import type { WebHookRequest } from "../ports/outside/web-hook-client.ts";
import { type Activity, createActivity } from "./box/activity.ts";
import { type Captured, type CapturedHook, type CapturedMail, createCapture, type HookAnswer } from "./box/captured.ts";
import { type Duration, type Moment, momentOf, type WallClock } from "./box/moment.ts";
import { nodesOf, type TestNode } from "./box/nodes.ts";
import { observedBlobs, observedStorage } from "./box/observed-ports.ts";
import { createRuns, type TestRun } from "./box/runs.ts";
import { seededRandom } from "./box/seeded-random.ts";
import { createMinutes, type SampledServer } from "./box/servers/minutes.ts";
import { createFleet, LOCAL_ID, type TestServer, type TestServerOptions } from "./box/servers/test-server.ts";
import { createTime, type Time } from "./box/time.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";

type Given = "storage" | "blobs" | "clock" | "agents" | "mailer" | "webHooks" | "ids" | "plugins";

/** Options of an engine for tests; absent ones get defaults for tests. */
export interface TestSignalboxOptions<Plugins extends readonly Plugin[]>
  extends Partial<Omit<SignalboxOptions<readonly Plugin[]>, Given>> {
  readonly plugins?: Plugins;
  /**
   * The time at the start; work due at exactly this time runs during the start. Default: 2026-01-01 00:00 in
   * `timeZone`.
   */
  readonly now?: Moment;
  /** IANA name of the zone of schedules, and of the times given to `advanceTo`. Default: `config.tz`, or UTC. */
  readonly timeZone?: string;
  /** Functions by event id, which replace the events' own functions. */
  readonly stubs?: Readonly<Record<string, HostFunction>>;
  /** Facts about the server `local`, and how it handles jobs that are not functions of the host. */
  readonly local?: Pick<TestServerOptions, "hostname" | "groups" | "info" | "onJob">;
  /** Answers web hooks; default `200 OK`. A throw simulates a request without an answer. */
  readonly onHook?: (request: WebHookRequest) => HookAnswer | undefined | Promise<HookAnswer | undefined>;
  /** Receives each mail before it is accepted; a throw refuses it. */
  readonly onMail?: (mail: Mail) => unknown;
  /**
   * Real milliseconds for which time stands still while a function of the host, or queued work, waits for something outside the
   * box, such as a database or a file. This is the total for each piece of work; then it counts as waiting for a later time.
   * Default 250.
   */
  readonly patienceMs?: number;
  /** Real milliseconds within which everything due at one time must finish; otherwise `advanceTo` rejects. Default 4000. */
  readonly settleMs?: number;
}

type Engine<Plugins extends readonly Plugin[]> = ReturnType<typeof createSignalbox<Plugins>>;

/** A complete engine whose time, machines, mails and web hooks the test controls; see `createTestSignalbox`. */
export interface TestSignalbox<Plugins extends readonly Plugin[] = readonly []> {
  readonly signalbox: Engine<Plugins>;
  /** The typed client of the engine, with every right. */
  readonly api: Engine<Plugins>["api"];
  /** The clock of the box. Pass it to code under test that reads the time; it stands still unless the box moves it. */
  readonly clock: FakeClock;
  /** Mails that were sent, oldest first. */
  readonly mails: Captured<CapturedMail>;
  /** Web hooks that were sent, oldest first; each attempt is one. */
  readonly hooks: Captured<CapturedHook>;
  /** The server that runs the functions of the host. */
  readonly local: TestServer;
  /** Resolves when nothing is left to do at this time; rejects after `settleMs` with the names of the running work. */
  settle(): Promise<void>;
  /**
   * Advances to a time and runs all work due until then in order, including work due at that very time. A time of day means its
   * next occurrence; if the clocks jump over it, the moment of the jump. Rejects with `RangeError` for a time in the past, and
   * with the names of the running work if the box does not come to rest.
   */
  advanceTo(moment: Moment): Promise<void>;
  /** Advances by a length of time, like `advanceTo`. */
  advanceBy(duration: Duration): Promise<void>;
  /** Advances until a condition holds; rejects when `within` (default one hour of the box) has passed. */
  advanceUntil(holds: () => boolean | Promise<boolean>, within?: Duration): Promise<void>;
  /** Connects another server besides `local`. Rejects when the engine refuses it. */
  connect(options: TestServerOptions): Promise<TestServer>;
  /**
   * Advances to the next whole minute and sends a server's sample for a minute (docs/contract/monitors.md#a-minute); resolves
   * when it has been evaluated.
   */
  minute(server: SampledServer, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Sends a minute's sample now. Rejects when the server has sent one in this minute, since the engine would drop it. */
  report(server: SampledServer, data: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs an event manually, like `run_event`; resolves with the job when nothing is left to do at this time. */
  run(event: string, input?: Readonly<Record<string, unknown>>): Promise<TestRun>;
  /** A job, active or ended. Rejects with `NotFoundError` when there is none. */
  job(id: string): Promise<TestRun>;
  /** The jobs of an event, active and ended, in order of launch. */
  runs(event: string): Promise<readonly TestRun[]>;
  /** States and jobs of the nodes of a workflow's job, in the order in which the nodes were reached. */
  nodes(job: string): Promise<Readonly<Record<string, TestNode>>>;
  /** Stops the engine; time advances as far as running work needs it to end. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const SECRET_KEY = "a key of tests and of nothing else";
const PATIENCE_MS = 250;
const SETTLE_MS = 4000;
const START = "2026-01-01";

/**
 * Starts an engine for the tests of a host: in memory, with a clock that only the test moves, with its mails and web hooks
 * captured in lists, and with servers that the test simulates. Functions of the host really run. Boxes share nothing; randomness
 * is the same in every run.
 *
 * Differs from the engine's own defaults: `debug` is on, `scheduler_stagger_ms` is 0 so that work due at a time runs at that
 * time, and the zone is UTC; `config` overrides all of these. Rejects like `createSignalbox` and `start`.
 * @example
 * await using box = await createTestSignalbox({ events: [report], now: "2026-03-29", timeZone: "Europe/Berlin" });
 * await box.advanceTo("02:30");
 * const [run] = await box.runs("report");
 */
export const createTestSignalbox = <const Plugins extends readonly Plugin[] = readonly []>(
  options: TestSignalboxOptions<Plugins> = {},
): Promise<TestSignalbox<Plugins>> => startBox(newContents(), options);

/** Starts a box on the contents of another, as an engine that starts again; servers have to be connected anew. */
export async function startBox<const Plugins extends readonly Plugin[] = readonly []>(
  contents: MemoryContents,
  options: TestSignalboxOptions<Plugins>,
): Promise<TestSignalbox<Plugins>> {
  const { patienceMs = PATIENCE_MS, settleMs = SETTLE_MS } = options;
  const activity = createActivity({ patienceMs, settleMs });
  const wall: WallClock = {
    calendar: createCalendar(),
    zone: options.timeZone ?? options.config?.tz ?? "UTC",
  };
  const clock = fakeClock(momentOf(options.now ?? START, 0, wall), { settle: activity.settle, together: true });
  const time = createTime(clock, wall, activity);
  const parts = createParts(options, { activity, clock, contents, time, wall });
  await Promise.all([activity.during("the start of the engine", parts.signalbox.start), activity.settle()]);
  return { ...createBox(parts, { activity, clock, time }), clock: { ...clock, after: activity.clockOf(clock) } };
}

interface Tools {
  readonly activity: Activity;
  readonly clock: FakeClock;
  readonly time: Time;
}

/** The engine, and the parts that simulate the world around it. */
function createParts<Plugins extends readonly Plugin[]>(
  options: TestSignalboxOptions<Plugins>,
  { activity, clock, contents, time, wall }: Tools & { readonly contents: MemoryContents; readonly wall: WallClock },
) {
  const {
    now: _now,
    timeZone: _zone,
    local,
    onHook,
    onMail,
    patienceMs: _patience,
    settleMs: _settle,
    stubs = {},
    events = [],
    ...host
  } = options;
  const blobs = observedBlobs(memoryBlobStoreOn(contents.blobs, { clock }), activity);
  const fleet = createFleet({ activity, clock, blobs }, local);
  const capture = createCapture({ now: clock.now, until: time.until, mails: onMail, hooks: onHook });
  const storage = observedStorage(memoryStorageOn(contents.tables, { clock }), activity);
  const signalbox: Engine<Plugins> = createSignalbox<Plugins>({
    secretKey: SECRET_KEY,
    random: seededRandom(),
    ...(host as Omit<typeof host, "secretKey">),
    events: events.map((event) => (event.run ? { ...event, run: stubs[event.id] ?? event.run } : event)),
    config: { debug: true, scheduler_stagger_ms: 0, tz: wall.zone, ...host.config },
    storage,
    blobs,
    clock,
    agents: fleet.transport,
    mailer: capture.mailer,
    webHooks: capture.webHooks,
  });
  return { signalbox, storage, fleet, capture };
}

function createBox<Plugins extends readonly Plugin[]>(
  { signalbox, storage, fleet, capture }: ReturnType<typeof createParts<Plugins>>,
  { activity, clock, time }: Tools,
): Omit<TestSignalbox<Plugins>, "clock"> {
  const jobs = createRuns(signalbox, storage);
  const { settle } = activity;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= time.drive("the end of the engine", signalbox.stop()));
  return {
    signalbox,
    api: signalbox.api,
    mails: capture.mails,
    hooks: capture.hooks,
    local: fleet.get(LOCAL_ID),
    settle,
    advanceTo: time.advanceTo,
    advanceBy: time.advanceBy,
    advanceUntil: (holds, within) => time.until("What was waited for", holds, within),
    async connect(options) {
      const server = await fleet.connect(options);
      await settle();
      return server;
    },
    ...createMinutes({ clock, settle, serverOf: fleet.get }),
    job: jobs.job,
    runs: jobs.runs,
    nodes: (id) => nodesOf(jobs, storage, id),
    async run(event, input) {
      const id = await jobs.launch(event, input);
      await settle();
      return jobs.job(id);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
