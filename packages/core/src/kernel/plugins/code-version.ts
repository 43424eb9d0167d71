import { sha256Hex } from "../../lib/secrecy/hash.ts";
import type { Registry } from "../calls/registry.ts";
import type { HostEvent, Plugin } from "./plugin.ts";

const LENGTH = 12;

/**
 * The version of the program that launches a job or fires an alert: a hash of the host's events, with the source of their
 * functions, and of the names that its plugins declare. It does not cover code that those functions call, so a host that knows
 * its own release sets that instead.
 */
export function codeVersionOf({ hostEvents }: Pick<Registry, "hostEvents">, plugins: readonly Plugin[]): string {
  const definitions = { events: [...hostEvents.values()].map(eventText), plugins: plugins.map(pluginText) };
  return sha256Hex(JSON.stringify(definitions)).slice(0, LENGTH);
}

const eventText = ({ id, title, record, source, run }: HostEvent): unknown[] => [id, title, record, source ?? `${run}`];

const pluginText = ({ id, operations, workers, actionTypes, functions }: Plugin): unknown[] => [
  id,
  (operations ?? []).map(({ name }) => name),
  ...[workers, actionTypes, functions].map((parts) => Object.keys(parts ?? {})),
];
