import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { whenReleased } from "../../../kernel/transactions/unit-scope.ts";
import { hasPassed } from "../../../lib/time/has-passed.ts";
import { createBatches } from "../../../lib/turns/batches.ts";
import { object } from "../../../wire/schemas/objects.ts";
import type { StartChoice } from "../lifecycle/rules/transition.ts";
import type { ActiveJob } from "../model.ts";
import type { JobPlaces } from "./places.ts";
import { startLimitsOf } from "./rules/overlap.ts";
import { isCounted } from "./start-facts.ts";

/** Hands jobs over to the nodes that will start them. */
export interface Courier {
  /** Informs a node of a stored job. If that fails, queued work of that node starts the job. */
  bring(handed: Handed): void;
  stop(): void;
}

interface Handed {
  readonly id: string;
  readonly node: string;
  /** A server that is connected to that node. */
  readonly server: string;
}

const KIND = "jobs.start";
/** Most jobs in one message, as many as fit by their ids. */
const TOGETHER = 100;
/** Jobs that come shortly after a message share the next one, and so do answers. Milliseconds. */
const GATHER_MS = 10;
const ANSWER_MS = 50;
/** Seconds that a node has to start a job. */
const ROUTE_SEC = 10;

const StartQuestion = object(() => ({ ids: z.array(z.string()).max(TOGETHER) }));

type CourierDeps = Pick<Cradle, "bus" | "clock" | "log" | "transact">;

/** `start` is called with each job that another node hands over; it never rejects. */
export function createCourier(deps: CourierDeps, start: (id: string) => Promise<void>): Courier {
  const { bus, clock, log } = deps;
  const bring = async (node: string, handed: readonly Handed[]): Promise<void> => {
    const ids = handed.map(({ id }) => id);
    try {
      await bus.ask({ node, kind: KIND, body: { ids }, server: handed[0]?.server ?? "" });
    } catch {
      // The node may run the previous release, or its answer was lost. A job that has started meanwhile is not affected.
      await queueFor(deps, node, ids).catch((error: unknown) =>
        log.warn({ node, error }, "Jobs could not be handed over; they are looked at again"),
      );
    }
  };
  const add = createBatches<Handed>(
    async (batch) => {
      // Not awaited, so that a node that does not answer does not delay the others.
      for (const [node, handed] of Map.groupBy(batch, ({ node: to }) => to)) void bring(node, handed);
      await new Promise<void>((resolve) => void clock.after(GATHER_MS, resolve));
    },
    { size: TOGETHER, atOnce: 1 },
  );
  const together = createMoments(clock, ANSWER_MS);
  const answers = bus.answer(KIND, async (body) => {
    for (const id of StartQuestion.parse(body).ids) void start(id);
    // Only the timeout of the question waits for this answer; the node that asked continues meanwhile.
    await together();
    return {};
  });
  return { bring: add, stop: () => answers[Symbol.dispose]() };
}

/** Calls within the same milliseconds share one timer. */
function createMoments(clock: Cradle["clock"], ms: number): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () => {
    end ??= new Promise((resolve) => {
      clock.after(ms, () => {
        end = undefined;
        resolve();
      });
    });
    return end;
  };
}

const queueFor = ({ transact }: CourierDeps, node: string, ids: readonly string[]): Promise<void> =>
  transact(async ({ tx }) => {
    for (const id of ids) await queueStart(tx, { id, node });
  });

const queueStart = (tx: Unit["tx"], { id, node }: Pick<Handed, "id" | "node">): Promise<void> =>
  tx.enqueue("jobs.advance", { id }, { key: `${id}@${node}`, node });

interface Routing {
  readonly deps: Pick<Cradle, "nodes" | "servers" | "storage">;
  readonly places: () => JobPlaces;
  readonly courier: () => Courier;
}

/** True when another node was asked a moment ago to start the job, and its server is still connected there. */
export function isOnItsWay(
  { deps: { nodes, storage }, places }: Pick<Routing, "deps" | "places">,
  { job, routed }: ActiveJob,
): boolean {
  if (!routed || routed.node === storage.coordination.nodeId) return false;
  const isThere = job.server !== undefined && places().nodeOf(job.server) === routed.node;
  return isThere && !hasPassed(routed.at, ROUTE_SEC, nodes.nowMs() / 1000);
}

/** Asks the node of the chosen server to start the job. Undefined = the server is connected to this node, or to none. */
export async function handOver(
  { deps: { nodes, servers }, courier, places }: Routing,
  { tx }: Unit,
  { record, choice }: { readonly record: ActiveJob; readonly choice: StartChoice },
): Promise<ActiveJob | undefined> {
  if (choice.kind !== "chosen" || servers.get(choice.server.id)) return undefined;
  const node = places().nodeOf(choice.server.id);
  if (node === undefined) return undefined;
  const { id } = record;
  const handed = { id, node, server: choice.server.id };
  // A job with counting limits takes locks when it starts, so it does not share a transaction with others.
  const isAlone = isCounted(startLimitsOf(record.job));
  if (isAlone || !whenReleased(tx, () => courier().bring(handed))) await queueStart(tx, handed);
  const job = { ...record.job, server: choice.server.id, groups: [...choice.server.groups] };
  return { ...record, job, routed: { node, at: nodes.nowMs() / 1000 } };
}
