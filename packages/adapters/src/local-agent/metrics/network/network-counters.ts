import { ratePerSec } from "../disks/disk-io.ts";
import { eachLabel, numbersAt } from "../read-host.ts";

/** Counters of one interface since it came up. */
export interface NetworkCounters {
  readonly rx_bytes: number;
  readonly rx_dropped: number;
  readonly rx_errors: number;
  readonly tx_bytes: number;
  readonly tx_dropped: number;
  readonly tx_errors: number;
}

export type NetworkTable = ReadonlyMap<string, NetworkCounters>;

/** Interfaces whose bytes also pass another interface, or never leave the machine. */
const INTERNAL = /^(lo|docker|br-|veth|virbr|vnet|ifb|cali|flannel|cni|dummy|bonding_masters|tunl|sit)/;

/** Parses `/proc/net/dev`, whose headings have no colon. */
export function parseNetworkTable(text: string): NetworkTable {
  const table = new Map<string, NetworkCounters>();
  eachLabel(text, (label, place) => {
    const [rx = 0, , rxErrors = 0, rxDropped = 0, , , , , tx = 0, , txErrors = 0, txDropped = 0] = numbersAt(
      text,
      place,
    );
    table.set(label.trim(), {
      rx_bytes: rx,
      rx_dropped: rxDropped,
      rx_errors: rxErrors,
      tx_bytes: tx,
      tx_dropped: txDropped,
      tx_errors: txErrors,
    });
  });
  return table;
}

/** Names of the interfaces that lead out of the machine. */
export function externalNames(table: NetworkTable): string[] {
  return [...table.keys()].filter((name) => !INTERNAL.test(name));
}

export function sumNetwork(table: NetworkTable, names: readonly string[]): NetworkCounters {
  const sum = { rx_bytes: 0, rx_dropped: 0, rx_errors: 0, tx_bytes: 0, tx_dropped: 0, tx_errors: 0 };
  for (const name of names) {
    const one = table.get(name);
    if (!one) continue;
    for (const key of Object.keys(sum) as (keyof NetworkCounters)[]) sum[key] += one[key];
  }
  return sum;
}

export interface NetworkRates extends NetworkCounters {
  readonly rx_sec: number | null;
  readonly tx_sec: number | null;
}

export function networkRates(now: NetworkCounters, before: NetworkCounters | undefined, ms: number): NetworkRates {
  const rx_sec = ratePerSec(now.rx_bytes, before?.rx_bytes, ms);
  return { ...now, rx_sec, tx_sec: ratePerSec(now.tx_bytes, before?.tx_bytes, ms) };
}

/** Name of the interface of the default route, from `/proc/net/route`. */
export function parseDefaultInterface(text: string): string | undefined {
  const rows = text.split("\n").map((line) => line.split(/\s+/));
  return rows.find(([, destination, , flags]) => destination === "00000000" && Number(`0x${flags}`) & 1)?.[0];
}
