import pg from "pg";
import { startPostgres } from "../packages/storage-pg/test/embedded-postgres.ts";

/**
 * Returns a function that creates databases on a dedicated server and gives their addresses. The server flushes every commit and
 * ends with the stack.
 */
export async function openPostgres(stack: AsyncDisposableStack, prefix: string): Promise<() => Promise<string>> {
  const { url, stop } = await startPostgres({ fsync: true });
  stack.defer(stop);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  stack.defer(() => admin.end());
  let count = 0;
  return async () => {
    const name = `${prefix}_${++count}`;
    await admin.query(`create database ${name}`);
    return new URL(`/${name}`, url).href;
  };
}
