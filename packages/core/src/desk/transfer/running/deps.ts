import type { Cradle } from "../../../kernel/container.ts";
import type { TransferCradle } from "../../../kernel/plugins/transfer.ts";

/** Services that exports, imports and deletions use: the services that plugins need, and the engine's own. */
export type TransferDeps = TransferCradle &
  Pick<Cradle, "blobs" | "clock" | "config" | "definitions" | "events" | "handlers" | "log" | "registry">;
