import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { createFollowing, type Following } from "../../../kernel/nodes/following.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { pause } from "../../../kernel/running/loops.ts";
import { object } from "../../../wire/schemas/objects.ts";

/** One round of telling agents to upgrade. */
export interface UpgradeRound {
  /** Server ids. */
  readonly servers: readonly string[];
  /** Release to fetch; undefined = the configured one. */
  readonly release: string | undefined;
  readonly staggerSec: number;
}

/** How a round reports its progress. */
interface Progress {
  readonly signal: AbortSignal;
  progress(share: number): void;
}

/**
 * Tells agents one by one to upgrade, on whichever node they are connected. Follows the orders of other nodes, because an agent may
 * fetch its package from any node.
 */
export interface Upgrades extends Following {
  /** Rejects when the signal aborts it. */
  run(round: UpgradeRound, job: Progress): Promise<void>;
  /** Tells a server that is connected to this node; one that has moved is left to its new node. Never rejects. */
  tell(order: UpgradeOrder): Promise<void>;
  /** The release that a server was last told to fetch. */
  releaseFor(server: string): string | undefined;
}

const UpgradeOrder = object(() => ({ server: z.string(), release: z.string().optional() }));
type UpgradeOrder = z.infer<typeof UpgradeOrder>;

/** Kind of the queued work for the node that the server is connected to. */
export const UPGRADE_KIND = "satellites.upgrade";
/** Type of the message to other nodes. */
const ORDERED_MESSAGE = "satellites.upgrade";
/** Most remembered orders. Agents fetch their package when no job runs, which may be hours later. */
const MAX_REMEMBERED = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "servers" | "storage" | "transact">;

export function createUpgrades(deps: Deps): Upgrades {
  const { clock, log, storage } = deps;
  const releases = createReleasesTold();

  async function tell(order: UpgradeOrder): Promise<void> {
    const { server, release } = order;
    try {
      releases.remember(order);
      if (storage.coordination.shared) await publish(deps, order);
      const isGone =
        !deps.servers.send(server, { cmd: "upgrade", data: {} }) && !deps.servers.whereabouts(server).online;
      if (isGone) log.warn({ server }, "A server left before it was told to upgrade");
    } catch (error) {
      log.error({ server, release, error }, "A server could not be told to upgrade");
    }
  }

  return {
    async run({ servers, release, staggerSec }, { progress, signal }) {
      for (const [index, server] of servers.entries()) {
        if (index > 0) await pause(clock, staggerSec * 1000, signal);
        signal.throwIfAborted();
        await tell({ server, ...(release === undefined ? {} : { release }) });
        progress((index + 1) / servers.length);
      }
      log.info({ servers: servers.length, release }, "All servers were told to upgrade");
    },
    tell,
    releaseFor: releases.of,
    ...createFollowing(
      deps,
      ({ type, payload }) => {
        const order = type === ORDERED_MESSAGE ? UpgradeOrder.safeParse(payload) : undefined;
        if (order?.success) releases.remember(order.data);
      },
      // An agent whose order was missed fetches the configured release.
      () => undefined,
    ),
  };
}

/** Queued work of kind "satellites.upgrade". */
export const upgradeWorker: WorkHandler = (item, { satellites }) =>
  satellites.upgrades.tell(UpgradeOrder.parse(item.payload));

/** Publishes an order to all nodes, and queues it for the node that the server is connected to. */
async function publish({ servers, transact }: Deps, order: UpgradeOrder): Promise<void> {
  const { node } = servers.whereabouts(order.server);
  await transact(async ({ tx }) => {
    tx.publish({ type: ORDERED_MESSAGE, payload: order });
    if (node !== undefined && node !== servers.node)
      await tx.enqueue(UPGRADE_KIND, order, { node, key: `${order.server}@${node}` });
  });
}

function createReleasesTold() {
  const releases = new Map<string, string>();
  return {
    of: (server: string): string | undefined => releases.get(server),
    remember({ server, release }: UpgradeOrder): void {
      releases.delete(server);
      const [oldest] = releases.keys();
      if (releases.size >= MAX_REMEMBERED && oldest !== undefined) releases.delete(oldest);
      if (release !== undefined) releases.set(server, release);
    },
  };
}
