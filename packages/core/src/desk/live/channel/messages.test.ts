import { describe, expect, test } from "vitest";
import { isReconnect, pagesOfNav } from "./messages.ts";

describe("a later attempt of a message", () => {
  test.each([
    [{ attempt: 1 }, false],
    [{ attempt: 2 }, true],
    [{ attempt: "2" }, false],
    [{}, false],
    [null, false],
    [undefined, false],
    [[2], false],
  ])("%j: %j", (data, expected) => {
    expect(isReconnect(data)).toBe(expected);
  });
});

describe("pages of user_nav", () => {
  test.each([
    [{ loc: "Job?id=j1" }, ["Job?id=j1"]],
    [{ loc: "Job?id=j1\nTicket?id=t1" }, ["Job?id=j1", "Ticket?id=t1"]],
    [{ loc: "" }, []],
    [{ loc: "x".repeat(4001) }, undefined],
    [{ loc: Array.from({ length: 21 }, (_, index) => `P${index}`).join("\n") }, undefined],
    [{ loc: 7 }, undefined],
    [{}, undefined],
    ["Job", undefined],
    [null, undefined],
  ])("%j: %j", (data, expected) => {
    expect(pagesOfNav(data)).toEqual(expected);
  });
});
