import type { SecretTarget } from "../model.ts";

/** Members of a job that decide which secrets it gets. */
export interface SecretJob {
  /** The job's event; for a sub-job, the event that its graph node runs. */
  readonly event: string;
  readonly category?: string | undefined;
  readonly plugin?: string | undefined;
  /** The workflow that started the job; only the direct parent. */
  readonly workflow?: { readonly event: string; readonly category?: string | undefined } | undefined;
}

/** One place to which secrets may be assigned: `vault.variables(...layer)`. */
export type SecretLayer = readonly [type: SecretTarget, id: string];

/**
 * Places that give a job its secrets, weakest first: the workflow's event, the job's event, the workflow's category, the job's
 * category, the plugin. Each place is listed once, where it is strongest.
 *
 * @see docs/contract/secrets.md#order-for-a-job
 */
export function secretLayers({ event, category, plugin, workflow }: SecretJob): readonly SecretLayer[] {
  const layers: readonly [SecretTarget, string | undefined][] = [
    ["events", workflow?.event === event ? undefined : workflow?.event],
    ["events", event],
    ["categories", workflow?.category === category ? undefined : workflow?.category],
    ["categories", category],
    ["plugins", plugin],
  ];
  return layers.filter((layer): layer is [SecretTarget, string] => Boolean(layer[1]));
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * Merges variables to one per name: a later layer wins, and within a layer a later variable. Names may be any text: even names
 * that objects inherit become own members of the result.
 *
 * @see docs/contract/secrets.md#lookup
 */
export function mergeEnvironment(layers: readonly (readonly Variable[])[]): Readonly<Record<string, string>> {
  const merged = new Map<string, string>();
  for (const layer of layers) for (const { name, value } of layer) merged.set(name, value);
  return Object.fromEntries(merged);
}
