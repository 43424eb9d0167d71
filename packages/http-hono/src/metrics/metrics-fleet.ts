import type { Figure, Sample } from "./metrics-text.ts";

/** Most readings in one answer: about half a megabyte of text. */
export const MAX_READINGS = 10_000;

/** Members of a connected server that its readings need. */
export interface Measured {
  readonly id: string;
  /** The node to which it is connected; absent if there is only one node. */
  readonly node?: string;
  readonly info?: { readonly monitors?: Readings; readonly deltas?: Readings };
}
type Readings = Readonly<Record<string, unknown>>;

/**
 * Readings of monitors from the last minute of each server of this node: other nodes know more about their own servers and report
 * them. Readings beyond the bound are counted, so that the gap is visible.
 */
export function fleetFigures(servers: readonly Measured[], own: string): Figure[] {
  const readings = servers.filter(({ node = own }) => node === own).flatMap(readingsOf);
  const left = Math.max(0, readings.length - MAX_READINGS);
  const help = "What a monitor read in the last minute of a server; of a counter, its change.";
  const none = "Readings that there was no room for.";
  return [
    { name: "signalbox_monitor", type: "gauge", help, samples: readings.slice(0, MAX_READINGS) },
    { name: "signalbox_monitor_readings_left_out", type: "gauge", help: none, samples: [{ value: left }] },
  ];
}

const readingsOf = ({ id: server, info: { monitors = {}, deltas = {} } = {} }: Measured): Sample[] =>
  Object.entries({ ...monitors, ...deltas }).flatMap(([monitor, value]) =>
    typeof value === "number" ? [{ labels: { server, monitor }, value }] : [],
  );
