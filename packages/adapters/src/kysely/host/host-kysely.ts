import { CompiledQuery, type Transaction } from "kysely";
import type { SqlSession, Tables } from "../dialect.ts";

/** Whether the handle is a transaction of the host's own Kysely. */
export function isKyselyTransaction(handle: unknown): handle is Transaction<Tables> {
  if (typeof handle !== "object" || handle === null) return false;
  const { isTransaction, executeQuery, withoutPlugins } = handle as Partial<Transaction<Tables>>;
  return isTransaction === true && typeof executeQuery === "function" && typeof withoutPlugins === "function";
}

/** Without the host's plugins, such as camel case, which would rename our columns. */
export function kyselySession(transaction: Transaction<Tables>): SqlSession {
  const plain = transaction.withoutPlugins();
  return {
    async run({ sql }, parameters) {
      const { rows, numAffectedRows } = await plain.executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(sql, [...parameters]),
      );
      return { rows, changes: Number(numAffectedRows ?? rows.length) };
    },
  };
}
