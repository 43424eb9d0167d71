import * as z from "zod";
import { durationText } from "../../kernel/config/config-fields.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Member of `db_maint`. */
export const snapshotsRetention = {
  snapshots: looseObject(() => ({
    max_rows: z.int().nonnegative().default(100_000).describe("Newest snapshots that are kept."),
    max_age: durationText().optional().describe("Text duration that snapshots are kept; absent = any age."),
  })).prefault({}),
};
