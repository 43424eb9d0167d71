/** Most faults listed in the report. */
const MOST_FAULTS = 100;
/** Most kinds of skipped lines listed in the report. */
const MOST_KINDS = 50;

export interface Fault {
  readonly line: number;
  readonly reason: string;
}

/** Running counts of an import. */
export interface Tally {
  /** The last line that was read, and the last line whose records are certain to be stored. */
  read: number;
  line: number;
  faultCount: number;
  readonly faults: Fault[];
  /** Number of imported records, by kind. */
  readonly taken: Map<string, number>;
  /** Number of records skipped because nothing here corresponds to them, by kind. */
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
    read: 0,
    line: 0,
    faultCount: 0,
    faults: [],
    taken: new Map(),
    skipped: new Map(),
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
