import type { Kept, Payload } from "../../model.ts";

/**
 * Jobs that are asked for in one step, which is one transaction; also the size of a kept piece. With twenty-five, one
 * step in fourteen takes over ten milliseconds; with ten, a job costs half as much again: a transaction has its price.
 */
export const LAUNCHED_IN_A_STEP = 15;

/** Jobs of a split or a multiplexer: their number, and the input of each, kept in pieces of one step. */
export type Portions =
  | {
      readonly count: number;
      /** Key that the pieces are kept under. */
      readonly pieces?: string;
      /** Members of the input that pieces replace. */
      readonly replaced?: readonly string[];
    }
  | { readonly aborts: string };

/** Key of the piece that holds the next entry, after so many of them. */
export const pieceKey = (key: string, after: number): string => `${key}/${Math.floor(after / LAUNCHED_IN_A_STEP)}`;

/** Pieces of a list of any length; entries beyond `most` are left out. */
export const inPieces = <T>(list: readonly T[], pieceOf: (part: readonly T[]) => Kept, most = list.length): Kept[] => {
  const end = Math.min(list.length, most);
  return Array.from({ length: Math.ceil(end / LAUNCHED_IN_A_STEP) }, (_, index) =>
    pieceOf(list.slice(index * LAUNCHED_IN_A_STEP, Math.min(end, (index + 1) * LAUNCHED_IN_A_STEP))),
  );
};

/** Inputs kept for the jobs of a split; beyond the bound on jobs the workflow ends, so no more need be kept. */
export const inputPieces = (inputs: readonly Payload[], maxJobs: number): Kept[] =>
  inPieces(inputs, (part) => ({ inputs: part }), maxJobs + 1);

export const serverPieces = (servers: readonly string[], maxJobs: number): Kept[] =>
  inPieces(servers, (part) => ({ servers: part }), maxJobs + 1);
