import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { SqliteDatabase, SqliteStatement } from "kysely";

export interface BetterSqliteLike extends SqliteDatabase {
  readonly name: string;
  readonly inTransaction: boolean;
  /** Number of runs per statement. */
  readonly counts: ReadonlyMap<string, number>;
}

interface Behaviour {
  /** What `pragma synchronous` answers instead of the value that was set. */
  readonly synchronous?: number;
  /** Called before each statement of every connection; throws errors of SQLite. */
  readonly interfere?: (sql: string, database: DatabaseSync) => void;
}

/** A real database behind the interface of better-sqlite3, which has to be compiled and is not installed here. */
export function betterSqliteLike(filename: string, behaviour: Behaviour = {}): BetterSqliteLike {
  const database = new DatabaseSync(filename);
  const counts = new Map<string, number>();
  const wrap = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    const count = (): void => {
      counts.set(sql, (counts.get(sql) ?? 0) + 1);
      behaviour.interfere?.(sql, database);
    };
    const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
    return {
      reader: statement.columns().length > 0,
      all(parameters) {
        count();
        if (sql === "pragma synchronous" && behaviour.synchronous !== undefined) return [behaviour];
        return statement.all(...bind(parameters));
      },
      run(parameters) {
        count();
        return statement.run(...bind(parameters));
      },
      iterate: (parameters) => statement.iterate(...bind(parameters)) as IterableIterator<unknown>,
    };
  };
  return {
    name: filename,
    counts,
    get inTransaction() {
      return database.isTransaction;
    },
    prepare: wrap,
    close: () => database.close(),
    // The storage opens further better-sqlite3 handles through the constructor of the given one.
    ...{
      constructor: function open(this: unknown, file: string) {
        return betterSqliteLike(file, behaviour);
      },
    },
  };
}
