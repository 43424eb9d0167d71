import { CALM, SAMPLED } from "./plan.ts";

/** 2027-01-15 08:00:00 UTC */
export const BEGIN = 1_800_000_000;
export const END = BEGIN + (SAMPLED + CALM + 1) * 60;

export const named = (cell: number, what: string, at: number): string => `c${cell}${what}${at}`;
export const clockText = (minute: number): string => new Date((BEGIN + minute * 60) * 1000).toISOString().slice(11, 16);
