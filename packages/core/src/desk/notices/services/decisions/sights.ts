import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { severityOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { isByClock } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { answeringSec, QUESTION_SEC } from "../../../../fleet/alerts/rules/telling/no-data.ts";
import { whoAcknowledged } from "../../../../fleet/alerts/rules/telling/suppression.ts";
import { serverRecords } from "../../../../fleet/servers/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import type { Member, NoticeHold, Problem } from "../../model.ts";
import { flapOf, latestOf, type Sight } from "../../rules/problem/facts.ts";
import { settles } from "../../rules/problem/settling.ts";
import { lastChange } from "../problems/flapping.ts";

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "servers" | "state">;

export interface Seen {
  readonly members: readonly Member[];
  readonly sights: ReadonlyMap<string, Sight>;
}

/** How the route of its problem treats a firing now. */
export interface Routing {
  /** The route still exists, and matches the firing. */
  readonly isRouted: boolean;
  /** Whether only its end is reported. */
  readonly isQuiet?: boolean;
  /** Whether its end is reported; absent = the route decides. */
  readonly tellsEnd?: boolean;
}

/** Reads the current facts about the firings of a problem. */
export async function look(
  tx: ReadTx,
  deps: Deps,
  problem: Problem,
  routingOf: (invocation: Invocation) => Routing,
  /** Yields to other work; awaited after each firing, since there may be ten thousand. */
  breathe: () => Promise<void>,
): Promise<Seen> {
  const found = await tx.collection(invocationRecords).getMany(problem.members.map(latestOf));
  const sights = new Map<string, Sight>();
  const members: Member[] = [];
  for (const [at, member] of problem.members.entries()) {
    const invocation = found[at];
    const seen = invocation
      ? await seenOf(tx, deps, { member, invocation, routing: routingOf(invocation) })
      : undefined;
    if (seen) sights.set(member.invocation, seen.sight);
    members.push(seen?.member ?? member);
    await breathe();
  }
  return { members, sights };
}

interface Asked {
  readonly member: Member;
  readonly invocation: Invocation;
  readonly routing: Routing;
}

interface SeenOne {
  readonly member: Member;
  readonly sight: Sight;
}

interface About extends SeenOne {
  readonly invocation: Invocation;
  readonly samples: number;
  readonly routing: Routing;
}

const NO_ROUTE: NoticeHold = { kind: "no_route", id: "", title: "" };
const NO_END: NoticeHold = { kind: "clear_none", id: "action", title: "" };

async function seenOf(tx: ReadTx, deps: Deps, { member, invocation, routing }: Asked): Promise<SeenOne> {
  const { isRouted, isQuiet } = routing;
  const alert = deps.alerts.definition(invocation.alert);
  const severity = alert ? severityOf(alert, invocation.subject) : (invocation.severity ?? member.severity);
  // A firing whose alert is disabled, or that no route matches any more, cannot flap.
  const isFlapping = flapOf(member) !== undefined && isRouted && Boolean(alert?.enabled);
  const sight: Sight = { severity, isQuiet, ...(isFlapping ? { changed: lastChange(invocation) } : {}) };
  if (!invocation.active)
    return seenEnded(tx, deps, { member, invocation, sight, samples: alert?.samples ?? 1, routing });
  const holds = isRouted ? await deps.alerts.noticeHolds(tx, invocation) : [NO_ROUTE];
  const sampled = settles(member.hold) ? await sampledAt(tx, deps, { alert, invocation }) : undefined;
  const taker = invocation.acknowledged?.username;
  return { member, sight: { ...sight, ...holding(holds), taker, sampled } };
}

const holding = ([hold, ...also]: readonly NoticeHold[]): Pick<Sight, "hold" | "also"> => ({ hold, also });

/** Unix seconds of the last data about a firing. Alerts that run by the clock have data every minute. */
async function sampledAt(
  tx: ReadTx,
  { clock, servers }: Deps,
  { alert, invocation }: { readonly alert: Alert | undefined; readonly invocation: Invocation },
): Promise<number> {
  const { server } = invocation;
  if (server === "" || (alert && isByClock(alert))) return clock.now();
  return (await servers.lastMinuteAt(tx, server)) ?? 0;
}

/** Facts about an ended firing. If it flaps, holds apply although it is not live at the moment. */
async function seenEnded(tx: ReadTx, deps: Deps, about: About): Promise<SeenOne> {
  const { member, invocation, routing } = about;
  const { acknowledged, modified, stale } = invocation;
  const endsUntold: NoticeHold | undefined =
    acknowledged && !acknowledged.notify_cleared
      ? { kind: "acknowledgement", id: whoAcknowledged(acknowledged), title: acknowledged.comment }
      : routing.tellsEnd === false
        ? NO_END
        : undefined;
  const isFlapping = about.sight.changed !== undefined;
  const holds = isFlapping ? await deps.alerts.noticeHolds(tx, invocation) : [];
  const sight: Sight = { ...about.sight, ended: modified, ...holding(holds), endsUntold, endHold: snoozeOf(deps) };
  if (await isServerGone(tx, invocation)) return { member, sight: { ...sight, endsUntold: untold(invocation) } };
  if (!stale || deps.config.alert_stale_actions) return { member, sight };
  return silent(tx, deps, { ...about, sight });
}

function snoozeOf({ clock, state }: Deps): NoticeHold | undefined {
  const until = state.get("alert_snooze");
  return typeof until === "number" && until > clock.now()
    ? { kind: "snooze", id: "alert_snooze", title: "Snooze", until }
    : undefined;
}

/**
 * Facts about an end for missing data, which leaves open whether the firing is over. Some minutes of data without a new firing
 * answer that; after a day without any data it is dropped unanswered.
 */
async function silent(
  tx: ReadTx,
  { clock, servers }: Deps,
  { member, invocation, sight, samples }: About,
): Promise<SeenOne> {
  const { modified, server } = invocation;
  const now = clock.now();
  const last = (await servers.lastMinuteAt(tx, server)) ?? 0;
  const returned = member.returned ?? (last > modified ? last : undefined);
  const seen = returned === undefined ? member : { ...member, returned };
  if (returned !== undefined && last - returned >= answeringSec(samples))
    return { member: seen, sight: { ...sight, ended: Math.floor(returned) } };
  if (now - modified < QUESTION_SEC) return { member: seen, sight: { ...sight, isQuestion: true } };
  return { member: seen, sight: { ...sight, endsUntold: untold(invocation) } };
}

const untold = ({ server }: Invocation): NoticeHold => ({ kind: "no_data", id: server, title: "ended without data" });

/** Whether the server was deleted, so that it will never be known whether the firing is over. */
const isServerGone = async (tx: ReadTx, { server, ended_by }: Invocation): Promise<boolean> =>
  server !== "" && ended_by === undefined && !(await tx.collection(serverRecords).get(server));
