import type { WebHookTargets } from "./web-hook-client.ts";

/** Opens a TCP connection; without `until`, connecting is enough. */
export interface TcpProbe {
  readonly kind: "tcp";
  readonly host: string;
  readonly port: number;
  /** Text to send at once. */
  readonly send?: string | undefined;
  /** Text expected in the first 4 KB. */
  readonly until?: string | undefined;
}

/** Opens a TLS connection and reads the certificate. */
export interface TlsProbe {
  readonly kind: "tls";
  readonly host: string;
  readonly port: number;
  /** Absent = the host. */
  readonly servername?: string | undefined;
  /** The protocol that switches to TLS within a connection. */
  readonly starttls: "none" | "smtp" | "imap";
  /** Whether the certificate must be trusted. */
  readonly verify: boolean;
}

/** Looks up a DNS name. */
export interface DnsProbe {
  readonly kind: "dns";
  readonly name: string;
  readonly record: "A" | "AAAA" | "CNAME" | "MX" | "NS" | "TXT" | "SOA";
  /** Address or name of a DNS server, with an optional port; absent = the machine's own servers. */
  readonly resolver?: string | undefined;
}

export type Probe = (TcpProbe | TlsProbe | DnsProbe) & {
  readonly timeoutMs: number;
  readonly targets: WebHookTargets;
};

export interface ProbeAnswer {
  readonly elapsedMs: number;
  /** The address that was connected to, or the first that a name resolves to. */
  readonly address?: string | undefined;
  /** Answer of the peer, as text of at most 4 KB. */
  readonly text?: string;
  /** Records of a name, as text. */
  readonly values?: readonly string[];
  /** Unix seconds. */
  readonly certificateEnds?: number | undefined;
}
