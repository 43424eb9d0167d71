import { FUNCTION_PLUGIN } from "../in-code.ts";
import type { Event } from "../model.ts";

const MAX_NAMED = 10;

/** A sentence about enabled events whose function this program lacks: each of their jobs would fail, if it has an agent. */
export function lostFunctionWarning(
  events: readonly Pick<Event, "id" | "enabled" | "plugin">[],
  hasFunction: (id: string) => boolean,
): string | undefined {
  const lost = events
    .filter(({ id, enabled, plugin }) => enabled && plugin === FUNCTION_PLUGIN && !hasFunction(id))
    .map(({ id }) => id);
  if (lost.length === 0) return undefined;
  const named = lost.slice(0, MAX_NAMED).join(", ");
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : "";
  return `Events are enabled whose function this program does not have: ${named}${more}. Give them to createSignalbox({ events }), or disable or delete them, unless this program has no agent and another node runs them.`;
}
