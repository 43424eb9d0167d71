import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { pagesById } from "../../../../kernel/searches/pages-by-id.ts";
import { createUnbroken } from "../../../../lib/time/unbroken.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
import type { Server } from "../../../servers/model.ts";
import { serverRecords } from "../../../servers/records.ts";
import { stateCollection } from "../../collection.ts";
import { kindOf } from "../../rules/definition/subjects.ts";
import { type Presence, presenceOf } from "../../rules/evaluation/presence.ts";
import type { CompiledAlerts } from "./compiled.ts";
import type { AlertEvaluation, AlertSample } from "./evaluation.ts";

export interface PresenceWatch {
  /** Evaluates presence alerts on all servers; the leader does so every minute. `now` is Unix seconds. */
  watch(now: number, signal: AbortSignal): Promise<void>;
  /** Presence of one server. */
  of(tx: ReadTx, server: Server): Promise<Presence>;
}

const PAGE = 100;
/** Last minutes (19 KB each) that are read at a time. */
const HOSTS_AT_ONCE = 20;
/** Servers whose alerts are advanced in one transaction. */
const TOGETHER = 32;

type Deps = Pick<
  Cradle,
  "apart" | "clock" | "config" | "definitions" | "deletedServers" | "servers" | "snapshot" | "transact"
>;

interface Context {
  readonly deps: Deps;
  readonly compiled: CompiledAlerts;
  readonly evaluation: AlertEvaluation;
  /** Cached last contacts of disconnected servers; valid until the server's record changes. */
  readonly contacts: Map<string, { readonly modified: number; readonly at: number }>;
}

/**
 * Evaluates alerts about servers that do not report. Nothing arrives from such servers, so the leader does it by the
 * clock.
 */
export function createPresence(deps: Deps, compiled: CompiledAlerts, evaluation: AlertEvaluation): PresenceWatch {
  const context: Context = { deps, compiled, evaluation, contacts: new Map() };
  const unbroken = createUnbroken();
  return {
    async watch(now, signal) {
      const since = unbroken(now);
      if (since === now) context.contacts.clear();
      const alerts = compiled.all().filter(({ alert }) => alert.enabled && kindOf(alert) === "presence");
      if (alerts.length === 0) return;
      const words = alerts.map(({ alert }) => alert.id);
      const where = hasWord("alert", words);
      const standing = await deps.snapshot((tx) => tx.collection(stateCollection).find(where));
      const known = new Set(standing.rows.map(({ server }) => server));
      await lookAtAll(context, { now, signal, known, isGrace: now - since < deps.config.notices.presence_grace });
    },
    of: async (tx, server) =>
      presence(context, server, { now: deps.clock.now(), at: await contactOf(tx, deps, server) }),
  };
}

type Unstored = Omit<AlertSample, "unit">;

interface Round {
  readonly now: number;
  readonly signal: AbortSignal;
  /** Servers for which a presence alert has a state. */
  readonly known: ReadonlySet<string>;
  readonly isGrace: boolean;
}

async function advanceAll({ deps, evaluation }: Context, samples: readonly Unstored[], signal: AbortSignal) {
  if (samples.length === 0) return;
  await deps.apart.together(
    samples,
    ({ server: { id } }) => ({ task: "alerts about silent servers", noun: "Server", id, signal }),
    (some) =>
      deps.transact((unit) =>
        evaluation.advance(
          unit.tx,
          some.map((sample) => ({ ...sample, unit })),
        ),
      ),
  );
}

async function lookAtAll(context: Context, round: Round): Promise<void> {
  const { deps } = context;
  const breathe = createBreath(deps.clock, round.signal);
  const waiting: Unstored[] = [];
  const flush = (): Promise<void> => advanceAll(context, waiting.splice(0), round.signal);
  const seen = new Set<string>();
  for await (const servers of pagesById(deps.snapshot, serverRecords, { size: PAGE })) {
    await breathe();
    await readContacts(context, servers);
    for (const server of servers) {
      if (round.signal.aborted) return;
      seen.add(server.id);
      const matter = { task: "alerts about silent servers", noun: "Server", id: server.id };
      const sample = deps.apart.now(matter, () => sampleOf(context, server, round));
      if (sample) waiting.push(sample);
      if (waiting.length >= TOGETHER) await flush();
      await breathe();
    }
  }
  await flush();
  forgetOthers(context, seen);
}

/** Forgets servers that were deleted. */
function forgetOthers({ contacts }: Context, seen: ReadonlySet<string>): void {
  for (const id of contacts.keys()) if (!seen.has(id)) contacts.delete(id);
}

/** Undefined when nothing needs to be written for the server. */
function sampleOf(context: Context, server: Server, round: Round): Unstored | undefined {
  const isAway = !isOnline(context.deps, server.id);
  if (isAway && round.isGrace) return undefined;
  const { now } = round;
  const at = context.contacts.get(server.id)?.at ?? server.modified;
  const date = Math.floor(now);
  const sight = { presence: presence(context, server, { now, at }) };
  const endedBy = sight.presence.expected ? undefined : "is expected no more";
  const { groups } = server;
  const readings = context.evaluation.readByClock("presence", { server, date, groups, context: sight });
  return readings.held.size > 0 || round.known.has(server.id) ? { server, date, groups, readings, endedBy } : undefined;
}

function presence({ deps }: Context, server: Server, { now, at }: { now: number; at: number }): Presence {
  return presenceOf({
    server,
    isEphemeral: deps.servers.isEphemeral(server),
    isOnline: isOnline(deps, server.id),
    isLeaving: deps.deletedServers.isLeaving(server),
    lastContact: at,
    now,
  });
}

const isOnline = ({ servers }: Deps, id: string): boolean => servers.whereabouts(id).online;

/**
 * A record changes when its server connects and disconnects. If the process was killed, its last minute is more recent.
 */
async function readContacts({ deps, contacts }: Context, servers: readonly Server[]): Promise<void> {
  const unknown: Server[] = [];
  for (const server of servers)
    if (isOnline(deps, server.id)) contacts.delete(server.id);
    else if (contacts.get(server.id)?.modified !== server.modified) unknown.push(server);
  for (let start = 0; start < unknown.length; start += HOSTS_AT_ONCE) {
    const some = unknown.slice(start, start + HOSTS_AT_ONCE);
    const dates = await deps.snapshot((tx) => Promise.all(some.map((server) => contactOf(tx, deps, server))));
    for (const [index, { id, modified }] of some.entries())
      contacts.set(id, { modified, at: dates[index] ?? modified });
  }
}

/** A time in the future means that the clock was set back: then the contact counts as now at the latest. */
async function contactOf(tx: ReadTx, { clock, servers }: Deps, { id, modified }: Server): Promise<number> {
  const now = clock.now();
  const times = [modified, (await servers.lastMinuteAt(tx, id)) ?? 0].filter((time) => time <= now);
  return times.length > 0 ? Math.max(...times) : now;
}
