import * as z from "zod";
import { createExpressions, requireQuick, templateFault } from "../../expressions/index.ts";
import { isDurationText } from "../../lib/time/duration.ts";
import { isSizeText } from "../../lib/time/readable.ts";
import { actionFault } from "../../wire/entries/action-shape.ts";
import { limitFault } from "../../wire/entries/limit-shape.ts";
import { looseObject } from "../../wire/schemas/objects.ts";

/** Marks settings of planned features. They are in the schema so that a wrong value is refused today. */
export const LATER = "Without effect in this version.";

/** A regular expression as text that matches ordinary subjects quickly. */
export const pattern = () => z.string().refine(isPattern, { error: "not a regular expression that matches quickly" });

function isPattern(text: string): boolean {
  try {
    requireQuick(text);
    return true;
  } catch {
    // The JavaScript engine's message says the same at greater length.
    return false;
  }
}

/** A text with macros, in one or several parts. A wrong macro would otherwise only show in the message that uses it. */
export const template = (partsOf: (text: string) => readonly string[] = (text) => [text]) =>
  z.string().superRefine((text, context) => {
    // Functions of the host are looked up when a macro is used, so bare expressions suffice here.
    const expressions = createExpressions();
    for (const part of partsOf(text)) {
      const fault = templateFault(part, expressions);
      if (fault !== undefined) context.addIssue({ code: "custom", message: `not a text with macros: ${fault}` });
    }
  });

/** A duration as text. A wrong one would keep things for ever, or not at all. */
export const durationText = () =>
  z.string().refine(isDurationText, { error: "not a duration such as `30 days`; months are not known" });

/** A number of bytes, or a text such as `1 MB`. */
export const sizeText = () =>
  z.union([z.number().nonnegative(), z.string().refine(isSizeText, { error: "not a size such as `1 MB`" })]);

/** A web address. */
export const webAddress = () => z.url({ protocol: /^https?$/, error: "not an address with http:// or https://" });

/** A web address to which paths are added; slashes at its end are removed. */
export const baseAddress = () => webAddress().overwrite((address) => address.replace(/\/+$/, ""));

/** Network targets: kinds of addresses, addresses, blocks, host names, and `*.` with a domain. */
export const targetList = z.array(z.string().regex(/^(?:\*\.)?[\w.:-]+(?:\/\d{1,3})?$/));

/** A section with the number of rows that daily maintenance keeps. */
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

/** Checks entries by the rules for stored ones: otherwise an error would only show when a job runs. */
const eachEntry =
  (noun: string, faultOf: (entry: unknown) => string | undefined) =>
  (entries: readonly unknown[], context: z.RefinementCtx): void => {
    for (const [index, entry] of entries.entries()) {
      const fault = faultOf(entry);
      const message = `Malformed ${noun} entry #${index + 1}${fault}`;
      if (fault !== undefined) context.addIssue({ code: "custom", message });
    }
  };

/** Actions that the configuration adds. Types from plugins are not known yet, so any type is accepted. */
export const universalActions = () =>
  z.array(universalAction).superRefine(eachEntry("action", (action) => actionFault(action, { anyType: true })));

/**
 * Limits that the configuration adds. A queue limit alone is allowed, for events that have their own limit on the number of jobs.
 */
export const universalLimits = () => z.array(universalLimit).superRefine(eachEntry("limit", limitFault));
