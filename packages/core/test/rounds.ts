const isWhole = process.env["SIGNALBOX_ROUNDS"] === "whole";

/**
 * Number of repetitions in a test: `few` in `npm test`, the smallest number that still finds its faults, and `whole` in `npm run
 * soak -- rounds`, which runs each file that imports this one (`SIGNALBOX_ROUNDS=whole` for a single file).
 */
export const rounds = (few: number, whole: number): number => (isWhole ? whole : few);
