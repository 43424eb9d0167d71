import { expect, test } from "vitest";
import { createQuestion } from "./load.ts";

/** A server that holds its answers until the test releases them. */
function slowServer() {
  const waiting: ((answer: string) => void)[] = [];
  const ask = (): Promise<string> => new Promise((resolve) => waiting.push(resolve));
  return {
    ...{ ask, asked: () => waiting.length },
    async answer(text: string): Promise<void> {
      waiting.shift()?.(text);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("news that come faster than answers cause one more request, and each answer is shown", async () => {
  const { ask, asked, answer } = slowServer();
  const question = createQuestion("one", ask, undefined);
  const first = question.reload();
  const second = question.reload();
  void question.reload();
  expect(asked()).toBe(1);
  await answer("older");
  expect([question.data.value, question.isLoading.value]).toEqual(["older", true]);
  expect(asked()).toBe(1);
  await answer("newer");
  await Promise.all([first, second]);
  expect([question.data.value, question.isLoading.value, asked()]).toEqual(["newer", false, 0]);
});

test("an answer that was on its way during a change of the page is older than the change", async () => {
  const { ask, answer } = slowServer();
  const question = createQuestion("two", ask, undefined);
  void question.reload();
  question.set("own");
  await answer("older");
  expect(question.data.value).toBe("own");
});

test("nothing is shown or requested once the page is closed", async () => {
  const { ask, asked, answer } = slowServer();
  const question = createQuestion("three", ask, undefined);
  void question.reload();
  void question.reload();
  question.stop();
  await answer("late");
  expect([question.data.value, asked()]).toEqual([undefined, 0]);
});
