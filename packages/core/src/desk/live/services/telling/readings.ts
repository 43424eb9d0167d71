import { mayAccess } from "../../../../directory/access/require-access.ts";
import { quickColumns } from "../../../../fleet/monitors/rules/readings/quick.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadingsPage } from "../../rules/page.ts";
import type { Send, Subscriber } from "../streams/subscriber.ts";
import { type Group, type Grouping, keepsUp, sendable } from "./audiences.ts";
import { page } from "./render.ts";

/** Sends the newest readings of groups to subscribers whose pages show them. */
export interface Readings {
  /** Does nothing while the readings of an earlier second are being sent. */
  tick(now: number): void;
  /** Waits until the current message is sent. */
  idle(): Promise<void>;
}

/** Milliseconds between two messages, minus the jitter of a loop that runs each second. */
const EVERY_MS = 1500;
/** Maximum pages to render for one message; the others are sent nothing and ask themselves. */
const MOST = 100;

/** Subscribers, and the means to reach them. */
export interface Audiences {
  readonly subscribers: ReadonlySet<Subscriber>;
  /** Groups subscribers by their current rights. */
  readonly grouped: Grouping;
  readonly send: Send;
}

type Deps = Pick<Cradle, "clock" | "log" | "monitors" | "servers">;

/** Runs outside the turns of changes, since other nodes can take long to answer. */
export function createReadings(deps: Deps, { subscribers, grouped, send }: Audiences): Readings {
  let underWay: Promise<void> | undefined;
  let toldMs = Number.NEGATIVE_INFINITY;

  async function tell(): Promise<void> {
    const looking = [...subscribers].filter(({ readings }) => readings.length > 0);
    const rings = await ringsFor(deps, looking);
    // Rights are evaluated after the answers of other nodes, which can take long.
    const tellings = grouped(looking.filter(({ outbox }) => !outbox.ended)).flatMap(tellingsOf);
    for (const telling of tellings.slice(0, MOST)) tellOne({ deps, rings, send }, telling);
  }
  return {
    tick() {
      const nowMs = deps.clock.monotonicMs();
      if (underWay || nowMs - toldMs < EVERY_MS || ![...subscribers].some(({ readings }) => readings.length > 0))
        return;
      toldMs = nowMs;
      underWay = tell()
        .catch((error: unknown) => deps.log.error({ error }, "Readings could not be told"))
        .finally(() => {
          underWay = undefined;
        });
    },
    idle: async () => underWay,
  };
}

type Rings = ReadonlyMap<string, Awaited<ReturnType<Cradle["monitors"]["quickEverywhere"]["read"]>>[number][1]>;

/** Samples of all servers in groups whose pages are open. */
async function ringsFor({ monitors, servers }: Deps, looking: readonly Subscriber[]): Promise<Rings> {
  const wanted = new Set(looking.flatMap(({ readings }) => readings.map(({ group }) => group)));
  const ids = servers.everywhere().flatMap(({ id, groups }) => (groups.some((group) => wanted.has(group)) ? [id] : []));
  return new Map(await monitors.quickEverywhere.read(ids));
}

/** A page with the members of one audience that look at it. */
interface Telling extends Pick<Group, "actor" | "members"> {
  readonly about: ReadingsPage;
}

function tellingsOf({ actor, members }: Group): Telling[] {
  const visits = members.flatMap((member) => member.readings.map((about) => ({ about, member })));
  return Array.from(Map.groupBy(visits, ({ about }) => about.loc).values(), (same) => ({
    actor,
    about: (same[0] as (typeof same)[number]).about,
    members: same.map(({ member }) => member),
  }));
}

interface Means {
  readonly deps: Deps;
  readonly rings: Rings;
  readonly send: Send;
}

function tellOne({ deps: { monitors, servers }, rings, send }: Means, { actor, about, members }: Telling): void {
  const { loc, group, monitors: wanted } = about;
  if (!mayAccess(actor, { group })) return;
  const seen = servers.everywhere().filter(({ groups }) => groups.includes(group));
  const own = seen.filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
  const columns = quickColumns(
    monitors.quickDefinitions(),
    own.map(({ id }) => [id, rings.get(id) ?? []]),
    wanted,
  );
  const item = sendable(page(loc, "quickmon_columns", columns));
  for (const member of members.filter(keepsUp)) send(member, item);
}
