import type { Cradle } from "../../kernel/container.ts";

/** HTTP traffic, counted by the transports. Bytes count bodies only. */
export interface Traffic {
  requests: number;
  bytesIn: number;
  bytesOut: number;
}

/** Counts the traffic of transports (docs/contract/administration.md#counters). */
export interface TrafficCounter {
  /** Traffic since the engine was made. */
  readonly total: Traffic;
  /** Adds the traffic since the last time to the counters of the day. */
  handOver(): void;
}

/** Transports are created before everything else in the engine, so `jobs` is read only when needed. */
export function createTraffic(deps: Pick<Cradle, "jobs">): TrafficCounter {
  const total: Traffic = { requests: 0, bytesIn: 0, bytesOut: 0 };
  let told = { ...total };
  return {
    total,
    handOver() {
      const { requests, bytesIn, bytesOut } = total;
      if (requests === told.requests && bytesOut === told.bytesOut) return;
      deps.jobs.stats.add({
        requests: requests - told.requests,
        bytes_in: bytesIn - told.bytesIn,
        bytes_out: bytesOut - told.bytesOut,
      });
      told = { ...total };
    },
  };
}
