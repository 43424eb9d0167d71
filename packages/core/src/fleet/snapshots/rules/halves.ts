import type { HeavyMembers, Snapshot, StoredSnapshot } from "../model.ts";

type Data = Readonly<Record<string, unknown>>;

const HEAVY: ReadonlySet<string> = new Set(["conns", "processes", "mounts", "commands"]);

/** Splits minute data into the members that lists show and the heavy ones (docs/contract/servers.md#halves). */
export function splitData(data: Data): { readonly light: Data; readonly heavy: Data } {
  const entries = Object.entries(data);
  return {
    light: Object.fromEntries(entries.filter(([name]) => !HEAVY.has(name))),
    heavy: Object.fromEntries(entries.filter(([name]) => HEAVY.has(name))),
  };
}

/** The snapshot without the members that are only for storing it. */
function withoutNotes(stored: StoredSnapshot): Snapshot {
  const { key: _key, parts: _parts, size: _size, lightSize: _light, ...members } = stored;
  return members as Snapshot;
}

/** A snapshot as lists show it. */
export function pruned(stored: StoredSnapshot): Snapshot {
  return { ...withoutNotes(stored), data: stored.data ?? {} };
}

/** Reassembles the whole snapshot from its halves. */
export function joined(stored: StoredSnapshot, parts: readonly HeavyMembers[]): Snapshot {
  const snapshot = withoutNotes(stored);
  if (stored.type === "server")
    return { ...snapshot, data: Object.assign({}, snapshot.data, ...parts.map(({ data }) => data)) };
  return {
    ...snapshot,
    group_def: { ...parts[0]?.group_def },
    servers: parts.flatMap(({ servers = [] }) => servers),
    snapshots: parts.flatMap(({ snapshots = [] }) => snapshots),
    quickmons: parts.flatMap(({ quickmons = [] }) => quickmons as Record<string, unknown>[][]),
  };
}
