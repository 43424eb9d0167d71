import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** Cost of a piece of work in SQLite. */
export interface Counted {
  /** Statements, including the begins and ends of transactions. */
  statements: number;
  /** Rows written, changed and deleted, including rows of indexes; the word index keeps its own. */
  rows: number;
  /** Bytes of the values of statements that write. */
  bytes: number;
  /** Commits that wrote something: each waits for the disk. */
  flushes: number;
}

export interface Counter extends Disposable {
  /** Statements since the start. */
  readonly count: number;
  /** Texts of all statements so far. */
  readonly texts: ReadonlySet<string>;
  /** Counts since the last call. */
  take(): Counted;
}

/** Matches statements that write; a claim of queued work starts with a `with` clause. */
const WRITES = /^\s*(?:with\b[\s\S]*?\)\s*)?(?:insert|update|delete)\b/i;

const bytesOf = (value: SQLInputValue): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return value === null ? 0 : 8;
};

type Values = SQLInputValue[];

/** Wraps a statement so that each run is noted with its values and its number of rows. */
function noted(statement: StatementSync, note: (values: Values, rows: number) => void): StatementSync {
  const run = statement.run.bind(statement) as (...values: Values) => { changes: number | bigint };
  const all = statement.all.bind(statement) as (...values: Values) => ReturnType<typeof statement.all>;
  statement.run = ((...values: Values) => {
    const result = run(...values);
    note(values, Number(result.changes));
    return result;
  }) as typeof statement.run;
  statement.all = ((...values: Values) => {
    const rows = all(...values);
    note(values, rows.length);
    return rows;
  }) as typeof statement.all;
  return statement;
}

/** Counts the statements of all connections of this process until disposed. Wraps the real driver and changes nothing else. */
export function countStatements(): Counter {
  const { prepare } = DatabaseSync.prototype;
  const none = (): Counted => ({ statements: 0, rows: 0, bytes: 0, flushes: 0 });
  let counted = none();
  let isChanged = false;
  let count = 0;
  const texts = new Set<string>();
  const note = (sql: string, values: readonly SQLInputValue[], rows: number): void => {
    count += 1;
    counted.statements += 1;
    if (sql === "commit" && isChanged) {
      counted.flushes += 1;
      isChanged = false;
    }
    if (!WRITES.test(sql)) return;
    isChanged ||= rows > 0;
    counted.rows += rows;
    for (const value of values) counted.bytes += bytesOf(value);
  };
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    texts.add(sql);
    return noted(prepare.call(this, sql, ...more), (values, rows) => note(sql, values, rows));
  };
  return {
    texts,
    get count() {
      return count;
    },
    take() {
      const taken = counted;
      counted = none();
      return taken;
    },
    [Symbol.dispose]() {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}
