import { signal } from "@preact/signals";
import { now } from "../../texts/format.ts";
import { inTurns } from "../calls/in-turns.ts";
import { asError } from "../calls/load.ts";
import { api } from "../calls/session.ts";

/** When the clock next starts an event, in Unix seconds, and why nothing starts at present. */
export interface NextRun {
  readonly epoch?: number;
  readonly held: readonly string[];
}

interface Known extends NextRun {
  /** The event's state at that time; a changed event is asked for again. */
  readonly of: string;
}

export const nextRuns = signal<ReadonlyMap<string, Known>>(new Map());
/** Most events per refresh: each needs a request of its own. */
const MOST = 200;

interface Asked {
  readonly id: string;
  readonly modified?: number;
}

const isDue = ({ id, modified }: Asked, world: string): boolean => {
  const known = nextRuns.peek().get(id);
  return known?.of !== `${modified} ${world}` || (known.epoch ?? Number.POSITIVE_INFINITY) <= now.peek();
};

/** Shows a refusal as the reason of its event, so that one event does not fail the others. */
function refusal(reason: unknown) {
  const { code, description } = asError(reason);
  if (code === "network") throw reason;
  return { rows: [], reasons: [{ description }] };
}

/** Asks for the next runs of events that have changed or whose run is due. `world` names what else the runs depend on. */
export async function refreshNextRuns(events: readonly Asked[], world: string): Promise<void> {
  // Events beyond `MOST` follow with the next refresh.
  const due = events.filter((event) => isDue(event, world)).slice(0, MOST);
  await inTurns(due, async ({ id, modified }) => {
    const { rows, reasons } = await api.getUpcomingRuns({ id, limit: 1 }).catch(refusal);
    const [first] = rows;
    const held = reasons.map(({ description }) => description);
    const next = { of: `${modified} ${world}`, held, ...(first ? { epoch: first.epoch } : {}) };
    nextRuns.value = new Map(nextRuns.peek()).set(id, next);
  });
}
