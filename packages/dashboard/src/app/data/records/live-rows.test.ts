import { expect, test } from "vitest";
import { createRows, type Row } from "./live-rows.ts";

const row = (id: string, title: string) => ({ id, title });

/** A list whose answers come when they are let go, as they were when they were asked for. */
function slowList(...given: readonly Row[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const list = createRows(() => promise.then(() => given));
  const asked = list.ask();
  const arrive = async (): Promise<readonly Row[] | undefined> => {
    resolve();
    await asked;
    return list.rows.value;
  };
  return { list, arrive };
}

test("what is told of a record while the list is on its way is newer than the list", async () => {
  const { list, arrive } = slowList(row("a", "old"), row("b", "gone soon"));
  list.put({ item: row("a", "new") });
  list.put({ item: row("b", "gone soon"), delete: true });
  list.put({ item: row("c", "made meanwhile") });
  expect(await arrive()).toEqual([row("a", "new"), row("c", "made meanwhile")]);
});

test("a whole list that is told while the list is on its way is newer than it", async () => {
  const { list, arrive } = slowList(row("a", "old"));
  list.take([row("a", "new")]);
  expect(await arrive()).toEqual([row("a", "new")]);
});
