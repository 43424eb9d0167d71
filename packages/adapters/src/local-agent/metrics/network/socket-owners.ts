import { firstNamesNow, inSlices, linkNow, nextTurn, readPids } from "../read-host.ts";

/** Most links of open files that are read for one sample; owners beyond it stay unknown. */
const MAX_LINKS = 5000;
/** Links that are read in one turn of the event loop, which takes half a millisecond. */
const SLICE = 250;
/** Inode of sockets that no process holds any more, such as sockets that wait for late packets. */
const NOBODYS = "0";

/** Process id by the inode of its socket; undefined or absent = none that this process may see. */
export type SocketOwners = (inodes: ReadonlySet<string>) => Promise<ReadonlyMap<string, string | undefined>>;

/** Reads process ids and the links of their open files. */
interface ProcessFiles {
  pids(): Promise<readonly string[]>;
  link(path: string): string | undefined;
}

/**
 * Finds the processes of sockets. That means reading the links of all open files of all processes: 3,600 on a machine with 120
 * processes. So it remembers an owner while that lives, and looks for a new socket first in processes that have sockets, then in
 * new processes; the search ends when the last new socket is found. On the way, it also looks for sockets that had no owner.
 */
export function createSocketOwners(files: ProcessFiles = { pids: readPids, link: linkNow }): SocketOwners {
  let known: ReadonlyMap<string, string | undefined> = new Map();
  let before: ReadonlySet<string> = new Set();
  return async (inodes) => {
    const wanted = [...inodes].filter((inode) => inode !== NOBODYS);
    const pids = wanted.length > 0 ? await files.pids() : [];
    const living = new Set(pids);
    const kept = new Map(wanted.filter((inode) => known.has(inode)).map((inode) => [inode, known.get(inode)]));
    for (const [inode, pid] of kept) if (pid !== undefined && !living.has(pid)) kept.delete(inode);
    if (kept.size === wanted.length) known = kept;
    else {
      const likely = likelyFirst(pids, new Set(kept.values()), before);
      const ownerless = new Set(wanted.filter((inode) => kept.get(inode) === undefined));
      const found = await search(likely, { ownerless, fresh: wanted.filter((inode) => !kept.has(inode)) }, files);
      known = new Map(wanted.map((inode) => [inode, kept.get(inode) ?? found.get(inode)]));
    }
    before = living;
    return known;
  };
}

function likelyFirst(
  pids: readonly string[],
  owners: ReadonlySet<string | undefined>,
  before: ReadonlySet<string>,
): readonly string[] {
  const rankOf = (pid: string): number => (owners.has(pid) ? 0 : before.has(pid) ? 2 : 1);
  return pids.toSorted((a, b) => rankOf(a) - rankOf(b));
}

interface Sought {
  readonly ownerless: ReadonlySet<string>;
  /** Inodes that the previous call did not have. */
  readonly fresh: readonly string[];
}

async function search(
  pids: readonly string[],
  { ownerless, fresh }: Sought,
  { link }: ProcessFiles,
): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  const missing = new Set(fresh);
  let budget = MAX_LINKS;
  let turn = SLICE;
  for (const pid of pids) {
    if (budget <= 0 || missing.size === 0) break;
    const folder = `/proc/${pid}/fd`;
    const files = firstNamesNow(folder, budget);
    budget -= files.length;
    for (const inode of await inSlices(files, SLICE, (file) => socketOf(link(`${folder}/${file}`)))) {
      if (ownerless.has(inode)) owners.set(inode, pid);
      missing.delete(inode);
    }
    turn -= files.length + 1;
    if (turn > 0) continue;
    turn = SLICE;
    await nextTurn();
  }
  return owners;
}

const socketOf = (link: string | undefined): string | undefined => /^socket:\[(\d+)\]$/.exec(link ?? "")?.[1];
