import { expect, test } from "vitest";
import { faultyMember } from "./faulty.ts";

test.each([
  ["Malformed parameter: max_per_day", "max_per_day"],
  ["Malformed parameter: headers[0].name", "headers"],
  ["Missing parameter: email", "email"],
  ["That Tag ID already exists: slow", "id"],
  ["Malformed plugin parameter: n/a: ID field must contain only alphanumerics", "params"],
  ["User already exists: mara", undefined],
  [undefined, undefined],
])("%s is about %s", (text, member) => {
  expect(faultyMember(text)).toBe(member);
});
