import { expect, test } from "vitest";
import { entryIn } from "./act.ts";

test.each([
  ["Malformed action entry #2: Invalid tag list.", { kind: "action", at: 1, text: "Invalid tag list." }],
  ["Malformed trigger entry #1: Parameter 'n' is 3: no.", { kind: "trigger", at: 0, text: "Parameter 'n' is 3: no." }],
  ["Malformed limit entry #12 (not an object)", { kind: "limit", at: 11, text: "(not an object)" }],
  ["Malformed event parameter: actions (must be array)", undefined],
  ["alert_universal_actions: Malformed action entry #1: Invalid user list.", undefined],
])("%s", (refusal, entry) => expect(entryIn(refusal)).toEqual(entry));
