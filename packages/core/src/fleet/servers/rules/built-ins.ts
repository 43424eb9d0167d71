import { isObject } from "../../../lib/json/is-object.ts";

/**
 * True when the agent of a server has said that it does not have the built-in plugin which a command names: its feature
 * `docker-plugin` is false. Agents that say nothing of it have it.
 */
export function lacksBuiltIn(
  { info }: { readonly info: Readonly<Record<string, unknown>> },
  command: unknown,
): boolean {
  const name = typeof command === "string" ? /^\[([\w-]+)\]$/.exec(command)?.[1] : undefined;
  const { features } = info;
  return name !== undefined && isObject(features) && Object.hasOwn(features, name) && !features[name];
}
