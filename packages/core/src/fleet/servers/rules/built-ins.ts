import { isObject } from "../../../lib/json/is-object.ts";

/**
 * True when a server's agent has declared that it lacks the built-in plugin that a command names, as with
 * `docker-plugin: false` in its features. Agents that declare nothing have it.
 */
export function lacksBuiltIn(
  { info }: { readonly info: Readonly<Record<string, unknown>> },
  command: unknown,
): boolean {
  const name = typeof command === "string" ? /^\[([\w-]+)\]$/.exec(command)?.[1] : undefined;
  const { features } = info;
  return name !== undefined && isObject(features) && Object.hasOwn(features, name) && !features[name];
}
