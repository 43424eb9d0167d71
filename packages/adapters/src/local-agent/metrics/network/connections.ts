/** One TCP socket as in the sample; `inode` identifies its process. */
export interface Socket {
  readonly type: "tcp";
  readonly state: string;
  readonly local_addr: string;
  readonly remote_addr: string;
  readonly inode: string;
}

const STATES: Readonly<Record<string, string>> = {
  "01": "ESTABLISHED",
  "02": "SYN_SENT",
  "03": "SYN_RECV",
  "04": "FIN_WAIT1",
  "05": "FIN_WAIT2",
  "06": "TIME_WAIT",
  "07": "CLOSED",
  "08": "CLOSE_WAIT",
  "09": "LAST_ACK",
  "0A": "LISTEN",
  "0B": "CLOSING",
  "0C": "NEW_SYN_RECV",
};
const MAPPED = "0000000000000000FFFF0000";

/** A row: both ends, the state and, after queues, timers, user and timeout, the inode. */
const ROW = /^ *\d+: ([0-9A-F]{8,32}:[0-9A-F]{4}) ([0-9A-F]{8,32}:[0-9A-F]{4}) (\S+) \S+ \S+ \S+ +\d+ +\d+ (\d+)/;

/** Parses one row of `/proc/net/tcp` or `tcp6`; undefined for the heading. */
export function parseSocket(line: string): Socket | undefined {
  const [, local, remote, state = "", inode = "0"] = ROW.exec(line) ?? [];
  if (local === undefined || remote === undefined) return undefined;
  return {
    type: "tcp",
    state: STATES[state] ?? "UNKNOWN",
    local_addr: endpoint(local),
    remote_addr: endpoint(remote),
    inode,
  };
}

/** `0100007F:1F90` → `127.0.0.1:8080`; port 0 is `*`. The kernel prints 32-bit words in the machine's byte order. */
function endpoint(hex: string): string {
  const [address = "", port = ""] = hex.split(":");
  const number = Number.parseInt(port, 16);
  return `${hostOf(address)}:${number === 0 ? "*" : number}`;
}

function hostOf(hex: string): string {
  if (hex.length === 8) return ipv4(hex);
  if (hex.startsWith(MAPPED)) return ipv4(hex.slice(24));
  const words = hex.match(/.{8}/g) ?? [];
  const groups = words.flatMap((word) => {
    const bytes = word.match(/../g)?.reverse().join("") ?? "";
    return [bytes.slice(0, 4), bytes.slice(4)];
  });
  return `[${compressed(groups)}]`;
}

function ipv4(hex: string): string {
  const word = Number.parseInt(hex, 16);
  return `${word & 255}.${(word >>> 8) & 255}.${(word >>> 16) & 255}.${word >>> 24}`;
}

/** The usual short form of an IPv6 address, as the URL parser writes it. */
function compressed(groups: readonly string[]): string {
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
}
