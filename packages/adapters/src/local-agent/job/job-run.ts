import type { AgentTransportContext, BlobStore, Clock, KeptFile, ProcessRunner } from "@signalbox/core/adapter";
import type { createHttpSender } from "../../web-hook/fetch-client.ts";
import type { Environment } from "../environment.ts";
import type { HostMetrics } from "../host-metrics.ts";
import type { Facts } from "../metrics/host-facts.ts";
import type { JobRecord } from "./job-record.ts";

export type HttpSender = ReturnType<typeof createHttpSender>;

/** One running job, as the runners see it. */
export interface JobRun {
  readonly record: JobRecord;
  readonly details: Facts;
  readonly secrets: Facts;
  /** Aborted with an error whose message is the reason. */
  readonly signal: AbortSignal;
  /** Appends to the job's log. */
  log(text: string): void;
  /** Writes a milestone. */
  meta(text: string): void;
  /** Reports the job to the node soon, without waiting for the next second. */
  changed(): void;
  /** Ends the job, unless it has a code already. */
  finish(code: number | string, description: string): void;
  /** Set by runners that start a process: the root of the tree that is sampled each second. */
  pid: number | undefined;
  /** Set by runners that measure themselves: `cpu` is percent of one core since the last call, `mem` is bytes. */
  usage: (() => { readonly cpu: number; readonly mem: number | undefined }) | undefined;
  /** Files that the job stores outside its folder. */
  kept: readonly KeptFile[];
}

/** Does the work of a job. Resolves when it is over, also after a failure. */
export type JobRunner = (run: JobRun) => Promise<void>;

/** Tools that runners share. */
export interface JobTools {
  readonly clock: Clock;
  readonly context: AgentTransportContext;
  readonly processes: ProcessRunner;
  readonly blobs: BlobStore;
  readonly tempDir: string;
  readonly killTimeoutSec: number;
  readonly inherited: Environment;
  readonly jobEnv: Environment;
  readonly baseUrl: string | undefined;
  readonly metrics: HostMetrics;
  /** Sends the requests of `[http-plugin]`. */
  readonly http: HttpSender;
  /** Id that the node gave to this server. */
  readonly serverId: () => string;
  /** Script of an event plugin, as the node delivered it. */
  readonly pluginScript: (id: string) => string | undefined;
}
