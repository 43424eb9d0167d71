import { userRecords } from "../../../../directory/users/records.ts";
import { publicUser, userKey } from "../../../../directory/users/rules/account.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Change } from "../../model.ts";
import { isOnPage } from "../../rules/page.ts";
import type { Numbered } from "../../rules/ring.ts";
import type { JobNews } from "../page-news.ts";
import type { Sendable } from "../streams/outbox.ts";
import type { Send, Subscriber } from "../streams/subscriber.ts";
import { checkSessions, type Group, type Grouping, sendable } from "./audiences.ts";
import { type Facts, loadFacts } from "./load.ts";
import { type Audience, type Command, createRenderer, type Renderer } from "./render.ts";
import type { Status } from "./status.ts";
import { tellPagesOf } from "./tell-pages.ts";

/** Sends changes to subscribers. Calls must not overlap. */
export interface Delivery {
  tell(changes: readonly Numbered[], to: Iterable<Subscriber>): Promise<void>;
  /** Sends everything, to subscribers who missed unknown changes. */
  tellAll(seq: number, to: Iterable<Subscriber>): Promise<void>;
  tellStatus(status: Status, seq: number, to: Iterable<Subscriber>): void;
  /** Sends the news of jobs to subscribers whose pages show these jobs. */
  tellPages(news: readonly JobNews[], to: Iterable<Subscriber>): void;
}

type Deps = Pick<
  Cradle,
  | "clock"
  | "definitions"
  | "jobs"
  | "loginBundle"
  | "pageFacts"
  | "references"
  | "servers"
  | "shownState"
  | "snapshot"
  | "storage"
>;

interface Means {
  readonly idOf: (seq: number) => string;
  readonly grouped: Grouping;
  readonly send: Send;
}

export function createDelivery(deps: Deps, { idOf, grouped, send }: Means): Delivery {
  const render = createRenderer(deps);
  const sendTo = (members: readonly Subscriber[], item: Sendable): void => {
    for (const member of members) send(member, item);
  };

  async function tellAll(seq: number, to: Iterable<Subscriber>): Promise<void> {
    for (const group of grouped(to))
      sendTo(group.members, sendable({ cmd: "update", data: await everythingFor(deps, group) }, idOf(seq)));
  }

  return {
    tellAll,
    async tell(changes, to) {
      const all = changes.map(({ change }) => change);
      await endSessions(deps, all, [...to]);
      const groups = grouped(to);
      const facts = await loadFacts(deps, all, pagesOf([...to]));
      for (const group of groups) await tellGroup({ render, send, idOf }, group, { changes, facts });
      for (const change of all) if (change.kind === "user") tellSelf(deps, change, groups, send);
      await tellAll(changes.at(-1)?.seq ?? 0, takeRenewed(groups));
    },
    tellStatus(status, seq, to) {
      for (const group of grouped(to))
        sendTo(group.members, sendable({ cmd: "status", data: status(group) }, idOf(seq)));
    },
    tellPages: (news, to) => {
      for (const group of grouped(to)) tellPagesOf(group, news, send);
    },
  };
}

/** Jobs whose pages subscribers look at. */
const pagesOf = (subscribers: readonly Subscriber[]): Set<string> => new Set(subscribers.flatMap(({ jobs }) => jobs));

function takeRenewed(groups: readonly Group[]): Subscriber[] {
  const renewed = groups.flatMap(({ members }) => members.filter(({ isRenewed }) => isRenewed));
  for (const subscriber of renewed) subscriber.isRenewed = false;
  return renewed;
}

async function endSessions(deps: Deps, changes: readonly Change[], to: readonly Subscriber[]): Promise<void> {
  const users = new Set(changes.flatMap((change) => (change.kind === "session" ? [change.user] : [])));
  if (users.size > 0)
    await checkSessions(
      deps,
      to.filter(({ opened }) => users.has(userKey(opened.id))),
    );
}

async function tellGroup(
  { render, send, idOf }: { render: Renderer; send: Send; idOf: (seq: number) => string },
  group: Group,
  { changes, facts }: { readonly changes: readonly Numbered[]; readonly facts: Facts },
): Promise<void> {
  for (const { seq, change } of changes) {
    const commands = await render(change, facts, group);
    const last = commands.at(-1);
    for (const command of commands) {
      const concerned = group.members.filter((member) => isFor(member, command));
      if (concerned.length === 0) continue;
      // Only the last command of a change carries the id: a client that is cut off earlier must get the whole change again.
      const item = sendable(command, command === last ? idOf(seq) : undefined);
      for (const member of concerned) send(member, item);
    }
  }
}

const isFor = ({ opened, pages }: Subscriber, { users, loc }: Command): boolean =>
  (users === undefined || (opened.kind === "user" && users.includes(opened.id))) &&
  (loc === undefined || pages.some((page) => isOnPage(page, loc)));

/** Sends callers the changes of their own account. */
function tellSelf(
  { definitions }: Deps,
  { id }: Extract<Change, { kind: "user" }>,
  groups: readonly Group[],
  send: Send,
): void {
  const user = definitions.get(userRecords, id);
  const isOwn = ({ opened }: Subscriber): boolean => opened.kind === "user" && userKey(opened.id) === id;
  const own = groups.flatMap(({ members }) => members.filter(isOwn));
  if (!user || own.length === 0) return;
  const item = sendable({ cmd: "self_update", data: { user: publicUser(user) } });
  for (const member of own) send(member, item);
}

async function everythingFor(deps: Deps, { actor }: Audience): Promise<Record<string, unknown>> {
  const lists = await deps.loginBundle.lists(actor);
  return { epoch: deps.clock.now(), ...lists, ...(await deps.pageFacts.atLogin(actor)) };
}
