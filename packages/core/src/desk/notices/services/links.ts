import { mayAccess } from "../../../directory/access/require-access.ts";
import { rightsWithRoles } from "../../../directory/access/rules/effective.ts";
import { roleRecords } from "../../../directory/roles/records.ts";
import type { User } from "../../../directory/users/model.ts";
import { userRecords } from "../../../directory/users/records.ts";
import { userKey } from "../../../directory/users/rules/account.ts";
import type { Invocation } from "../../../fleet/alerts/model.ts";
import { reachOf } from "../../../fleet/alerts/rules/definition/subjects.ts";
import { whoAcknowledged } from "../../../fleet/alerts/rules/telling/suppression.ts";
import { type Actor, anonymous, type Client } from "../../../kernel/calls/context.ts";
import { apiAddress } from "../../../kernel/config/api-address.ts";
import type { KeyedCradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { createCounts } from "../../../kernel/trials.ts";
import { callerNetwork } from "../../../lib/network/network.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, below, hasWord } from "../../../search/ast.ts";
import { noticeCollection, problemCollection } from "../collection.ts";
import type { Notice, Problem, Receiver } from "../model.ts";
import { type LinkClaims, linkToken, readLinkToken } from "../rules/links/token.ts";
import { type LinkVerdict, linkVerdict, typedName, UNKNOWN_LINK } from "../rules/links/verdict.ts";
import { firingsToTake } from "./problems/firings.ts";
import { receiverOf } from "./receivers/receiver-of.ts";

/** Input of the page's form. */
export interface Form {
  readonly name: string;
  readonly comment: string;
  /** Seconds; undefined = until the firings are over. */
  readonly duration?: number | undefined;
}

/** Content of a link's page. */
export interface Opened {
  readonly verdict: LinkVerdict;
  readonly firings: readonly Invocation[];
  readonly asksName: boolean;
}

/** Links in notices that acknowledge without a login (docs/contract/notices.md#acknowledgement-by-link). */
export interface NoticeLinks {
  /** The address of a link; undefined if the receiver gives no links or the notice names nothing to acknowledge. */
  urlOf(notice: Notice, receiver: Receiver, user: User | undefined): string | undefined;
  /** Reads the page of a link; changes nothing. */
  look(token: string, client: Client): Promise<Opened>;
  /** Acknowledges the live firings of a link. Idempotent: a second call has nothing left to do, and answers the same. */
  acknowledge(token: string, form: Form, client: Client): Promise<Opened>;
}

type Deps = Pick<
  KeyedCradle,
  "alerts" | "clock" | "config" | "definitions" | "previousSecretKeys" | "secretKey" | "snapshot" | "transact"
>;

const DAY_SEC = 86_400;
/** Maximum requests per minute from one address to one node. */
const PER_MINUTE = 30;
/** Types of receivers whose notices are visible only to their readers. */
const WAYS: ReadonlySet<Receiver["type"]> = new Set([
  ...(["user", "rota", "mail", "web_hook", "slack", "teams", "discord", "telegram", "ntfy", "matrix"] as const),
]);
const UNKNOWN: Opened = { verdict: UNKNOWN_LINK, firings: [], asksName: false };
const TOO_MANY: Opened = {
  verdict: { state: "spent", status: 429, text: "Too many requests. Please try again in a minute." },
  firings: [],
  asksName: false,
};

export function createNoticeLinks(deps: Deps): NoticeLinks {
  const count = createCounts(deps, PER_MINUTE);
  /** Asks for the keys on each call, as they may change. */
  const claimsOf = (token: string) => readLinkToken(token, [deps.secretKey, ...deps.previousSecretKeys]);
  const see = (claims: LinkClaims): Promise<Seen> => deps.snapshot((tx) => seen(tx, deps, claims));

  async function opened(token: string, { ip }: Client, act?: (claims: LinkClaims, seen: Seen) => Promise<Opened>) {
    if (ip !== "" && !count(callerNetwork(ip))) return TOO_MANY;
    const claims = claimsOf(token);
    if (!claims) return UNKNOWN;
    const found = await see(claims);
    return act && found.opened.verdict.state === "ask" ? act(claims, found) : found.opened;
  }

  return {
    urlOf({ kind, date, problem, receiver, ...named }, { type, ack_links }, user) {
      const isLost =
        kind === "cleared" || kind === "acknowledged" || [...named.new, ...named.repeated, ...named.still].length === 0;
      if (!WAYS.has(type) || !(ack_links ?? true) || isLost) return undefined;
      const expires = date + deps.config.notices.ack_link_days * DAY_SEC;
      const token = linkToken({ problem, receiver, date, user: user?.username ?? "", expires }, deps.secretKey);
      return apiAddress(deps.config, `ack/${token}`);
    },
    look: (token, client) => opened(token, client),
    acknowledge: (token, form, client) =>
      opened(token, client, (claims, { actor, problem }) =>
        deps.transact(
          async (unit) => {
            await unit.tx.lock(`notices:problem:${problem?.id}`);
            return takeOver(unit, deps, { claims, form });
          },
          { actor, client },
        ),
      ),
  };
}

interface Seen {
  readonly opened: Opened;
  readonly actor: Actor;
  readonly problem: Problem | undefined;
  /** Id of the receiver's last notice up to and including the one with the link. */
  readonly notice: string;
  /** Ids of the firings without an acknowledgement. */
  readonly untaken: readonly string[];
}

async function seen(tx: ReadTx, deps: Deps, claims: LinkClaims): Promise<Seen> {
  const { user, expires } = claims;
  const problem = await tx.collection(problemCollection).get(claims.problem);
  const notice = await lastNotice(tx, claims);
  const receiver = receiverOf(deps, claims.receiver);
  const actor = user === "" ? readerOf(claims, receiver) : userActor(user, deps);
  const named = problem && notice ? await liveOf(tx, notice, problem) : [];
  const firings = user === "" ? named : named.filter((each) => actor && mayAccess(actor, reachOf(each)));
  const untaken = firings.filter(({ acknowledged }) => !acknowledged).map((each) => each.id);
  const verdict = linkVerdict({
    now: deps.clock.now(),
    expires,
    isOpen: problem?.closed === null,
    isOffered: Boolean(receiver?.enabled) && Boolean(receiver?.ack_links ?? true),
    mayAct: user === "" || (mayAcknowledge(actor) && (firings.length > 0 || named.length === 0)),
    live: firings.length,
    taken: firings.length - untaken.length,
  });
  const opened = { verdict, firings, asksName: user === "" };
  return { opened, actor: actor ?? anonymous, problem, notice: notice?.id ?? "", untaken };
}

/**
 * The receiver's last notice of the problem, up to and including the one with the link. It names every firing that was reported
 * to the receiver, because a notice lists live firings beside its news.
 */
async function lastNotice(tx: ReadTx, { problem, receiver, date }: LinkClaims): Promise<Notice | undefined> {
  const where = allOf([hasWord("problem", problem), hasWord("receiver", receiver), below("date", date + 1)]);
  const page = { sortBy: "date", descending: true, limit: 1 };
  return (await tx.collection(noticeCollection).find(where, page)).rows[0];
}

const mayAcknowledge = (actor: Actor | undefined): boolean =>
  ["admin", "acknowledge_alerts"].some((privilege) => Object.hasOwn(actor?.privileges ?? {}, privilege));

/** An unknown reader of a receiver's notices: the receiver stands for whichever person it is. */
const readerOf = ({ receiver: id }: LinkClaims, receiver: Receiver | undefined): Actor => ({
  ...anonymous,
  id: `link:${id}`,
  title: receiver?.title ?? id,
});

function userActor(name: string, { definitions }: Pick<Deps, "definitions">): Actor | undefined {
  const user = definitions.get(userRecords, userKey(name));
  if (!user?.active) return undefined;
  const { username: id, full_name } = user;
  return { kind: "user", id, title: full_name || id, ...rightsWithRoles(user, definitions.all(roleRecords)) };
}

/** The live firings that a notice names. */
function liveOf(tx: ReadTx, notice: Notice, { members }: Problem): Promise<Invocation[]> {
  const named = new Set([...notice.new, ...notice.repeated, ...notice.still]);
  return firingsToTake(
    tx,
    members.filter(({ invocation }) => named.has(invocation)),
  );
}

/** Acknowledges, after checking again under the lock, since another reader may have been faster. */
async function takeOver(
  unit: Unit,
  deps: Deps,
  { claims, form }: { readonly claims: LinkClaims; readonly form: Form },
): Promise<Opened> {
  const { opened, actor, problem, notice, untaken } = await seen(unit.tx, deps, claims);
  if (!problem || opened.verdict.state !== "ask") return opened;
  const { receiver } = claims;
  const { comment, duration } = form;
  const name = claims.user === "" ? typedName(form.name) : "";
  const now = Math.floor(deps.clock.now());
  const expires = duration === undefined ? undefined : now + duration;
  const takeover = { username: actor.id, name, comment, notify_cleared: false, expires, link: receiver };
  for (const id of untaken) await deps.alerts.acknowledge(unit, id, takeover, now);
  const description = [whoAcknowledged(takeover), ...(comment === "" ? [] : [comment])].join(": ");
  const about = { problem: { id: problem.id, route: problem.route }, notice: { id: notice, receiver } };
  unit.audit("problem_acknowledge", { description, keywords: [problem.id, receiver], ...about });
  return (await seen(unit.tx, deps, claims)).opened;
}
