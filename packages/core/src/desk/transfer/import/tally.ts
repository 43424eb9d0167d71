/** Faults that are named in the report. */
const MOST_FAULTS = 100;
/** Kinds of left out lines that are named. */
const MOST_KINDS = 50;

export interface Fault {
  readonly line: number;
  readonly reason: string;
}

/** Counts of an import so far. */
export interface Tally {
  /** Last line that was looked at, and the last one whose records are stored for certain. */
  read: number;
  line: number;
  faultCount: number;
  readonly faults: Fault[];
  /** Number of records taken in, by kind. */
  readonly taken: Map<string, number>;
  /** Number of records left out because they belong to nothing here, by kind. */
  readonly skipped: Map<string, number>;
  fault(line: number, reason: string): void;
  took(what: string, count?: number): void;
  skip(what: string): void;
}

export function createTally(): Tally {
  const count = (counts: Map<string, number>, what: string, by: number): void => {
    const name = counts.has(what) || counts.size < MOST_KINDS ? what : "others";
    counts.set(name, (counts.get(name) ?? 0) + by);
  };
  return {
    ...{ read: 0, line: 0, faultCount: 0, faults: [], taken: new Map(), skipped: new Map() },
    fault(line, reason) {
      this.faultCount += 1;
      if (this.faults.length < MOST_FAULTS) this.faults.push({ line, reason });
    },
    took(what, by = 1) {
      count(this.taken, what, by);
    },
    skip(what) {
      count(this.skipped, what, 1);
    },
  };
}
