import type { Cradle } from "../../kernel/container.ts";
import type { TransferCradle } from "../../kernel/transfer.ts";

/** Services of exports, imports and deletions: those that plugins ask for, and those of the engine itself. */
export type TransferDeps = TransferCradle &
  Pick<Cradle, "blobs" | "clock" | "config" | "definitions" | "events" | "log" | "registry">;
