import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@signalbox/core";
import type { Term } from "@signalbox/core/storage";
import type { Carrier } from "../news/carrier.ts";
import type { Connections } from "../sessions/connections.ts";
import type { Desk } from "./desk.ts";
import type { Fences } from "./fences.ts";
import type { Leases } from "./lease.ts";

export type Hold = (term: Term) => Promise<void>;

export interface OfficesDeps {
  readonly connections: Connections;
  readonly carrier: Pick<Carrier, "polls">;
  readonly schema: string;
  readonly nodeId: string;
  readonly leases: Leases;
  readonly fences: Fences;
  readonly log: Logger;
  /** Tells the other nodes that an office is free. */
  readonly tell: (desk: Desk) => Promise<void>;
}

export interface Candidate extends OfficesDeps {
  readonly office: string;
  readonly formerly: readonly string[];
  readonly hold: Hold;
  /** Called with the node that leads, when this node learns of it or becomes it. */
  readonly see: (node: string | undefined) => void;
  /** Aborts when the candidate withdraws or the storage closes. */
  readonly withdrawn: AbortSignal;
}

/** Pauses; ends early when the signal aborts. */
export const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
