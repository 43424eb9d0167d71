import { SignalboxError } from "@signalbox/client";
import { afterEach, expect, test, vi } from "vitest";
import { createRows, type Row } from "./live-rows.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const row = (id: string, title: string) => ({ id, title });

/** A list whose answer holds the rows given when it was requested, and comes when the test releases it. */
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

test("news of a record that come while the list is on its way are newer than the list", async () => {
  const { list, arrive } = slowList(row("a", "old"), row("b", "gone soon"));
  list.put({ item: row("a", "new") });
  list.put({ item: row("b", "gone soon"), delete: true });
  list.put({ item: row("c", "made meanwhile") });
  expect(await arrive()).toEqual([row("a", "new"), row("c", "made meanwhile")]);
});

test("a whole list that comes while another one is on its way is newer", async () => {
  const { list, arrive } = slowList(row("a", "old"));
  list.take([row("a", "new")]);
  expect(await arrive()).toEqual([row("a", "new")]);
});

test("a list that could not be read is unknown instead of empty, and is requested again later", async () => {
  vi.useFakeTimers();
  const said = vi.spyOn(console, "error").mockReturnValue();
  const answers = [Promise.reject(new SignalboxError("internal", "Broken")), Promise.resolve([row("a", "there")])];
  const { rows, ask } = createRows(() => answers.shift() ?? Promise.resolve([]));
  await ask();
  expect(rows.value).toBeUndefined();
  await vi.advanceTimersByTimeAsync(5000);
  expect(rows.value).toEqual([row("a", "there")]);
  expect(said).toHaveBeenCalledOnce();
});

test("a list that the viewer may not see is empty for them", async () => {
  const { rows, ask } = createRows(() => Promise.reject(new SignalboxError("access", "Not for you")));
  await ask();
  expect(rows.value).toEqual([]);
});
