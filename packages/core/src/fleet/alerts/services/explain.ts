import type { Cradle } from "../../../kernel/container.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { isInScope } from "../../monitors/rules/evaluate.ts";
import type { HostRecord, Server } from "../../servers/model.ts";
import { invocationCollection, stateCollection } from "../collection.ts";
import { type Alert, type AlertState, type Explanation, type Invocation, stateKey } from "../model.ts";
import { contextOf } from "../rules/context.ts";
import { type Minute, phaseOf, reasonOf, type Situation, shownReading } from "../rules/explain.ts";
import { isOnPresence } from "../rules/presence.ts";
import { findNoticeHold } from "./plan.ts";
import type { PresenceWatch } from "./presence.ts";

/**
 * Says of an alert on a server what its last evaluation saw and what came of it. Worked out anew from the stored minute,
 * the stored state and the invocation, so nothing is kept for it.
 */
export type Explain = (tx: ReadTx, alert: Alert, server: Server) => Promise<Explanation>;

/** The outcome of one expression over one context; nothing throws. */
export interface Trial {
  readonly result: boolean;
  readonly message: string;
  readonly error?: string;
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

type Deps = Pick<Cradle, "clock" | "config" | "definitions" | "expressions" | "servers" | "silences" | "state">;

/** What an alert on the presence of a server sees, in the place of a minute. */
async function sightOf(deps: Deps, presence: PresenceWatch, tx: ReadTx, server: Server): Promise<HostRecord> {
  const { id, hostname, ip, groups } = server;
  const date = Math.floor(deps.clock.now());
  return {
    id,
    server: id,
    hostname,
    ip,
    groups,
    version: "1.0",
    date,
    data: { presence: await presence.of(tx, server) },
  };
}

export function createExplain(deps: Deps, { tryOut, presence }: { tryOut: TryOut; presence: PresenceWatch }): Explain {
  return async (tx, alert, server) => {
    const { id, hostname } = server;
    const record = isOnPresence(alert)
      ? await sightOf(deps, presence, tx, server)
      : await deps.servers.hostRecord(tx, id);
    const state = await tx.collection(stateCollection).get(stateKey(id, alert.id));
    const invocation = await lastInvocation(tx, { alert: alert.id, server: id, state });
    const context = record ? contextOf(record) : {};
    const { result, message, error } = tryOut(alert, context);
    const groups = record?.groups ?? server.groups;
    const quiet = await findNoticeHold(tx, deps, { alert, groups, invocation: liveOr(invocation, alert, server) });
    const minute = record && minuteOf(deps, record, { result, error });
    const inScope = isInScope(alert.groups, groups);
    const now = Math.floor(deps.clock.now());
    const situation = { alert, minute, inScope, state, invocation, quiet, now };
    return {
      server: id,
      hostname,
      readings: record ? readingsOf(deps, alert.expression, context) : [],
      ...{ result, message },
      ...(error === undefined ? {} : { error }),
      ...(record ? { date: record.date } : {}),
      ...shown(situation),
    };
  };
}

function shown(situation: Situation & { readonly alert: Alert }) {
  const { alert, inScope, state, invocation, quiet } = situation;
  return {
    enabled: Boolean(alert.enabled),
    in_scope: inScope,
    state: phaseOf(situation),
    count: state?.count ?? 0,
    samples: alert.samples,
    ...(invocation ? { invocation } : {}),
    ...(quiet ? { silenced_by: quiet } : {}),
    reason: reasonOf(situation),
  };
}

/** Of a server without an invocation only silences can say something. */
const liveOr = (invocation: Invocation | undefined, alert: Alert, server: Server): Invocation =>
  invocation?.active
    ? invocation
    : {
        ...{ id: "", alert: alert.id, server: server.id, date: 0, active: false, modified: 0, tickets: [], exp: "" },
        ...{ message: "", count: 0, notified: false, groups: server.groups, jobs: [] },
      };

function minuteOf(
  { clock, config }: Deps,
  { date, data }: HostRecord,
  { result, error }: Pick<Minute, "result" | "error">,
): Minute {
  const age = clock.now() - date;
  // A minute is due every 60 seconds; one that is a little late is no silence yet.
  return { age, staleAfter: config.stale_alert_timeout, isDummy: Boolean(data["dummy"]), result, error };
}

function readingsOf({ expressions }: Deps, source: string, context: Readonly<Record<string, unknown>>) {
  const read = (path: string): unknown => {
    try {
      return expressions.compile(path).evaluate(context);
    } catch {
      // A member of nothing: there is no reading to show.
      return undefined;
    }
  };
  try {
    return expressions.pathsOf(source).map((path) => ({ path, value: shownReading(read(path)) }));
  } catch {
    // A stored expression that a later version does not accept: the trial carries its error.
    return [];
  }
}

async function lastInvocation(
  tx: ReadTx,
  { alert, server, state }: { readonly alert: string; readonly server: string; readonly state: AlertState | undefined },
): Promise<Invocation | undefined> {
  const invocations = tx.collection(invocationCollection);
  if (state?.notified) return invocations.get(state.invocation);
  const where: SearchNode = {
    kind: "and",
    nodes: [
      { kind: "term", field: "alert", words: [alert] },
      { kind: "term", field: "server", words: [server] },
    ],
  };
  const { rows } = await invocations.find(where, { sortBy: "start", descending: true, limit: 1 });
  return rows[0];
}
