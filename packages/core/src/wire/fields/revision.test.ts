import { expect, test } from "vitest";
import { requireRevision } from "./revision.ts";

const refuse = (stored: unknown, sent: unknown): string | undefined => {
  try {
    requireRevision({ code: "tag", noun: "Tag" }, { id: "a", revision: stored } as never, { if_revision: sent });
    return undefined;
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
};

test.each<[unknown, unknown, string | undefined]>([
  [3, undefined, undefined],
  [3, null, undefined],
  [3, 3, undefined],
  [3, "3", undefined],
  [3, 2, "tag: Tag out of date: a (Revision mismatch: 2 != 3)"],
  [3, "4", "tag: Tag out of date: a (Revision mismatch: 4 != 3)"],
  [3, "+1", undefined],
  [3, "-1", undefined],
  // Imported records may have no revision.
  [undefined, undefined, undefined],
  [undefined, 0, undefined],
  [undefined, 1, "tag: Tag out of date: a (Revision mismatch: 1 != 0)"],
  ["+1", 1, "tag: Tag out of date: a (Revision mismatch: 1 != 0)"],
  [3, 1.5, "api: Malformed parameter: if_revision"],
  [3, "x", "api: Malformed parameter: if_revision"],
  [3, "", "api: Malformed parameter: if_revision"],
  [3, {}, "api: Malformed parameter: if_revision"],
])("stored %j, sent %j: %j", (stored, sent, refusal) => expect(refuse(stored, sent)).toBe(refusal));
