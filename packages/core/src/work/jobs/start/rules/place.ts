import type { ServerPlace } from "../../model.ts";

interface Own {
  /** This node. */
  readonly node: string;
  /** This node's own connection of the server, if there is one; `epoch` is absent until its place is stored. */
  readonly held: { readonly isLocal: boolean; readonly epoch: number | undefined } | undefined;
}

/**
 * Has a server come to another node since it came to this one? The agent inside this process goes nowhere, though another
 * node may have one of the same id. Nodes of the release before store no epoch.
 */
export function isLaterElsewhere(
  { node, epoch = Number.POSITIVE_INFINITY }: ServerPlace,
  { node: own, held }: Own,
): boolean {
  if (node === own) return false;
  return held === undefined || (!held.isLocal && held.epoch !== undefined && epoch > held.epoch);
}
