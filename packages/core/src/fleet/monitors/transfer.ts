import type { Transfer } from "../../kernel/plugins/transfer.ts";
import { monitorCollection } from "./collection.ts";
import { Monitor, type System } from "./model.ts";
import { INTERVALS } from "./rules/timeline/timeline-merge.ts";
import { timelineReader } from "./services/timeline/timeline-reader.ts";

/** Two-minute points are aggregated from one-minute points when they are read. */
const DERIVED = "daily";

export const monitorTransfer: Transfer = {
  lists: { monitors: { collection: monitorCollection, shape: Monitor, sorted: true, definition: "monitor" } },
  series: {
    monitor_data: {
      item: "monitorData",
      index: "servers",
      resolutions: Object.fromEntries(
        Object.entries(INTERVALS).map(([system, seconds]) => [system, { seconds, derived: system === DERIVED }]),
      ),
      extent: (tx, server, system) => timelineReader(tx, server).extent(system as System),
      points: (tx, server, { resolution, from, to }) =>
        timelineReader(tx, server).points(resolution as System, from, to),
    },
  },
};
