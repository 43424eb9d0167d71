import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { severityOf, weightOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { problemCollection } from "../../collection.ts";
import type { Member, Notice, Problem } from "../../model.ts";
import { flapOf, latestOf } from "../../rules/problem/facts.ts";
import { type Entry, listed } from "../../rules/texts/content.ts";
import { lateText, type Times, timesIn } from "../../rules/texts/words.ts";
import { placeNames } from "./place-names.ts";

type Deps = Pick<Cradle, "alerts" | "clock" | "config" | "snapshot">;

/** A firing that a notice names, with everything known about it. */
export type Found = Entry & {
  readonly found: Invocation;
  readonly def: Alert;
  /** The silence or snooze that held the firing, with its end. */
  readonly late?: string;
};

interface Entries {
  /** Entries in the order of the list. */
  readonly found: readonly Found[];
  /**
   * Ends of firings whose alert was deleted, on a route. Without them, nothing would close the incident that a service keeps for
   * each.
   */
  readonly gone: readonly Entry[];
  /** Unix seconds at which the receiver was first notified of anything in the problem. */
  readonly firstTold: number | undefined;
}

/** The firings that a notice names, as they are now. */
export async function entriesOf({ alerts, clock, config, snapshot }: Deps, notice: Notice): Promise<Entries> {
  const { problem, named, invocations, nameOf, lost } = await snapshot(async (tx) => {
    const problem = await tx.collection(problemCollection).get(notice.problem);
    const named = namedBy(notice, problem);
    const stored = await tx.collection(invocationRecords).getMany(named.map(({ invocation }) => invocation));
    const found = await alerts.present(tx, stored);
    const known = found.flatMap((each) => each ?? []);
    const lost = lostOf(alerts, problem, named);
    return { problem, named, invocations: found, lost, nameOf: await placeNames(tx, alerts, [...known, ...lost]) };
  });
  const baseUrl = config.base_app_url;
  const times = timesIn(config.tz, Math.floor(clock.now()));
  const entries = named.flatMap((each, at): Found[] => {
    const found = invocations[at];
    const def = found && alerts.definition(found.alert);
    if (!found || !def) return [];
    const link = `${baseUrl}/#Alerts?id=${found.id}`;
    return [foundEntry({ found, def, named: each }, { times, link, nice_server: nameOf(found) })];
  });
  const marks = problem?.members.flatMap(({ told }) => told[notice.receiver]?.first ?? []) ?? [];
  const firstTold = marks.length > 0 ? marks.reduce((a, b) => Math.min(a, b)) : undefined;
  const gone = lost.map((member) => goneEntry(member, { problem, nameOf, link: `${baseUrl}/#Alerts` }));
  return { found: listed(entries, weightOf) as Found[], gone, firstTold };
}

interface Firing extends Pick<Found, "found" | "def"> {
  readonly named: Named;
}

interface Shown extends Pick<Found, "link" | "nice_server"> {
  readonly times: Times;
}

const foundEntry = ({ found, def, named }: Firing, { times, link, nice_server }: Shown): Found => ({
  invocation: found.id,
  title: def.title,
  server: found.server,
  nice_server,
  group: found.groups[0],
  noun: found.subject?.type ?? "server",
  ...stateOf(found, named),
  message: messageWith(found, named, times),
  ...(named.late ? { late: lateText(named.late, times) } : {}),
  severity: severityOf(def, found.subject),
  since: found.date,
  link,
  found,
  def,
});

/**
 * Members whose end the notice reports although their alert is deleted. Targets of actions are deleted together with the alert.
 */
const lostOf = ({ definition }: Deps["alerts"], problem: Problem | undefined, named: readonly Named[]): Member[] =>
  problem === undefined || problem.title !== undefined
    ? []
    : named.flatMap(({ state, member }) => (state === "over" && member && !definition(member.alert) ? [member] : []));

interface Around {
  readonly problem: Problem | undefined;
  readonly nameOf: (about: { readonly server: string }) => string;
  readonly link: string;
}

function goneEntry({ alert, invocation, joined, server, severity }: Member, { problem, nameOf, link }: Around): Entry {
  const [id = "", noun = "server"] = server.split(":").toReversed();
  return {
    invocation,
    title: problem?.titles?.[alert] ?? alert,
    nice_server: noun === "server" ? nameOf({ server }) : id,
    server: noun === "server" ? server : "",
    noun,
    state: "over",
    ended_by: "was deleted",
    message: "it is not watched any more",
    severity,
    since: joined,
    link,
  };
}

/** Firings of a notice, by their state in the text. */
const listsOf = ({ new: fresh, repeated, over, still, brief = [], acknowledged }: Notice) => ({
  new: fresh,
  repeated,
  over: [...over, ...brief],
  still: [...(acknowledged?.invocations ?? []), ...still],
});

/** The message of a firing, with the count if it flaps and the end of a silence. */
function messageWith({ message }: Invocation, { flap, late }: Named, times: Times): string {
  const said = flap ? `fired ${flap.count} times: ${message}` : message;
  return late ? `${said} (${lateText(late, times)})` : said;
}

/** State that texts give to a firing that ended because its server fell silent. */
export const NO_DATA = "no data";

/** State of a firing in the notice; for an end without a sample also the cause. */
function stateOf({ active, ended_by, stale }: Invocation, { state, flap, returned }: Named) {
  if (state === "still" && !active && !flap) return { state: NO_DATA } as const;
  if (state !== "over") return { state };
  const silence = returned === undefined ? (stale ? NO_DATA : undefined) : "came back without it";
  const ending = ended_by ?? silence;
  return ending === undefined ? { state } : { state, ended_by: ending };
}

type Named = ReturnType<typeof namedBy>[number];

/** The firings that a notice names; if one flaps, its newest invocation. */
function namedBy(notice: Notice, problem: Problem | undefined) {
  const members = new Map(problem?.members.map((member) => [member.invocation, member]));
  const lists = Object.entries(listsOf(notice)) as [Entry["state"], string[]][];
  return lists.flatMap(([state, ids]) =>
    ids.map((id) => {
      const member = members.get(id);
      const flap = member && flapOf(member) !== undefined ? member.flap : undefined;
      const late = state === "new" ? member?.late : undefined;
      return { invocation: member ? latestOf(member) : id, member, state, flap, late, returned: member?.returned };
    }),
  );
}
