import { mayAccess } from "../../../../directory/access/require-access.ts";
import type { HostRecord, Server } from "../../../../fleet/servers/model.ts";
import { publicHostRecord } from "../../../../fleet/servers/rules/shown/public.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { MachinePage } from "../../rules/page.ts";
import type { Sendable } from "../streams/outbox.ts";
import type { Send, Subscriber } from "../streams/subscriber.ts";
import { type Group, keepsUp, sendable } from "./audiences.ts";
import type { Audiences, Readings } from "./readings.ts";
import { page } from "./render.ts";

/** Maximum servers per page; a client must ask for the others of a larger group. */
const MOST_SERVERS = 100;
/** Maximum records of minutes to read in one second; each has 20 KB. */
const MOST_MINUTES = 20;
/** Seconds from a minute until the next one is looked up, and between two lookups if that found nothing. */
const NEXT_MINUTE_SEC = 60;
const LATE_SEC = 2;

/** Times of the second and minute last sent to the pages of a server, in Unix seconds. */
interface Told {
  second: number;
  minute: number;
  /** Time of the next lookup of its minute. */
  look: number;
}

/** The newest second and minute of a server; each is undefined if it was already sent. */
interface News {
  readonly server: Server;
  readonly second: Readonly<Record<string, unknown>> | undefined;
  readonly minute: HostRecord | undefined;
}

type Deps = Pick<Cradle, "clock" | "log" | "monitors" | "servers" | "snapshot">;

export interface Machines extends Readings {
  /** True = no seconds of servers are kept for pages that have been closed. */
  isIdle(): boolean;
}

/**
 * Sends the seconds and minutes of servers to the pages of these servers and their groups, whichever node the servers are
 * connected to (docs/contract/live.md#pages).
 */
export function createMachines(deps: Deps, { subscribers, grouped, send }: Audiences): Machines {
  const { log, monitors } = deps;
  const told = new Map<string, Told>();
  let underWay: Promise<void> | undefined;

  async function tell(looking: readonly Subscriber[]): Promise<void> {
    const servers = serversOf(deps, looking);
    for (const id of told.keys()) if (!servers.has(id)) told.delete(id);
    monitors.quickEverywhere.follow(new Set(servers.keys()));
    const news = await newsOf(deps, servers, told);
    // Rights are evaluated after the answers of other nodes, which can take long.
    for (const group of grouped(looking.filter(({ outbox }) => !outbox.ended))) tellGroup(group, news, send);
  }
  return {
    tick() {
      const looking = [...subscribers].filter(({ machines }) => machines.length > 0);
      if (underWay || (looking.length === 0 && told.size === 0)) return;
      underWay = tell(looking)
        .catch((error: unknown) => log.error({ error }, "Seconds and minutes of servers could not be told"))
        .finally(() => {
          underWay = undefined;
        });
    },
    isIdle: () => told.size === 0,
    idle: async () => underWay,
  };
}

/** Connected servers whose pages are open. */
function serversOf({ servers }: Deps, looking: readonly Subscriber[]): ReadonlyMap<string, Server> {
  const everywhere = looking.length === 0 ? [] : servers.everywhere();
  const pages = new Map(looking.flatMap(({ machines }) => machines.map((about) => [about.loc, about] as const)));
  const found = [...pages.values()].flatMap((about) =>
    everywhere.filter((server) => isAbout(about, server)).slice(0, MOST_SERVERS),
  );
  return byId(found);
}

const isAbout = ({ list, id }: MachinePage, server: Server): boolean =>
  list === "Servers" ? server.id === id : server.groups.includes(id);

async function newsOf(deps: Deps, servers: ReadonlyMap<string, Server>, told: Map<string, Told>): Promise<News[]> {
  const { clock, monitors, snapshot } = deps;
  const { followed, read } = monitors.quickEverywhere;
  const now = clock.now();
  const due = [...servers.keys()].filter((id) => (told.get(id)?.look ?? 0) <= now).slice(0, MOST_MINUTES);
  const rings = new Map(await read([...servers.keys()]));
  const minutes = await snapshot((tx) => deps.servers.newestRecords(tx, due));
  const news: News[] = [];
  for (const [id, server] of servers) {
    const before = told.get(id);
    const last = before ?? { second: 0, minute: 0, look: 0 };
    told.set(id, last);
    const row = takeNewer(rings.get(id)?.at(-1), last, "second");
    const minute = takeNewer(minutes.get(id), last, "minute");
    if (due.includes(id)) last.look = minute ? minute.date + NEXT_MINUTE_SEC : now + LATE_SEC;
    // Nothing is sent for a new server: a page asks for its first readings itself.
    if (before) news.push({ server, minute, second: row && { id, row, data: followed(id) ?? {} } });
  }
  return news;
}

/** Answers a second or minute if it is newer than the last one, and records it as the last one. */
function takeNewer<T extends { readonly date: number }>(
  found: T | undefined,
  told: Told,
  what: "second" | "minute",
): T | undefined {
  if (!found || found.date <= told[what]) return undefined;
  told[what] = found.date;
  return found;
}

function tellGroup({ actor, members }: Group, news: readonly News[], send: Send): void {
  const visible = news.filter(({ server }) => mayAccess(actor, { serverGroups: server.groups }));
  for (const each of visible)
    for (const [loc, visitors] of visitorsOf(each.server, members)) {
      const free = [...visitors].filter(keepsUp);
      for (const item of itemsOf(actor, loc, each)) for (const member of free) send(member, item);
    }
}

/** The members that look at a server, by page. */
function visitorsOf(server: Server, members: readonly Subscriber[]): ReadonlyMap<string, ReadonlySet<Subscriber>> {
  const visitors = new Map<string, Set<Subscriber>>();
  for (const member of members)
    for (const { list, id } of member.machines.filter((about) => isAbout(about, server))) {
      const loc = `${list}?id=${id}`;
      visitors.set(loc, (visitors.get(loc) ?? new Set()).add(member));
    }
  return visitors;
}

function itemsOf(actor: Group["actor"], loc: string, { server, second, minute }: News): Sendable[] {
  const items: Sendable[] = [];
  if (second) items.push(sendable(page(loc, "quickmon", second)));
  if (minute) {
    const snapshot = publicHostRecord(actor, minute);
    items.push(sendable(page(loc, "snapshot", { id: server.id, snapshot })));
  }
  return items;
}
