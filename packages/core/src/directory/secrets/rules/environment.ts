import type { SecretTarget } from "../model.ts";

/** Members of a job that decide on its secrets. */
export interface SecretJob {
  /** The job's own event; of a workflow's step, that step's. */
  readonly event: string;
  readonly category?: string | undefined;
  readonly plugin?: string | undefined;
  /** The workflow that started the job, its direct parent only. */
  readonly workflow?: { readonly event: string; readonly category?: string | undefined } | undefined;
}

/** One place where secrets may be assigned: `vault.variables(...layer)`. */
export type SecretLayer = readonly [type: SecretTarget, id: string];

/**
 * Places that give a job its secrets, weakest first: the workflow's event, the job's own, the workflow's category, the
 * job's own, the plugin. Each place is named once, where it is strongest.
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
 * One variable of each name; a later layer, and inside a layer a later variable, wins. Names may be any text: names
 * that objects inherit are own members of the result like every other.
 *
 * @see docs/contract/secrets.md#lookup
 */
export function mergeEnvironment(layers: readonly (readonly Variable[])[]): Readonly<Record<string, string>> {
  const merged = new Map<string, string>();
  for (const layer of layers) for (const { name, value } of layer) merged.set(name, value);
  return Object.fromEntries(merged);
}
