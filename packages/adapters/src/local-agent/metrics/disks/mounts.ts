import { statfs } from "node:fs/promises";
import { floorTo2 } from "../read-host.ts";

export interface Mount {
  readonly fs: string;
  readonly type: string;
  readonly mount: string;
  readonly rw: boolean;
}

export interface MountUsage extends Mount {
  readonly size: number;
  readonly used: number;
  readonly available: number;
  /** Percent used of the space available to ordinary users. */
  readonly use: number;
}

const MAX_MOUNTS = 256;
const NETWORKED = /^(nfs4?|cifs|smb3|ceph|glusterfs|fuse\.(sshfs|s3fs|glusterfs|rclone)|9p|virtiofs)$/;
const POOLED = /^(zfs|btrfs|bcachefs)$/;
const READ_ONLY_IMAGES = /^(squashfs|iso9660)$/;

/** Parses `/proc/mounts`: file systems that hold data, without the mounts of containers over single files of `/etc`. */
export function parseMounts(text: string): Mount[] {
  const byPath = new Map<string, Mount>();
  for (const line of text.split("\n")) {
    const [source = "", path = "", type = "", options = ""] = line.split(" ");
    const mount = unescapePath(path);
    if (!holdsData(source, mount, type)) continue;
    // A later mount hides an earlier one at the same path.
    byPath.set(mount, { fs: unescapePath(source), type, mount, rw: options.split(",")[0] !== "ro" });
  }
  return [...byPath.values()].slice(0, MAX_MOUNTS);
}

function holdsData(source: string, mount: string, type: string): boolean {
  if (mount === "/") return type !== "rootfs";
  if (/^\/(etc\/(hosts|hostname|resolv\.conf)|proc|sys|dev)(\/|$)/.test(mount) || READ_ONLY_IMAGES.test(type))
    return false;
  return source.startsWith("/") || NETWORKED.test(type) || POOLED.test(type);
}

/** The table escapes blanks and similar characters in octal. */
function unescapePath(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** `/` → `root`, `/var/lib data` → `var_lib_data`. */
export function mountKey(mount: string): string {
  return mount.replace(/^\//, "").replaceAll(/\W+/g, "_") || "root";
}

/**
 * Measures file systems. One that does not answer, such as a lost network share, occupies a thread of the pool for an unbounded
 * time, so it is not asked again until it has answered, and `within` bounds how long a sample waits.
 */
export function createMountMeter(within: <T>(work: Promise<T>) => Promise<T | undefined>) {
  const pending = new Set<string>();
  const measure = async (mount: Mount): Promise<MountUsage | undefined> => {
    if (pending.has(mount.mount)) return undefined;
    pending.add(mount.mount);
    try {
      return usageOf(mount, await statfs(mount.mount));
    } catch {
      // Unmounted meanwhile, or not readable for this process.
      return undefined;
    } finally {
      pending.delete(mount.mount);
    }
  };
  return async (mounts: readonly Mount[]): Promise<Record<string, MountUsage>> => {
    const found = await Promise.all(mounts.map((mount) => within(measure(mount))));
    const measured = found.filter((usage) => usage !== undefined && usage.size > 0) as MountUsage[];
    return Object.fromEntries(measured.map((usage) => [mountKey(usage.mount), usage]));
  };
}

interface BlockCounts {
  readonly bsize: number;
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
}

export function usageOf(mount: Mount, { bsize, blocks, bfree, bavail }: BlockCounts): MountUsage {
  const used = (blocks - bfree) * bsize;
  const available = bavail * bsize;
  const use = used + available > 0 ? floorTo2((used / (used + available)) * 100) : 0;
  const { fs, type, mount: path, rw } = mount;
  return { fs, type, size: blocks * bsize, used, available, use, mount: path, rw };
}
