import { afterAll } from "vitest";

/**
 * One engine for all cases of a table, opened by the first of them: starting one costs more than a call. For cases that change
 * nothing, such as refusals. Call it where the table stands.
 */
export function shared<Opened extends AsyncDisposable>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
    opened = undefined;
  });
  return () => {
    opened ??= open();
    return opened;
  };
}
