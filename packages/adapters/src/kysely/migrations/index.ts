import type { Migration } from "kysely/migration";
import type { SqlDialect } from "../dialect.ts";
import { base } from "./0001-base.ts";
import { history } from "./0002-history.ts";
import { nodes } from "./0003-nodes.ts";
import { offices } from "./0004-offices.ts";
import { rates } from "./0005-rates.ts";
import { changes } from "./0006-changes.ts";
import { queued } from "./0007-queued.ts";

/** Numbered and never changed once released. Only for fixed tables and changes to the form of documents. */
export const migrations = (dialect: SqlDialect): Record<string, Migration> => ({
  "0001-base": base(dialect),
  "0002-history": history(dialect),
  // A database without schemas (SQLite) has only one process.
  ...(dialect.schema === undefined ? {} : { "0003-nodes": nodes(dialect) }),
  ...(dialect.schema === undefined ? {} : { "0004-offices": offices(dialect) }),
  ...(dialect.schema === undefined ? {} : { "0005-rates": rates(dialect) }),
  ...(dialect.schema === undefined ? {} : { "0006-changes": changes(dialect) }),
  "0007-queued": queued(dialect),
});
