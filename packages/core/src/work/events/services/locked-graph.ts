import type { CommandContext } from "../../../kernel/calls/context.ts";
import type { Event } from "../model.ts";

type Context = Pick<CommandContext, "actor" | "services" | "tx">;

interface Kept {
  readonly event: Event;
  /** Sentences about members that were sent but are not used. */
  readonly warnings: readonly string[];
}

/** An event whose graph was sent, with the stored values of the locked parameters of its nodes. */
export async function keepLockedGraph(event: Event, stored: Event | undefined, context: Context): Promise<Kept> {
  const { actor, services, tx } = context;
  if (event.type !== "workflow") return { event, warnings: [] };
  const { graph, warnings } = await services.graphs.keepLocked({ actor, tx }, event["workflow"], stored);
  return { event: { ...event, workflow: graph }, warnings };
}
