import type { Cradle } from "../../kernel/container.ts";
import type { TransferCradle } from "../../kernel/transfer.ts";

/** What exports, imports and deletions take: the services that plugins ask for, and what the engine itself offers. */
export type TransferDeps = TransferCradle &
  Pick<Cradle, "blobs" | "clock" | "config" | "definitions" | "events" | "log" | "registry">;
