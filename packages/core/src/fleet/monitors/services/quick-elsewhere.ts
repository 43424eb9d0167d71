import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { object } from "../../../wire/schemas/objects.ts";
import type { QuickSample } from "../model.ts";

const KIND = "quick.ring";
/** Most servers per question, so that the answer stays within the size bound of answers. */
const MAX_IDS = 32;
const Asked = object(() => ({ ids: z.array(z.string().max(1000)).max(MAX_IDS) }));
const Rings = z.record(z.string(), z.array(object(() => ({ date: z.number() })).catchall(z.number())));

type RingsOf = Readonly<Record<string, readonly QuickSample[]>>;
type ReadRing = (server: string) => readonly QuickSample[];

/** Quick samples of servers on any node. */
export interface QuickEverywhere {
  /** Starts to answer other nodes. */
  begin(): void;
  /** Samples in the order of the ids; an empty list for a server without samples, or whose node does not answer. */
  read(ids: readonly string[]): Promise<readonly (readonly [string, readonly QuickSample[]])[]>;
  /** Keeps the newest second of these servers as it was sent; stops to do so for all others. */
  follow(servers: ReadonlySet<string>): void;
  /** The newest second of a followed server; undefined if it is connected to another node. */
  followed(server: string): Second | undefined;
  /** Records a second of a server that is connected to this node, and returns it. */
  keep(server: string, second: Second): Second;
  end(): void;
}

type Second = Readonly<Record<string, unknown>>;

/** The newest seconds of servers that somebody is watching. */
function createFollowed(): Pick<QuickEverywhere, "follow" | "followed" | "keep"> {
  let wanted: ReadonlySet<string> = new Set();
  const newest = new Map<string, Second>();
  return {
    follow(servers) {
      wanted = servers;
      for (const id of newest.keys()) if (!servers.has(id)) newest.delete(id);
    },
    followed: (server) => newest.get(server),
    keep(server, second) {
      if (wanted.has(server)) newest.set(server, second);
      return second;
    },
  };
}

export function createQuickEverywhere(
  deps: Pick<Cradle, "bus" | "log" | "servers">,
  ringOf: ReadRing,
): QuickEverywhere {
  const { bus, log } = deps;
  let answering: Disposable | undefined;
  const ask = async (node: string, ids: readonly string[]): Promise<RingsOf> => {
    try {
      return Rings.parse(await bus.ask({ node, kind: KIND, body: { ids }, server: ids[0] ?? "" }));
    } catch (error) {
      log.debug({ node, error }, "Quick readings of another node could not be had");
      return {};
    }
  };
  return {
    begin() {
      answering = bus.answer(KIND, async (body) =>
        Object.fromEntries(Asked.parse(body).ids.map((id) => [id, ringOf(id)])),
      );
    },
    async read(ids) {
      const answers = await Promise.all(questionsOf(deps, ids).map(([node, some]) => ask(node, some)));
      const elsewhere = new Map(answers.flatMap((rings) => Object.entries(rings)));
      return ids.map((id) => [id, elsewhere.get(id) ?? ringOf(id)] as const);
    },
    ...createFollowed(),
    end() {
      answering?.[Symbol.dispose]();
    },
  };
}

/** Splits servers into questions: which node to ask for which servers, a few at a time. */
function questionsOf({ servers }: Pick<Cradle, "servers">, ids: readonly string[]): [string, readonly string[]][] {
  const byNode = Map.groupBy(ids, (id) => servers.pinTo(id).node ?? servers.node);
  byNode.delete(servers.node);
  return [...byNode].flatMap(([node, all]) =>
    Array.from({ length: Math.ceil(all.length / MAX_IDS) }, (_, index): [string, readonly string[]] => [
      node,
      all.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
    ]),
  );
}
