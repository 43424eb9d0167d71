import { useMemo } from "preact/hooks";
import { type Loaded, useLoad } from "./calls/load.ts";
import { api } from "./calls/session.ts";
import { usePolling } from "./jobs/fresh-jobs.ts";

export type NodeEntry = Awaited<ReturnType<typeof api.getMasters>>["rows"][number];

/** Seconds between two requests: heartbeats of nodes come no faster, and each request reaches every node. */
const EVERY_SEC = 10;

/** The nodes of the installation, the answering one first; none while `isAsked` is false, which sends no request. */
export function useNodes(isAsked = true): Loaded<readonly NodeEntry[]> {
  const found = useLoad<readonly NodeEntry[]>(isAsked ? "nodes" : "no nodes", async (signal) =>
    isAsked ? (await api.getMasters({}, { signal })).rows : [],
  );
  usePolling(EVERY_SEC, found.reload);
  return found;
}

/** Names of nodes: the machine, with the end of the id where two nodes share a machine. */
export function nodeNames(nodes: readonly Pick<NodeEntry, "host" | "id">[]): ReadonlyMap<string, string> {
  const isShared = (host: string): boolean => nodes.filter((node) => node.host === host).length > 1;
  return new Map(nodes.map(({ id, host }) => [id, isShared(host) ? `${host} (${id.slice(-4)})` : host]));
}

/** Names of the nodes, by id; empty for a single node, because nobody needs to tell it apart. */
export function useNodeNames(isAsked = true): ReadonlyMap<string, string> {
  const nodes = useNodes(isAsked).data.value ?? [];
  return useMemo(() => (nodes.length > 1 ? nodeNames(nodes) : new Map()), [nodes]);
}
