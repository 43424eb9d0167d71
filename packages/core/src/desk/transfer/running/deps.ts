import type { Cradle } from "../../../kernel/container.ts";
import type { TransferCradle } from "../../../kernel/plugins/transfer.ts";

/** Services of exports, imports and deletions: the ones that plugins ask for, and the engine's own. */
export type TransferDeps = TransferCradle &
  Pick<Cradle, "blobs" | "clock" | "config" | "definitions" | "events" | "handlers" | "log" | "registry">;
