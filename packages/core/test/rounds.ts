const isWhole = process.env["SIGNALBOX_ROUNDS"] === "whole";

/**
 * How often a test repeats something: `few` in `npm test`, the smallest number with which it still finds what it is for, and
 * `whole` in `npm run soak -- rounds`, which runs each file that imports this one (`SIGNALBOX_ROUNDS=whole` for one of them).
 */
export const rounds = (few: number, whole: number): number => (isWhole ? whole : few);
