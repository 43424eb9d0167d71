import type { Kept, Payload } from "../../model.ts";

/**
 * Most jobs that one step, which is one transaction, starts; also the size of a stored piece. With 25, one step in fourteen takes
 * over ten milliseconds; with ten, a job costs half as much again, because each transaction has a fixed cost.
 */
export const LAUNCHED_IN_A_STEP = 15;

/** Jobs of a split or a multiplexer: their number, and the input of each, stored in pieces for one step each. */
export type Portions =
  | {
      readonly count: number;
      /** Key under which the pieces are stored. */
      readonly pieces?: string;
      /** Members of the input that pieces replace. */
      readonly replaced?: readonly string[];
    }
  | { readonly aborts: string };

/** Key of the piece that holds the entry at an index. */
export const pieceKey = (key: string, after: number): string => `${key}/${Math.floor(after / LAUNCHED_IN_A_STEP)}`;

/** Splits a list into pieces; entries beyond `most` are dropped. */
export const inPieces = <T>(list: readonly T[], pieceOf: (part: readonly T[]) => Kept, most = list.length): Kept[] => {
  const end = Math.min(list.length, most);
  return Array.from({ length: Math.ceil(end / LAUNCHED_IN_A_STEP) }, (_, index) =>
    pieceOf(list.slice(index * LAUNCHED_IN_A_STEP, Math.min(end, (index + 1) * LAUNCHED_IN_A_STEP))),
  );
};

/**
 * Pieces of inputs for the jobs of a split. The workflow is aborted at the bound on jobs, so no more inputs are stored than that.
 */
export const inputPieces = (inputs: readonly Payload[], maxJobs: number): Kept[] =>
  inPieces(inputs, (part) => ({ inputs: part }), maxJobs + 1);

export const serverPieces = (servers: readonly string[], maxJobs: number): Kept[] =>
  inPieces(servers, (part) => ({ servers: part }), maxJobs + 1);
