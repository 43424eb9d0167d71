import * as z from "zod";
import type { Cradle } from "../../../../kernel/container.ts";
import { object } from "../../../../wire/schemas/objects.ts";
import type { Server } from "../../model.ts";
import { REFRESHED, refreshInfo } from "../../rules/joining/connect.ts";
import type { Fleet } from "./fleet.ts";

/**
 * Facts from the last minutes of servers on other nodes. Records are stored only when a server connects or changes, so
 * their readings are too old for lists and for choosing a server; the server's own node has current ones.
 */
export interface FarFacts {
  /** The server with the facts that its node last sent. */
  refreshed(server: Server): Server;
  /** Asks the other nodes if anything was looked up recently; call it from time to time. */
  ask(): Promise<void>;
  /** Starts to answer other nodes. */
  begin(): void;
  end(): void;
}

const KIND = "server.facts";
/** Most servers per question: with 128 processors each takes 12 KB, and an answer may have a megabyte. */
const MAX_IDS = 64;
/** Seconds for which facts are kept fresh after a lookup of a server on another node; long enough for hourly jobs. */
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

/** Keeps the known facts of a node that did not answer, except facts about servers that have left it. */
const stillThere = (known: ReadonlyMap<string, Info>, servers: readonly Server[]): (readonly [string, Info])[] =>
  servers.flatMap(({ id }) => {
    const facts = known.get(id);
    return facts ? [[id, facts] as const] : [];
  });

/** Asks one question after another, in the background; stops when the node does not answer one. */
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
