import { isLimited } from "../../directory/access/require-access.ts";
import type { Actor } from "../../kernel/calls/context.ts";
import type { Cradle } from "../../kernel/container.ts";
import { RateError } from "../../kernel/errors/errors.ts";
import { VERSION } from "../../lib/process/version.ts";
import { createTurns } from "../../lib/turns/turns.ts";
import type { Change } from "./model.ts";
import { placesOf } from "./rules/page.ts";
import type { Numbered } from "./rules/ring.ts";
import { createJournal, type Journal } from "./services/journal.ts";
import { createJobPages, type JobPages } from "./services/pages.ts";
import { createPresence, type Presence } from "./services/presence.ts";
import { createServerLists, type ServerLists } from "./services/server-lists.ts";
import { createOutbox, type Outbox } from "./services/streams/outbox.ts";
import { createSend, type Subscriber } from "./services/streams/subscriber.ts";
import { createWakes } from "./services/streams/wakes.ts";
import { checkSessions, createGrouping, sendable } from "./services/telling/audiences.ts";
import { createDelivery } from "./services/telling/delivery.ts";
import { createMachines, type Machines } from "./services/telling/machines.ts";
import { createReadings, type Readings } from "./services/telling/readings.ts";
import { readStatus } from "./services/telling/status.ts";

export interface Listener {
  readonly actor: Actor;
  /** Pages that the caller looks at: "Job?id=j1". */
  readonly pages: readonly string[];
  /** The id of the last update that the caller received. */
  readonly lastId?: string | undefined;
  /** The caller wants everything sent first, like one that has missed updates. */
  readonly anew?: boolean;
  readonly signal: AbortSignal;
  /** Called once, when the stream ends; "now" = the updates that were waiting are dropped. */
  readonly left?: (how: "after" | "now") => void;
}

/** An open stream of updates. */
export interface Subscription {
  readonly outbox: Outbox;
  /** Replaces the pages that the caller looks at. Rejects if their jobs cannot be read. */
  look(pages: readonly string[]): Promise<void>;
}

/** Sends changes to subscribers, within the reach of each (docs/contract/live.md#the-channel). */
export interface LiveHub {
  /** Opens a stream. Throws `RateError` when too many are open. */
  listen(listener: Listener): Promise<Subscription>;
  /** Records a change on this node. */
  note(change: Change): void;
  /** Records new output of a job on this node. Costs nothing unless a subscriber looks at the job's page. */
  nudge(job: string): void;
  /** Sends the status of the second and readings, and checks sessions. `now` is Unix seconds. */
  tick(now: number): Promise<void>;
  /** True = nobody listens, so there is nothing to send each second. */
  isIdle(): boolean;
  begin(): Promise<void>;
  /** Whether a person has a stream open, on any node. */
  isConnected(user: string): boolean;
  /** Ends the open streams of all nodes after their waiting messages. The clients reconnect and read everything again. */
  reconnect(): void;
  /** Ends all streams. */
  end(): Promise<void>;
}

const MAX_LISTENERS = 10_000;
/** Milliseconds between checks of sessions, which can also end by expiry. */
const SESSIONS_MS = 60_000;

type Deps = Pick<
  Cradle,
  | (
      | "clock"
      | "definitions"
      | "identities"
      | "internalJobs"
      | "jobs"
      | "log"
      | "loginBundle"
      | "pageFacts"
      | "references"
      | "monitors"
      | "random"
      | "servers"
      | "shownState"
    )
  | ("snapshot" | "storage" | "transact")
>;

type HubParts = ReturnType<typeof createHub>;

/** Adds a subscriber: first sends the changes that it missed, then it gets all further changes. */
async function join(
  { subscribers, journal, delivery }: HubParts,
  subscriber: Subscriber,
  { lastId, anew }: Listener,
): Promise<void> {
  const { outbox } = subscriber;
  const missed = journal.since(lastId);
  // After missed changes, only a complete answer carries an id: a client that is cut off earlier must ask again.
  if (lastId) outbox.push(sendable(isTold(missed) ? LOGIN : STALE_LOGIN));
  else outbox.push(sendable(LOGIN, journal.idOf(journal.seq)));
  if (missed) await delivery.tell(missed, [subscriber]);
  else if (lastId || anew) await delivery.tellAll(journal.seq, [subscriber]);
  if (!outbox.ended) subscribers.add(subscriber);
}

async function joinPages(hub: HubParts, subscriber: Subscriber, listener: Listener): Promise<void> {
  const { pages, subscribers } = hub;
  await enterAll(pages, subscriber.jobs);
  try {
    await join(hub, subscriber, listener);
  } finally {
    if (!subscribers.has(subscriber)) subscriber.jobs.forEach(pages.leave);
  }
}

/** Enters the jobs of the new pages before it leaves the jobs of the old pages, so that a job on both is followed without a gap. */
async function lookAt({ pages: open }: HubParts, subscriber: Subscriber, pages: readonly string[]): Promise<void> {
  const places = placesOf(pages);
  await enterAll(open, places.jobs);
  const { jobs } = subscriber.outbox.ended ? places : subscriber;
  if (!subscriber.outbox.ended) Object.assign(subscriber, places);
  jobs.forEach(open.leave);
}

export function createLive(deps: Deps): LiveHub {
  const { clock } = deps;
  const stopping = new AbortController();
  const hub = createHub(deps);
  const { subscribers, turns, attempt, journal, pages, presence, second, wake } = hub;

  return {
    async listen(listener) {
      const { actor, pages: looked, signal } = listener;
      if (subscribers.size >= MAX_LISTENERS) throw new RateError("Too many update streams are open.");
      const places = placesOf(looked);
      const left: Listener["left"] = (how) => {
        if (subscribers.delete(subscriber)) subscriber.jobs.forEach(pages.leave);
        listener.left?.(how);
      };
      const outbox = createOutbox({ clock, signal: AbortSignal.any([signal, stopping.signal]), wake, left });
      const opened = { ...places, opened: actor, outbox, current: deps.identities.follow(actor) };
      const subscriber: Subscriber = { ...opened, audience: undefined, isRenewed: false, leftOutBytes: new Map() };
      journal.want();
      await turns.run(() => joinPages(hub, subscriber, listener));
      return { outbox, look: (to) => turns.run(() => lookAt(hub, subscriber, to)) };
    },
    note: journal.note,
    nudge: pages.nudge,
    tick: (now) => attempt(() => second(now)),
    isIdle: () => subscribers.size === 0 && hub.machines.isIdle() && presence.isIdle(),
    begin: journal.begin,
    isConnected: presence.has,
    reconnect() {
      endAll(subscribers);
      void journal.tellEnd();
    },
    async end() {
      stopping.abort();
      journal.end();
      pages.end();
      await Promise.all([turns, hub.machines, hub.readings, hub.serverLists].map((part) => part.idle()));
    },
  };
}

/** Enters either all of these pages, or none. */
async function enterAll(pages: JobPages, jobs: readonly string[]): Promise<void> {
  const entered: string[] = [];
  try {
    for (const job of jobs) {
      await pages.enter(job);
      entered.push(job);
    }
  } catch (error) {
    entered.forEach(pages.leave);
    throw error;
  }
}

/** Ends all streams. Each subscriber removes itself from the set as its stream ends. */
function endAll(subscribers: ReadonlySet<Subscriber>): void {
  for (const { outbox } of [...subscribers]) outbox.end("after");
}

/** The parts of the hub, which refer to each other. */
function createHub(deps: Deps) {
  const { log } = deps;
  const subscribers = new Set<Subscriber>();
  /** Runs work in turns, so that all subscribers get every change once and in order. */
  const turns = createTurns();
  const attempt = (work: () => Promise<void>): Promise<void> =>
    turns.run(work).catch((error: unknown) => log.error({ error }, "Changes could not be told"));
  const inTurn = (work: () => Promise<void>): void => void attempt(work);
  const journal: Journal = createJournal(deps, {
    inTurn,
    ended: () => endAll(subscribers),
    connected: (news) => presence.hear(news),
    async changed(changes) {
      if (subscribers.size === 0) return;
      if (changes?.some(({ change }) => change.kind === "server")) serverLists.changed();
      // Sends the output of a job before its end.
      await pages.tell(changes && jobsOf(changes));
      if (changes) await delivery.tell(changes, subscribers);
      else await delivery.tellAll(journal.seq, subscribers);
    },
  });
  const to = { grouped: createGrouping(), send: createSend(deps) };
  const delivery = createDelivery(deps, { ...to, idOf: journal.idOf });
  const machines = createMachines(deps, { ...to, subscribers });
  const readings = createReadings(deps, { ...to, subscribers });
  const serverLists = createServerLists(deps, { ...to, subscribers });
  const pages = createJobPages(deps, { inTurn, send: (news) => delivery.tellPages(news, subscribers) });
  const presence = createPresence(deps, { here: () => peopleAt(subscribers), tell: journal.tellConnected });
  const second = createSecond(deps, { subscribers, journal, delivery, machines, presence, readings, serverLists });
  const parts = { subscribers, turns, attempt, journal, delivery, pages, machines, presence, readings, second };
  return { ...parts, serverLists, wake: createWakes() };
}

/** Names of the people among the subscribers. */
const peopleAt = (subscribers: Iterable<Subscriber>): Set<string> =>
  new Set([...subscribers].flatMap(({ opened, outbox }) => (opened.kind === "user" && !outbox.ended ? opened.id : [])));

/** Ids of jobs that changed. */
const jobsOf = (changes: readonly Numbered[]): string[] =>
  changes.flatMap(({ change }) => (change.kind === "job" || change.kind === "completed" ? [change.id] : []));

const LOGIN = { cmd: "login", data: { version: VERSION } };
const STALE_LOGIN = { cmd: "login", data: { version: VERSION, stale: true } };

/**
 * Whether resuming sends all missed changes. That jobs started or ended is only sent with the status of a second, so it cannot be
 * resumed.
 */
const isTold = (missed: readonly Numbered[] | undefined): boolean =>
  missed?.every(({ change }) => change.kind !== "jobs") === true;

interface Hub {
  readonly subscribers: ReadonlySet<Subscriber>;
  readonly journal: Journal;
  readonly delivery: ReturnType<typeof createDelivery>;
  readonly machines: Machines;
  readonly readings: Readings;
  readonly presence: Presence;
  readonly serverLists: ServerLists;
}

const isAnyLimited = (subscribers: Iterable<Subscriber>): boolean =>
  [...subscribers].some((subscriber) => {
    const actor = subscriber.current();
    return actor !== undefined && isLimited(actor);
  });

function createSecond(
  deps: Deps,
  { subscribers, journal, delivery, machines, presence, readings, serverLists }: Hub,
): (now: number) => Promise<void> {
  let checkedMs = Number.NEGATIVE_INFINITY;
  /** Ids of internal jobs in the last status. */
  let told = "";
  return async (now) => {
    machines.tick(now);
    await presence.tick();
    if (subscribers.size === 0) return;
    readings.tick(now);
    serverLists.tick(now);
    const nowMs = deps.clock.monotonicMs();
    if (nowMs - checkedMs >= SESSIONS_MS) {
      checkedMs = nowMs;
      await checkSessions(deps, [...subscribers]);
    }
    const internalJobs = deps.internalJobs.lately();
    const internal = internalJobs.map(({ id }) => id).join();
    const changed = { jobsChanged: journal.tookJobs(), internalJobs, internalJobsChanged: internal !== told };
    told = internal;
    const status = await readStatus(deps, { ...changed, isAnyLimited: isAnyLimited(subscribers) });
    delivery.tellStatus(status, journal.seq, subscribers);
  };
}
