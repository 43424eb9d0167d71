import { describe, expect, test } from "vitest";
import { keyWith } from "../../../test/engine.ts";
import { anonymous } from "../../kernel/calls/context.ts";
import { mayAccess, requireAccess } from "./require-access.ts";

const limited = keyWith([], { categories: ["c1"], groups: ["g1"] });
const account = "You do not have the required account privileges to access";
const titles = new Map([["edit_tags", "Edit Tags"]]);

describe("the contract's messages", () => {
  test.each<[Parameters<typeof requireAccess>[1], string]>([
    [{ privilege: "edit_tags" }, "You do not have the 'Edit Tags' privilege required to perform this action."],
    [{ privilege: "odd" }, "You do not have the '(odd)' privilege required to perform this action."],
    [{ category: "c2" }, `${account} category ID c2.`],
    [{ category: "*" }, `${account} category ID *.`],
    [{ group: "g2" }, `${account} group ID g2.`],
    [{ targets: ["s1", "g2"] }, `${account} targets: s1, g2.`],
    [{ serverGroups: [], server: "s1" }, `${account} server ID s1.`],
  ])("%j", (request, description) => {
    expect(() => requireAccess(limited, request, titles)).toThrow(
      expect.objectContaining({ code: "access", description }),
    );
    expect(mayAccess(limited, request)).toBe(false);
  });

  test("an unknown caller has no session", () => {
    expect(() => requireAccess(anonymous, {})).toThrow(
      expect.objectContaining({ code: "session", description: "No Session ID or API Key could be found" }),
    );
  });

  test("allowed requests pass silently", () => {
    expect(requireAccess(limited, { category: "c1", group: "g1" })).toBeUndefined();
    expect(mayAccess(limited, { category: "c1" })).toBe(true);
  });
});
