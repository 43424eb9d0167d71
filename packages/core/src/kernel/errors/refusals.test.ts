import { expect, test } from "vitest";
import { anyone, credentials, privilege, token, unchecked } from "../calls/operation.ts";
import { refusalCodes } from "./refusals.ts";

test.each([
  ["anybody", { access: anyone }, "api"],
  ["all callers, with a code of its own", { access: anyone, refuses: ["login"] }, "api login"],
  ["known callers", { access: credentials }, "access api rate session user"],
  [
    "callers with a privilege",
    { access: privilege("edit_tags"), refuses: ["tag"] },
    "access api rate session tag user",
  ],
  ["a token", { access: token, refuses: ["job", "session"] }, "access api job rate session user"],
  ["callers with credentials that the operation checks", { access: unchecked }, "access api rate session user"],
])("an operation for %s", (_callers, operation, codes) => {
  expect(refusalCodes(operation).join(" ")).toBe(codes);
});
