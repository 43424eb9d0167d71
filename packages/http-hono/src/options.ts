import type { Signalbox } from "@signalbox/core";
import type { Clock, Logger, Random } from "@signalbox/core/adapter";
import type { HostUser } from "@signalbox/core/plugin";

/** Members of an engine that the router uses. */
export type Engine = Pick<
  Signalbox,
  | (
      | "admit"
      | "blobs"
      | "config"
      | "dispatch"
      | "events"
      | "fault"
      | "leadership"
      | "log"
      | "now"
      | "operations"
      | "privileges"
    )
  | "traffic"
>;

/** Objects that the host's server passes along with the request; `@hono/node-server` puts its message into `incoming`. */
export type HostEnv = unknown;

export interface RouterOptions {
  /** Path of the operations, below the mount point. Default "/api". */
  readonly apiBase?: string;
  /** Path of the liveness probe, below the mount point; false leaves the path to the host. Default "/health". */
  readonly healthPath?: string | false;
  /** Path of the traffic counters, below the mount point; false leaves the path to the host. Default "/server-status". */
  readonly statusPath?: string | false;
  /** Path of the Prometheus figures, below the mount point; false leaves the path to the host. Default "/metrics". */
  readonly metricsPath?: string | false;
  /**
   * Adds to `/metrics` the last minute's readings of all monitors on servers connected to this node, at most 10,000. Default
   * false.
   */
  readonly monitorMetrics?: boolean;
  /** Path of the readiness probe, below the mount point; false leaves the path to the host. Default "/ready". */
  readonly readyPath?: string | false;
  /** Who may read counters and figures: addresses, CIDR ranges, "loopback", "private". Default `["loopback"]`. */
  readonly statusFrom?: readonly string[];
  /** Path of stored files, below the mount point; false leaves the path to the host. Default "/files". */
  readonly filesPath?: string | false;
  /** Serves the OpenAPI document at `<apiBase>/openapi.json`, and a page for people at `<apiBase>/reference`. Default true. */
  readonly openapi?: boolean;
  /** "compat" answers every OPTIONS request, "host" passes them on. Default: `config.api.cors`. */
  readonly cors?: "compat" | "host";
  /** Compresses JSON answers of a kilobyte or more for callers that accept it. Default true; false leaves it to the host. */
  readonly compress?: boolean;
  /**
   * Lets the host name the user that it has signed in, who takes precedence over all credentials. Undefined = use the
   * credentials. The host is then responsible for protection against forged cross-site requests; only state-changing GETs with a
   * cookie are refused.
   */
  resolveUser?(request: Request, env: HostEnv): HostUser | undefined | Promise<HostUser | undefined>;
  /**
   * Address of the socket's other end. Default: the address that the servers of Node, Bun and Deno provide, or `remoteAddress` of
   * `env`.
   */
  clientAddress?(request: Request, env: HostEnv): string | undefined;
  /**
   * Receives refused calls (warn) with request id and caller, and failures of the transport (error). Default: the engine's log.
   */
  readonly log?: Logger;
  /** Measures how long event streams are not read. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Names temporary uploads. Default: the operating system's. */
  readonly random?: Random;
  /** Most files of one multipart request. Default 1000. */
  readonly maxFiles?: number;
  /** Most fields of one form. Default 1000. */
  readonly maxFields?: number;
}

export interface HandlerOptions extends RouterOptions {
  /** Mount path, if requests still contain it: "/ops". Default: none. */
  readonly basePath?: string;
}
