import { expect, test } from "vitest";
import { allOrNone } from "./all-or-none.ts";

test("records created beside a refused one are removed, and the refusal is reported", async () => {
  const back: string[] = [];
  const take = async (made: string) => back.push(made);
  expect(await allOrNone([Promise.resolve("a"), Promise.resolve("b")], take)).toEqual(["a", "b"]);
  expect(back).toEqual([]);
  const asked = [Promise.resolve("a"), Promise.reject(new Error("out of reach")), Promise.resolve("c")];
  await expect(allOrNone(asked, take)).rejects.toThrow("out of reach");
  expect(back).toEqual(["a", "c"]);
});
