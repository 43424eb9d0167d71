import type { NodeMessage } from "../../ports/nodes/coordination.ts";
import type { WorkHandler } from "../plugins/plugin.ts";
import type { Cradle } from "../plugins/services.ts";
import {
  DEFINITIONS_MESSAGE,
  EFFECTS_KIND,
  type Effects,
  publishEffects,
  refreshAll,
} from "../transactions/unit-of-work.ts";

type Deps = Pick<Cradle, "definitions" | "events" | "log">;

/** Rereads definitions that another node changed. */
export function messageHandler(deps: Deps): (message: NodeMessage) => void {
  const { definitions, events, log } = deps;
  return ({ type, payload }) => {
    if (type !== DEFINITIONS_MESSAGE) return;
    const { collection, ids } = payload as { collection: string; ids: readonly string[] };
    definitions.refresh(collection, ids).then(
      () => events.emit("definitions.changed", { collection, ids }),
      (error: unknown) => log.error({ collection, error }, "Changed definitions could not be read"),
    );
  };
}

/** Rereads all definitions after a gap in the messages of other nodes, and emits the changes that were never announced here. */
export async function readAgain({
  definitions,
  events,
  log,
  registry,
}: Deps & Pick<Cradle, "registry">): Promise<void> {
  try {
    publishEffects(events, { events: [], changes: await definitions.load(registry.collections) });
  } catch (error) {
    log.error({ error }, "Definitions could not be read");
  }
}

/** Rereads changed definitions whose read failed: otherwise this node would use the old ones for ever. */
export async function catchUp({ definitions, events, log }: Deps): Promise<void> {
  try {
    publishEffects(events, { events: [], changes: await definitions.catchUp() });
  } catch (error) {
    log.warn({ error }, "Changed definitions cannot be read yet; trying again");
  }
}

/** Publishes the effects of a host's transaction once its commit has made them visible. */
const releaseEffects: WorkHandler = async (item, { definitions, events, storage, transact }) => {
  const effects = item.payload as Effects;
  await refreshAll(definitions, effects.changes);
  publishEffects(events, effects);
  if (!storage.coordination.shared) return;
  await transact(async ({ tx }) => {
    for (const [collection, ids] of Object.entries(effects.changes))
      tx.publish({ type: DEFINITIONS_MESSAGE, payload: { collection, ids } });
  });
};

export const SYSTEM_WORKERS: Readonly<Record<string, WorkHandler>> = { [EFFECTS_KIND]: releaseEffects };
