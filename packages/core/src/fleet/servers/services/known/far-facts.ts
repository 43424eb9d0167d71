import * as z from "zod";
import type { Cradle } from "../../../../kernel/container.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Server } from "../../model.ts";
import { REFRESHED, refreshInfo } from "../../rules/joining/connect.ts";
import type { Fleet } from "./fleet.ts";

/**
 * Last minute's facts about servers of other nodes. Records are stored when a server connects or changes, so lists and
 * the choice of a server would use old readings; the server's own node has the readings of its last minute.
 */
export interface FarFacts {
  /** The server as its node last told of it. */
  refreshed(server: Server): Server;
  /** Asks the other nodes, where something was looked up since; meant for once in a while. */
  ask(): Promise<void>;
  /** From here on other nodes get answers. */
  begin(): void;
  end(): void;
}

const KIND = "server.facts";
/** Servers of one question: of a machine of 128 processors they take 12 KB, and an answer has a megabyte. */
const MAX_IDS = 64;
/** Time for which facts stay fresh after a look at a server of another node: long enough for hourly jobs. Seconds. */
const WANTED_SEC = 3900;

const Asked = object(() => ({ ids: z.array(z.string().max(1000)).max(MAX_IDS) }));
const Facts = z.record(z.string(), z.record(z.string(), z.unknown()));
type Info = Readonly<Record<string, unknown>>;
type Deps = Pick<Cradle, "bus" | "clock" | "jobs" | "log">;

export function createFarFacts(deps: Deps, fleet: Fleet): FarFacts {
  const { bus, clock } = deps;
  let known: ReadonlyMap<string, Info> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let answering: Disposable | undefined;
  return {
    refreshed(server) {
      lookedAt = clock.now();
      const facts = known.get(server.id);
      return facts ? { ...server, info: refreshInfo(server.info, facts) } : server;
    },
    async ask() {
      if (clock.now() - lookedAt > WANTED_SEC) return;
      const byNode = Map.groupBy(deps.jobs.places.elsewhere(), ({ id }) => deps.jobs.places.nodeOf(id) ?? "");
      byNode.delete("");
      const answers = await Promise.all(
        [...byNode].map(([node, servers]) =>
          askNode(
            deps,
            node,
            servers.map(({ id }) => id),
          ),
        ),
      );
      known = new Map([...stillThere(known, [...byNode.values()].flat()), ...answers.flat()]);
    },
    begin() {
      answering = bus.answer(KIND, async (body) => {
        const entries = Asked.parse(body).ids.flatMap((id) => fleet.entry(id) ?? []);
        return Object.fromEntries(entries.map(({ server }) => [server.id, factsOf(server.info)]));
      });
    },
    end: () => answering?.[Symbol.dispose](),
  };
}

/** A node that does not answer says nothing new of its servers, and servers that have gone are forgotten. */
const stillThere = (known: ReadonlyMap<string, Info>, servers: readonly Server[]): (readonly [string, Info])[] =>
  servers.flatMap(({ id }) => {
    const facts = known.get(id);
    return facts ? [[id, facts] as const] : [];
  });

/** One question after the other, in the background; a node that does not answer one is not asked further. */
async function askNode({ bus, log }: Deps, node: string, ids: readonly string[]): Promise<[string, Info][]> {
  const facts: [string, Info][] = [];
  for (let first = 0; first < ids.length; first += MAX_IDS) {
    const some = ids.slice(first, first + MAX_IDS);
    try {
      const answer = Facts.parse(await bus.ask({ node, kind: KIND, body: { ids: some }, server: some[0] ?? "" }));
      facts.push(...Object.entries(answer));
    } catch (error) {
      log.debug({ node, error }, "Another node did not tell of its servers");
      return facts;
    }
  }
  return facts;
}

const factsOf = (info: Info): Info =>
  Object.fromEntries(REFRESHED.flatMap((part) => (part in info ? [[part, info[part]]] : [])));
