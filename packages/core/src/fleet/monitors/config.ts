import * as z from "zod";
import { durationText } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

const quickMonitor = looseObject(() => ({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  type: z.enum(["integer", "float", "bytes", "seconds", "milliseconds"]),
  data_match: z.string().optional(),
  suffix: z.string().optional(),
  min_vert_scale: z.number().optional(),
  delta: z.boolean().optional(),
  delta_min_value: z.union([z.number(), z.literal(false)]).optional(),
  divide_by_delta: z.boolean().optional(),
}));
/** A reading that is taken every second. */
export type QuickMonitor = z.infer<typeof quickMonitor>;

const rate = (id: string, title: string, source: string) => ({
  id,
  title,
  source,
  type: "bytes" as const,
  suffix: "/sec",
  min_vert_scale: 1024,
  delta: true,
  delta_min_value: 0,
  divide_by_delta: true,
});

/** See docs/contract/monitors.md#quick-monitors. */
const DEFAULT_QUICK_MONITORS: QuickMonitor[] = [
  { id: "_qm_cpu_load", title: "CPU Load Average", source: "cpu.avgLoad", type: "float", min_vert_scale: 1 },
  {
    id: "_qm_cpu_usage",
    title: "CPU Usage %",
    source: "cpu.currentLoad",
    type: "float",
    suffix: "%",
    min_vert_scale: 100,
  },
  { id: "_qm_mem_used", title: "Memory in Use", source: "mem.used", type: "bytes" },
  { id: "_qm_mem_avail", title: "Memory Available", source: "mem.available", type: "bytes" },
  rate("_qm_disk_read_sec", "Disk Read (Bytes)", "fs.rx"),
  rate("_qm_disk_write_sec", "Disk Write (Bytes)", "fs.wx"),
  rate("_qm_net_in_sec", "Network In (Bytes)", "net.rx"),
  rate("_qm_net_out_sec", "Network Out (Bytes)", "net.tx"),
];

/** Members of the configuration (docs/contract/configuration.md#keys). */
export const monitorsConfig = {
  quick_monitors: z.array(quickMonitor).default(DEFAULT_QUICK_MONITORS).describe("Readings of every second."),
  quick_max: z.int().positive().max(3600).default(60).describe("Quick samples kept per server."),
  timeline_expiration: durationText().default("10 years").describe("Text duration that readings are kept."),
  minute_ring_bytes: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Bytes of full minutes that are kept in the blob store; 0 = none. Default: 200 MB, none without a blob store.",
    ),
  minute_ring_hours: z.number().positive().max(8784).default(48).describe("Hours that full minutes are kept."),
};
