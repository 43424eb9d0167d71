import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { InternalJobRow } from "../model.ts";

const KIND = "internal_jobs";
/** Characters of a report that are sent to other nodes: 50 jobs then stay below the bound of an answer. */
const MAX_TOLD_REPORT = 16_000;
/** Milliseconds after which another node's answer is too old to be shown. */
const OLD_MS = 5000;

/** Lists of internal jobs, oldest first. Each node keeps its own jobs in memory and asks the other nodes for theirs. */
export interface Listing {
  /** Starts to answer the other nodes. */
  begin(): void;
  /** The jobs that run on this node. */
  list(): readonly InternalJobRow[];
  /** The jobs that run on all nodes; a node that does not answer has none. */
  everywhere(): Promise<readonly InternalJobRow[]>;
  /** The same without waiting, for callers who poll every second: other nodes' jobs come from their last answers. */
  lately(): readonly InternalJobRow[];
  end(): void;
}

type Deps = Pick<Cradle, "bus" | "clock" | "log" | "nodes" | "storage">;

export function createListing(deps: Deps, list: Listing["list"]): Listing {
  const { bus, clock, log, nodes, storage } = deps;
  let answering: Disposable | undefined;
  let isAsking = false;
  let last: { readonly at: number; readonly rows: readonly InternalJobRow[] } | undefined;
  const askNode = async (node: string): Promise<readonly InternalJobRow[]> => {
    try {
      return z.array(InternalJobRow).parse(await bus.ask({ node, kind: KIND, body: {}, server: node }));
    } catch (error) {
      log.debug({ node, error }, "Internal jobs of another node could not be had");
      return [];
    }
  };
  const ask = async (): Promise<readonly InternalJobRow[]> => {
    const others = nodes.live().filter(({ id }) => id !== storage.coordination.nodeId);
    const rows = (await Promise.all(others.map(({ id }) => askNode(id)))).flat();
    last = { at: clock.monotonicMs(), rows };
    return rows;
  };
  const askAhead = async (): Promise<void> => {
    isAsking = true;
    await ask().finally(() => {
      isAsking = false;
    });
  };
  return {
    begin() {
      answering = bus.answer(KIND, async () => list().map(toldRow));
    },
    list,
    everywhere: async () => byAge([...(await ask()), ...list()]),
    lately() {
      if (!nodes.hasPeers()) return list();
      const others = last && clock.monotonicMs() - last.at <= OLD_MS ? last.rows : [];
      if (!isAsking) void askAhead();
      return byAge([...others, ...list()]);
    },
    end: () => answering?.[Symbol.dispose](),
  };
}

const byAge = (rows: readonly InternalJobRow[]): readonly InternalJobRow[] =>
  rows.toSorted((one, two) => one.started - two.started);

const toldRow = (row: InternalJobRow): InternalJobRow =>
  row.details === undefined ? row : { ...row, details: row.details.slice(0, MAX_TOLD_REPORT) };
