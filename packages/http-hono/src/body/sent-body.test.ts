import { expect, test } from "vitest";
import { sentBody } from "./sent-body.ts";

test.each([
  [{ title: "Ä" }, "application/json", '{"title":"Ä"}'],
  [[1], "application/json; charset=utf-8", "[1]"],
  ["as it came", "text/plain", "as it came"],
  [Buffer.from("bytes"), "multipart/form-data; boundary=x", "bytes"],
  [{ a: "1 2", b: ["3", "4"] }, "application/x-www-form-urlencoded", "a=1+2&b=3&b=4"],
  [{ a: { b: "1" } }, "application/x-www-form-urlencoded", "a%5Bb%5D=1"],
  [{ a: "left over of the fields" }, "multipart/form-data; boundary=x", undefined],
  [undefined, "application/json", undefined],
])("the body %j of %s is written as %s", (body, type, written) => {
  expect(sentBody(body, type)?.toString()).toBe(written);
});
