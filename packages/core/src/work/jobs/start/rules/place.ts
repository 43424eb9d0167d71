import type { ServerPlace } from "../../model.ts";

interface Own {
  /** This node. */
  readonly node: string;
  /** The server's connection to this node, if there is one; `epoch` is absent until its place is stored. */
  readonly held: { readonly isLocal: boolean; readonly epoch: number | undefined } | undefined;
}

/**
 * Whether a server has connected to another node since it connected to this one. Never true for the agent inside this process,
 * although another node may have one with the same id. Nodes of the previous release store no epoch.
 */
export function isLaterElsewhere(
  { node, epoch = Number.POSITIVE_INFINITY }: ServerPlace,
  { node: own, held }: Own,
): boolean {
  if (node === own) return false;
  return held === undefined || (!held.isLocal && held.epoch !== undefined && epoch > held.epoch);
}
