// The part of Kysely that the storage packages need; the published package bundles it into this file
// (docs/decisions/repository.md).
export {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
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
  TextIndex,
  WordEntries,
  WordQuery,
  Work,
} from "./dialect.ts";
export { hostHandle } from "./host/host-handle.ts";
export { isKyselyTransaction, kyselySession } from "./host/host-kysely.ts";
export { type IndexDifference, verifyIndexes } from "./indexes/verify-indexes.ts";
export { kyselyStorage, type SqlStorage } from "./kysely-storage.ts";
export { limitTo } from "./statements.ts";
