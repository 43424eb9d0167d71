export type {
  AdoptedSession,
  Outcome,
  SqlBackend,
  SqlDialect,
  SqlResult,
  SqlRow,
  SqlSession,
  SqlStatement,
  SqlText,
  TextCondition,
  TextIndex,
  Work,
} from "./dialect.ts";
export { isKyselyTransaction, kyselySession } from "./host-kysely.ts";
export { kyselyStorage, type SqlStorage } from "./kysely-storage.ts";
export { type IndexDifference, verifyIndexes } from "./verify-indexes.ts";
