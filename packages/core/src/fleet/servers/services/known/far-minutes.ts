import * as z from "zod";
import type { Cradle } from "../../../../kernel/container.ts";
import type { HostRecord } from "../../model.ts";
import { togetherTold } from "../../rules/minutes/told-minutes.ts";
import type { Fleet } from "./fleet.ts";

/**
 * The last minutes of servers on other nodes, fetched when a caller reads them. Storing each (19 KB) would cost a fifth
 * of the whole cost of a minute.
 */
export interface FarMinutes {
  /** The last minutes of these servers, except where the node has none or did not answer within two seconds. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, HostRecord>>;
  /** Starts to answer other nodes. */
  begin(): void;
  end(): void;
}

const KIND = "server.latest";
/** Most servers per question. */
const MAX_IDS = 32;

const Asked = z.object({ ids: z.array(z.string().max(1000)).max(MAX_IDS) });
/** JSON texts of records; null = there is none that is short enough, absent = no room in this answer. */
const Told = z.record(z.string(), z.string().nullable());
type Deps = Pick<Cradle, "bus" | "jobs" | "log">;

export function createFarMinutes(deps: Deps, fleet: Fleet): FarMinutes {
  let answering: Disposable | undefined;
  return {
    async read(ids) {
      const byNode = Map.groupBy(ids, (id) => (fleet.entry(id) ? "" : (deps.jobs.places.nodeOf(id) ?? "")));
      byNode.delete("");
      return new Map((await Promise.all([...byNode].map(([node, some]) => askNode(deps, node, some)))).flat());
    },
    begin() {
      answering = deps.bus.answer(KIND, async (body) =>
        togetherTold(Asked.parse(body).ids.map((id) => [id, fleet.entry(id)?.latest?.get()])),
      );
    },
    end: () => answering?.[Symbol.dispose](),
  };
}

/** Asks one question after another, so that a node which does not answer is waited for only once. */
async function askNode({ bus, log }: Deps, node: string, ids: readonly string[]): Promise<[string, HostRecord][]> {
  const told: [string, HostRecord][] = [];
  try {
    for (let left = ids; left.length > 0; ) {
      const asked = left.slice(0, MAX_IDS);
      const answer = new Map(
        Object.entries(Told.parse(await bus.ask({ node, kind: KIND, body: { ids: asked }, server: asked[0] ?? "" }))),
      );
      for (const id of asked) {
        const text = answer.get(id);
        if (text) told.push([id, JSON.parse(text) as HostRecord]);
      }
      left = answer.size > 0 ? left.filter((id, index) => index >= MAX_IDS || !answer.has(id)) : [];
    }
  } catch (error) {
    log.debug({ node, error }, "Another node did not tell the minutes of its servers");
  }
  return told;
}
