import type { WebHookTargets } from "./web-hook-client.ts";

/** A connection; without `until` the connection itself is enough. */
export interface TcpProbe {
  readonly kind: "tcp";
  readonly host: string;
  readonly port: number;
  /** Text that is sent at once. */
  readonly send?: string | undefined;
  /** Text that is awaited in the first 4 KB. */
  readonly until?: string | undefined;
}

/** A connection with a certificate. */
export interface TlsProbe {
  readonly kind: "tls";
  readonly host: string;
  readonly port: number;
  /** Absent = the host. */
  readonly servername?: string | undefined;
  /** The protocol that goes over to TLS in the middle of a connection. */
  readonly starttls: "none" | "smtp" | "imap";
  /** The certificate must be trusted. */
  readonly verify: boolean;
}

/** A name. */
export interface DnsProbe {
  readonly kind: "dns";
  readonly name: string;
  readonly record: "A" | "AAAA" | "CNAME" | "MX" | "NS" | "TXT" | "SOA";
  /** Address or name of a server, with a port behind it or not; absent = the servers of the machine. */
  readonly resolver?: string | undefined;
}

export type Probe = (TcpProbe | TlsProbe | DnsProbe) & {
  readonly timeoutMs: number;
  readonly targets: WebHookTargets;
};

export interface ProbeAnswer {
  readonly elapsedMs: number;
  /** The address that was connected to, or the first that a name stands for. */
  readonly address?: string | undefined;
  /** Answer of the other side, as text of at most 4 KB. */
  readonly text?: string;
  /** Records of a name, as text. */
  readonly values?: readonly string[];
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}
