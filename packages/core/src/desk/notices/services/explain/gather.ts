import type { Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { severityOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { checkIn, placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { firedAt } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { receiverCollection } from "../../collection.ts";
import type { NoticeHold } from "../../model.ts";
import { perHourOf } from "../../rules/delivery/rate.ts";
import type { Account } from "../../rules/texts/accounts.ts";
import { type Deps, type Matter, titleOf } from "./about.ts";
import { toldAccount } from "./sent.ts";

/** Account of a decision, from the stored records that it names. */
export async function accountOf(tx: ReadTx, deps: Deps, matter: Matter): Promise<Account> {
  const { verdict, by, receiver: id } = matter.decision;
  if (verdict === "told" || verdict === "failed") return toldAccount(tx, deps, matter);
  const receiver = titleOf(deps, id);
  if (!by) return { kind: "grouping", receiver, until: undefined };
  return verdict === "none" ? endAccount(by, receiver, matter) : heldAccount(tx, deps, { ...matter, by, receiver });
}

function endAccount(by: NoticeHold, receiver: string, matter: Matter): Account {
  switch (by.kind) {
    case "no_route":
      return unroutedAccount(by, receiver, matter);
    case "brief": {
      const { member, decision } = matter;
      const wasTold = Object.keys(member?.told ?? {}).length > 0;
      return { kind: "brief", receiver: wasTold ? receiver : "", at: member?.ended ?? decision.from, why: by.title };
    }
    default:
      return { kind: "endUntold", receiver, why: whyUntold(by) };
  }
}

function whyUntold({ kind, id, title }: NoticeHold): string {
  if (kind === "acknowledgement") return `${id} acknowledged it`;
  if (kind === "clear_none") return id === "action" ? "no action tells of it" : "the route tells of no ends";
  if (kind === "receiver") return "it is disabled, gone, or has nobody on duty";
  return title || kind;
}

function unroutedAccount({ id }: NoticeHold, receiver: string, { invocation, alert }: Matter): Account {
  if (id === "ends") return { kind: "endsAlone", receiver };
  if (receiver !== "") return { kind: "leftOut", receiver };
  const severity = alert ? severityOf(alert) : (invocation.severity ?? "warning");
  return { kind: "noRoute", severity, tags: alert?.tags ?? [] };
}

interface Held extends Matter {
  readonly by: NoticeHold;
  /** Title of the receiver. */
  readonly receiver: string;
}

async function heldAccount(tx: ReadTx, deps: Deps, held: Held): Promise<Account> {
  const { by, place, receiver, alert, invocation, now } = held;
  const { id, title, until } = by;
  switch (by.kind) {
    case "delay":
      return { kind: "delay", ago: now - firedAt(invocation), lasts: alert?.notice_after ?? 0 };
    case "flapping":
      return flappingAccount(held);
    case "dependency":
      return dependencyAccount(tx, deps, held);
    case "silence":
      return { kind: "silence", title, until, by: deps.silences.named(id)?.username ?? "" };
    case "job":
      return until === undefined ? { kind: "job", id, title, place } : { kind: "settlingJob", job: id, at: until };
    case "acknowledgement":
      return acknowledgementAccount(deps, held);
    case "rate": {
      if (id === "") return { kind: "rate", receiver: title, most: deps.config.notices.max_per_hour, until };
      const known = deps.definitions.get(receiverCollection, held.decision.receiver ?? "");
      return { kind: "rate", receiver, most: perHourOf(known, held.member?.severity ?? "warning"), until };
    }
    default:
      return plainAccount(held);
  }
}

/** Account of a hold that needs no further lookup. */
function plainAccount({ by: { kind, title, until }, member, place, receiver }: Held): Account {
  switch (kind) {
    case "snooze":
      return member?.ended === undefined ? { kind: "snooze", until } : { kind: "endWaits", receiver, until };
    case "inhibition":
      return { kind: "inhibition", title, place };
    case "hours":
      return member?.ended === undefined
        ? { kind: "hours", route: title, opens: until }
        : { kind: "endWaits", receiver, until };
    case "digest":
      return { kind: "digest", receiver, at: until };
    case "no_data":
      return { kind: "noData", place };
    case "no_route":
      return { kind: "offRoute", receiver };
    case "receiver":
      return { kind: "gone", receiver };
    default:
      return { kind: "grouping", receiver, until };
  }
}

function flappingAccount({ problem, alert, invocation }: Held): Account {
  const flapping = problem?.members.findLast((each) => each.flap && each.alert === invocation.alert);
  const told = Object.values(flapping?.told ?? {}).map(({ first }) => first);
  return {
    kind: "flapping",
    count: flapping?.flap?.count ?? 0,
    within: alert?.flap_window ?? 10_800,
    at: told.length > 0 ? Math.min(...told) : undefined,
    quiet: flapping?.flap?.quiet ?? 0,
  };
}

async function dependencyAccount(tx: ReadTx, deps: Deps, { by, place, invocation }: Held): Promise<Account> {
  const { id, title, until } = by;
  if (id === "")
    return { kind: "parent", on: parentsOf(deps, invocation) || place, wait: deps.config.notices.parent_wait };
  const parent = await tx.collection(invocationRecords).get(id);
  const named = parent
    ? { title: deps.alerts.definition(parent.alert)?.title ?? parent.alert, on: placeName(deps, parent) }
    : { title, on: "" };
  if (until === undefined) return { kind: "dependency", ...named, since: parent && firedAt(parent), place };
  return { kind: "settling", ...named, ended: parent?.modified, at: until };
}

/** Names of the parents of a server or check. */
function parentsOf({ alerts, checks, servers }: Deps, invocation: Invocation): string {
  const place = placeOf(invocation);
  const check = checkIn(place);
  const above = check === undefined ? servers.anywhere(place)?.depends_on : checks.parentsOf(check);
  return (above ?? []).map((each) => checks.titleOf(checkIn(each)) ?? nameOf({ alerts, servers }, each)).join(", ");
}

function nameOf({ alerts, servers }: Pick<Deps, "alerts" | "servers">, id: string): string {
  const server = servers.anywhere(id);
  return server ? alerts.serverName(server) : id;
}

/** Name of an invocation's subject. */
export const placeName = (deps: Pick<Deps, "alerts" | "servers">, { subject, server }: Invocation): string =>
  subject?.title ?? nameOf(deps, server);

function acknowledgementAccount(deps: Deps, { by, invocation, member, decision }: Held): Account {
  const { acknowledged } = invocation;
  const { username = "", name, link: receiver } = acknowledged ?? {};
  const link = receiver === undefined ? "" : titleOf(deps, receiver);
  const who = acknowledged ? (name ?? (username.startsWith("link:") ? "somebody" : username)) : by.id;
  const isTold = member?.told[decision.receiver ?? ""] !== undefined;
  return { kind: "acknowledgement", who, at: acknowledged?.date, link, comment: by.title, isTold };
}
