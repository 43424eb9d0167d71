import type { Cradle } from "../../../../kernel/container.ts";
import { createBreath } from "../../../../kernel/running/breath.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import { createDates } from "../../../../lib/time/dates.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import type { HostRecord, Server } from "../../../servers/model.ts";
import { commandsFor } from "../../../servers/rules/minutes/command-lines.ts";
import { invocationCollection, stateCollection } from "../../collection.ts";
import { type Alert, type AlertState, type Explanation, type Invocation, stateKey } from "../../model.ts";
import { isForPlace, kindOf, type Place, placeOfWatched, type Sight } from "../../rules/definition/subjects.ts";
import { contextOf } from "../../rules/evaluation/context.ts";
import { samplesOf } from "../../rules/evaluation/evaluate.ts";
import { type Minute, phaseOf, reasonOf, type Situation, shownReading } from "../../rules/evaluation/explain.ts";
import { episodeAt } from "../evaluation/flapping.ts";
import type { PresenceWatch } from "../evaluation/presence.ts";
import { findNoticeHold } from "../telling/plan.ts";

/**
 * Explains the last evaluation of an alert: its readings and its outcome. Everything is derived from the stored minute,
 * the stored state and the invocation, so nothing extra is stored.
 */
export interface Explain {
  onServers(tx: ReadTx, alert: Alert, servers: readonly Server[], asker: Asker): Promise<Explanation[]>;
  /** Subjects without minutes are evaluated again. */
  onWatched(tx: ReadTx, alert: Alert, sights: readonly Sight[]): Promise<Explanation[]>;
}

/** The caller who asked; decides whether readings include the arguments of processes. */
interface Asker {
  readonly reader: Parameters<typeof commandsFor>[0];
  /** Zone for times in sentences; absent = the zone of the installation. */
  readonly timezone?: string | undefined;
}

/** Outcome of one expression on one context; never throws. */
export interface Trial {
  readonly result: boolean;
  readonly message: string;
  readonly error?: string;
  /** Paths that the expression reads and that have no value; absent = all have one. */
  readonly missing?: string[];
}
export type TryOut = (
  definition: Pick<Alert, "expression" | "message">,
  context: Readonly<Record<string, unknown>>,
) => Trial;

export function createTryOut({ expressions }: Pick<Cradle, "expressions">): TryOut {
  return ({ expression, message }, context) => {
    const text = expressions.compileTemplate(message).expand(context, { undefinedText: "" });
    try {
      return { result: Boolean(expressions.compile(expression).evaluate(context)), message: text };
    } catch (error) {
      return { result: false, message: text, error: messageOf(error) };
    }
  };
}

/** Also lists missing values, for the author of a rule: a misspelt name is no error, it is just never true. */
export function createTrial(deps: Pick<Cradle, "expressions">, tryOut: TryOut): TryOut {
  return (definition, context) => {
    const readings = readingsOf(deps, definition.expression, context);
    const missing = readings.filter(({ value }) => value === null).map(({ path }) => path);
    return { ...tryOut(definition, context), ...(missing.length > 0 ? { missing } : {}) };
  };
}

type Deps = Pick<
  Cradle,
  "checks" | "clock" | "config" | "definitions" | "expressions" | "servers" | "silences" | "state"
>;

type Minutes = Pick<HostRecord, "date" | "groups" | "data">;

/** An alert, its server or other subject, and the last minute there; undefined = there is none yet. */
interface Asked extends Partial<Asker> {
  readonly alert: Alert;
  readonly place: Place;
  readonly groups: readonly string[];
  readonly record: Minutes | undefined;
}

export function createExplain(deps: Deps, { tryOut, presence }: { tryOut: TryOut; presence: PresenceWatch }): Explain {
  const seenNow = (groups: string[], data: Minutes["data"]): Minutes => ({
    date: Math.floor(deps.clock.now()),
    groups,
    data,
  });
  return {
    async onServers(tx, alert, servers, asker) {
      const isPresence = kindOf(alert) === "presence";
      const ids = servers.map(({ id }) => id);
      const minutes = isPresence ? undefined : await deps.servers.newestRecords(tx, ids);
      const rows: Explanation[] = [];
      const breathe = createBreath(deps.clock);
      for (const server of servers) {
        const record = minutes
          ? minutes.get(server.id)
          : seenNow(server.groups, { presence: await presence.of(tx, server) });
        const groups = record?.groups ?? server.groups;
        rows.push(await explain(tx, deps, tryOut, { alert, place: server, groups, record, ...asker }));
        await breathe();
      }
      return rows;
    },
    async onWatched(tx, alert, sights) {
      const rows: Explanation[] = [];
      const breathe = createBreath(deps.clock);
      for (const { watched, context } of sights) {
        const record = seenNow([], { ...context });
        rows.push(await explain(tx, deps, tryOut, { alert, place: placeOfWatched(watched), groups: [], record }));
        await breathe();
      }
      return rows;
    },
  };
}

async function explain(tx: ReadTx, deps: Deps, tryOut: TryOut, asked: Asked): Promise<Explanation> {
  const { alert, place, groups, record, reader, timezone } = asked;
  const { id, hostname, about } = place;
  const state = await tx.collection(stateCollection).get(stateKey(id, alert.id));
  const invocation = await lastInvocation(tx, { alert: alert.id, server: id, state });
  const context = record ? contextOf(record) : {};
  const { result, message, error } = tryOut(alert, context);
  const quiet = await findNoticeHold(tx, deps, { alert, groups, invocation: liveOr(invocation, asked) });
  const minute = record && minuteOf(deps, record, { result, error }, timezone);
  const inScope = isForPlace(alert, { groups, about });
  const now = Math.floor(deps.clock.now());
  const flaps = invocation?.flapping && (await episodeAt(tx, { alert, place: id, at: now })) !== undefined;
  const situation = { alert, minute, inScope, state, invocation, quiet, now, isServer: about === undefined };
  return {
    server: about ? "" : id,
    hostname,
    ...(about ? { subject: about.subject } : {}),
    readings: record ? readingsOf(deps, alert.expression, reader ? commandsFor(reader, context) : context) : [],
    result,
    message,
    ...(error === undefined ? {} : { error }),
    ...(flaps ? { flapping: true } : {}),
    ...(record ? { date: record.date } : {}),
    ...shown(situation),
  };
}

function shown(situation: Situation & { readonly alert: Alert }) {
  const { alert, inScope, state, invocation, quiet } = situation;
  return {
    enabled: Boolean(alert.enabled),
    in_scope: inScope,
    state: phaseOf(situation),
    count: state?.count ?? 0,
    samples: samplesOf(alert),
    ...(invocation ? { invocation } : {}),
    ...(quiet ? { silenced_by: quiet } : {}),
    reason: reasonOf(situation),
  };
}

/**
 * The live invocation, or else a stand-in to match silences against: nothing but a silence can hold an alert that is
 * not live.
 */
const liveOr = (invocation: Invocation | undefined, { alert, place, groups }: Asked): Invocation =>
  invocation?.active
    ? invocation
    : {
        id: "",
        alert: alert.id,
        date: 0,
        active: false,
        modified: 0,
        tickets: [],
        exp: "",
        ...(place.about ? { server: "", subject: place.about.subject } : { server: place.id }),
        message: "",
        count: 0,
        notified: false,
        groups: [...groups],
        jobs: [],
      };

function minuteOf(
  { clock, config }: Deps,
  { date, data }: Minutes,
  { result, error }: Pick<Minute, "result" | "error">,
  tz = config.tz,
): Minute {
  const age = clock.now() - date;
  const since = (): string => createDates({ locale: config.locale, tz })(date);
  // Minutes are due every 60 seconds; the timeout tolerates a late one.
  return { age, since, staleAfter: config.stale_alert_timeout, isDummy: Boolean(data["dummy"]), result, error };
}

function readingsOf(
  { expressions }: Pick<Cradle, "expressions">,
  source: string,
  context: Readonly<Record<string, unknown>>,
) {
  const read = (path: string): unknown => {
    try {
      return expressions.compile(path).evaluate(context);
    } catch {
      // Some parent of the path is undefined, so there is no reading.
      return undefined;
    }
  };
  try {
    return expressions.pathsOf(source).map((path) => ({ path, value: shownReading(read(path)) }));
  } catch {
    // A stored expression that this version does not accept; the trial reports the error.
    return [];
  }
}

async function lastInvocation(
  tx: ReadTx,
  { alert, server, state }: { readonly alert: string; readonly server: string; readonly state: AlertState | undefined },
): Promise<Invocation | undefined> {
  const invocations = tx.collection(invocationCollection);
  if (state?.notified) return invocations.get(state.invocation);
  const where = allOf([hasWord("alert", alert), hasWord("server", server)]);
  const { rows } = await invocations.find(where, { sortBy: "start", descending: true, limit: 1 });
  return rows[0];
}
