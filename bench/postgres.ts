import pg from "pg";
import { startPostgres } from "../packages/storage-pg/test/embedded-postgres.ts";

/** Gives addresses of new databases on a server of their own, which flushes every commit and ends with the stack. */
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
