import { expect, test } from "vitest";
import type { SearchNode } from "../../../search/ast.ts";
import { visibleFirings } from "./visible.ts";

const term = (field: string, ...words: string[]): SearchNode => ({ kind: "term", field, words });
const other = term("other", "yes");

test.each<
  [string, { privileges?: Record<string, true>; groups?: string[]; categories?: string[] }, SearchNode[] | undefined]
>([
  ["no limits", {}, undefined],
  ["all, by name", { groups: ["*"], categories: ["*"] }, undefined],
  ["an administrator with limits", { privileges: { admin: true }, groups: ["g"], categories: ["c"] }, undefined],
  ["groups alone", { groups: ["g", "h"] }, [term("groups", "g", "h"), other]],
  ["categories alone", { categories: ["c"] }, [{ kind: "not", node: other }, term("category", "c")]],
  ["both", { groups: ["g"], categories: ["c", "d"] }, [term("groups", "g"), term("category", "c", "d")]],
])("a caller with %s", (_what, limits, nodes) => {
  const caller = { kind: "user", privileges: {}, groups: [], categories: [], ...limits };
  expect(visibleFirings(caller, "category")).toEqual(nodes && { kind: "or", nodes });
});
