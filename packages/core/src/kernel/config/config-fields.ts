import * as z from "zod";
import { createExpressions, requireQuick, templateFault } from "../../expressions/index.ts";
import { isDurationText } from "../../lib/time/duration.ts";
import { isSizeText } from "../../lib/time/readable.ts";
import { actionFault } from "../../wire/entries/action-shape.ts";
import { limitFault } from "../../wire/entries/limit-shape.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

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

/** A text with macros, of one part or several: a wrong macro would show with the message alone that it is for. */
export const template = (partsOf: (text: string) => readonly string[] = (text) => [text]) =>
  z.string().superRefine((text, context) => {
    // Functions of the host are looked up when a macro is used, so the expressions of no engine are needed.
    const expressions = createExpressions();
    for (const part of partsOf(text)) {
      const fault = templateFault(part, expressions);
      if (fault !== undefined) context.addIssue({ code: "custom", message: `not a text with macros: ${fault}` });
    }
  });

/** A text duration. A wrong one would keep things for ever, or for no time at all. */
export const durationText = () =>
  z.string().refine(isDurationText, { error: "not a duration such as `30 days`; months are not known" });

/** A number of bytes, or a text such as `1 MB`. */
export const sizeText = () =>
  z.union([z.number().nonnegative(), z.string().refine(isSizeText, { error: "not a size such as `1 MB`" })]);

/** An address of the web. */
export const webAddress = () => z.url({ protocol: /^https?$/, error: "not an address with http:// or https://" });

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

const universalAction = looseObject(() => ({ enabled: z.boolean(), condition: z.string(), type: z.string() }));
const universalLimit = looseObject(() => ({ enabled: z.boolean(), type: z.string() }));

/** Checks entries by the rules of stored ones: a fault would show with every job alone. */
const eachEntry =
  (noun: string, faultOf: (entry: unknown) => string | undefined) =>
  (entries: readonly unknown[], context: z.RefinementCtx): void => {
    for (const [index, entry] of entries.entries()) {
      const fault = faultOf(entry);
      const message = `Malformed ${noun} entry #${index + 1}${fault}`;
      if (fault !== undefined) context.addIssue({ code: "custom", message });
    }
  };

/** Actions that the configuration adds. Types of plugins are not known yet. */
export const universalActions = () =>
  z.array(universalAction).superRefine(eachEntry("action", (action) => actionFault(action, { anyType: true })));

/** Limits likewise. A queue alone is for events that bring the number of their jobs. */
export const universalLimits = () => z.array(universalLimit).superRefine(eachEntry("limit", limitFault));
