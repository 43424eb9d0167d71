import type { Invocation } from "../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../fleet/alerts/records.ts";
import { severityOf } from "../../../fleet/alerts/rules/severity.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { Member, NoticeHold, Problem } from "../model.ts";
import type { Sight } from "../rules/problem/facts.ts";

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "servers" | "state">;

export interface Seen {
  readonly members: readonly Member[];
  readonly sights: ReadonlyMap<string, Sight>;
}

/** What is known now about the firings of a problem. `isRouted`: its route stands still. */
export async function look(tx: ReadTx, deps: Deps, problem: Problem, isRouted: boolean): Promise<Seen> {
  const found = await tx.collection(invocationRecords).getMany(problem.members.map(({ invocation }) => invocation));
  const sights = new Map<string, Sight>();
  const members: Member[] = [];
  for (const [at, member] of problem.members.entries()) {
    const invocation = found[at];
    const seen = invocation ? await seenOf(tx, deps, { member, invocation, isRouted }) : undefined;
    if (seen) sights.set(member.invocation, seen.sight);
    members.push(seen?.member ?? member);
  }
  return { members, sights };
}

interface Asked {
  readonly member: Member;
  readonly invocation: Invocation;
  readonly isRouted: boolean;
}

const NO_ROUTE: NoticeHold = { kind: "no_route", id: "", title: "" };

async function seenOf(tx: ReadTx, deps: Deps, { member, invocation, isRouted }: Asked) {
  const alert = deps.alerts.definition(invocation.alert);
  const severity = alert ? severityOf(alert) : (invocation.severity ?? member.severity);
  if (invocation.active) {
    const hold = isRouted ? await deps.alerts.noticeHold(tx, invocation) : NO_ROUTE;
    return { member, sight: { severity, hold } };
  }
  const { acknowledged } = invocation;
  const endsUntold: NoticeHold | undefined =
    acknowledged && !acknowledged.notify_cleared
      ? { kind: "acknowledgement", id: acknowledged.username, title: acknowledged.comment }
      : undefined;
  const sight: Sight = { severity, ended: invocation.modified, endsUntold, endHold: snoozeOf(deps) };
  if (!invocation.stale || deps.config.alert_stale_actions) return { member, sight };
  return silent(tx, deps, { member, invocation, sight, samples: alert?.samples ?? 1 });
}

function snoozeOf({ clock, state }: Deps): NoticeHold | undefined {
  const until = state.get("alert_snooze");
  return typeof until === "number" && until > clock.now()
    ? { kind: "snooze", id: "alert_snooze", title: "Snooze", until }
    : undefined;
}

/** An end for want of data is a question for so long. Seconds. */
const QUESTION_SEC = 86_400;
const MINUTE = 60;

interface Silence {
  readonly member: Member;
  readonly invocation: Invocation;
  readonly sight: Sight;
  readonly samples: number;
}

/** Some minutes without a new firing answer it; a day without any data ends it without an answer. */
async function silent(tx: ReadTx, { clock, servers }: Deps, { member, invocation, sight, samples }: Silence) {
  const { modified, server } = invocation;
  const now = clock.now();
  const last = (await servers.hostRecord(tx, server))?.date ?? 0;
  const returned = member.returned ?? (last > modified ? last : undefined);
  const seen = returned === undefined ? member : { ...member, returned };
  if (returned !== undefined && last - returned >= (Math.max(samples, 3) - 1) * MINUTE)
    return { member: seen, sight: { ...sight, ended: Math.floor(returned) } };
  if (now - modified < QUESTION_SEC) return { member: seen, sight: { ...sight, isQuestion: true } };
  const untold: NoticeHold = { kind: "no_data", id: server, title: "ended without data" };
  return { member: seen, sight: { ...sight, endsUntold: untold } };
}
