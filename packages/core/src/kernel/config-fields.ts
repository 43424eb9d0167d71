import * as z from "zod";
import { requireQuick } from "../expressions/index.ts";
import { looseObject } from "../wire/objects.ts";

/** Settings of later parts stand in the schema, so that a wrong value is refused today. */
export const LATER = "Without effect in this version.";

/** A regular expression in a text that is quick for ordinary subjects. */
export const pattern = () => z.string().refine(isPattern, { error: "not a regular expression that matches quickly" });

function isPattern(text: string): boolean {
  try {
    requireQuick(text);
    return true;
  } catch {
    // The message of the engine would only say the same at length.
    return false;
  }
}

/** Kinds of addresses, addresses, blocks, host names, `*.` and a domain. */
export const targetList = z.array(z.string().regex(/^(?:\*\.)?[\w.:-]+(?:\/\d{1,3})?$/));

/** A section with the number of rows that the daily maintenance keeps. */
export const rows = (what: string, fallback = 100_000) =>
  looseObject(() => ({ max_rows: z.int().nonnegative().default(fallback).describe(what) })).prefault({});

/** Limits of uploaded files. */
export const uploads = (count: string) =>
  looseObject(() => ({
    [count]: z.int().nonnegative().default(100).describe("Files of one record."),
    max_file_size: z.int().nonnegative().default(1_073_741_824).describe("Bytes of one file."),
    accepted_file_types: z.string().default("").describe("Types or endings, separated by commas; empty = all."),
  })).prefault({});

/** An action in a list of the configuration. */
export const universalAction = looseObject(() => ({ enabled: z.boolean(), condition: z.string(), type: z.string() }));
