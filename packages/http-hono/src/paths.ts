import { type AnyOperation, operationKey } from "@signalbox/core/plugin";
import type { Engine } from "./options.ts";

/** The operation that a path below the API base names. */
export interface Target {
  /** Key in the registry; present for unknown operations too, for logs. */
  readonly key: string;
  /** "app/get_tag", as in errors. */
  readonly label: string;
  readonly operation: AnyOperation | undefined;
  /** Whether the path contained `/v<n>`, or the operation always counts as versioned: errors then have their own HTTP status. */
  readonly versioned: boolean;
  readonly pathSuffix: string;
}

/** Finds the target of a path below the API base; undefined = the path does not have the form of a call. */
export type FindTarget = (rest: string) => Target | undefined;

const VERSIONED = /\/v\d+(?:\/|$)/;

export const isVersioned = (rest: string): boolean => VERSIONED.test(`/${rest}`);

/**
 * The two usual forms of every operation are looked up as a whole; everything else (suffixes, odd cases) is parsed. The table is
 * as long as the registry, so a stream of odd paths cannot make it grow.
 */
export function createPathTable({ operations }: Pick<Engine, "operations">): FindTarget {
  const usual = new Map<string, Target>();
  for (const operation of operations.values()) {
    const label = `${operation.namespace}/${operation.name}`;
    const target = { key: operationKey(operation), label, operation, pathSuffix: "" };
    usual.set(label, { ...target, versioned: operation.ownStatus === true });
    usual.set(`${label}/v1`, { ...target, versioned: true });
  }
  return (rest) => usual.get(rest) ?? takeApart(rest, operations);
}

function takeApart(rest: string, operations: Engine["operations"]): Target | undefined {
  const slash = rest.indexOf("/");
  const namespace = rest
    .slice(0, Math.max(slash, 0))
    .toLowerCase()
    .replace(/[^\w/.-]/g, "");
  const [name = ""] = /^\w+/.exec(rest.slice(slash + 1)) ?? [];
  if (!namespace || !name) return undefined;
  const key = namespace === "app" ? name : `${namespace}/${name}`;
  const operation = namespace === "app" || namespace === "user" ? operations.get(key) : undefined;
  return {
    key,
    label: `${namespace}/${name}`,
    operation,
    versioned: operation?.ownStatus === true || isVersioned(rest),
    pathSuffix: rest
      .slice(slash + 1 + name.length)
      .replace(/^\/v\d+(?=\/|$)/, "")
      .replace(/^\//, ""),
  };
}
