import * as z from "zod";
import { largestUnit } from "../../alerts/rules/hook-data.ts";

/** 30 days (docs/contract/servers.md#watches). */
const MAX_DURATION = 2_592_000;

/** Seconds as digits or as a number. */
export const Duration = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,9}$/)])
  .transform(Number)
  .refine((seconds) => seconds <= MAX_DURATION);

/** Text such as "1 hour"; only the largest unit is named. */
export const durationText = (seconds: number): string =>
  seconds === 0 ? "0 seconds (disabled)" : largestUnit(seconds);
