import { expect, test } from "vitest";
import { defineCollection, type StoredRecord } from "../ports/storage/collection.ts";
import { termSets, termsOf } from "./index-values.ts";

interface Note extends StoredRecord {
  readonly tags: readonly string[];
  readonly author?: string;
}
const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  terms: { tags: ({ tags }) => tags, author: ({ author }) => (author === undefined ? [] : [author]) },
});
const note = (tags: readonly string[], author?: string): Note => ({
  ...{ id: "n1", tags },
  ...(author === undefined ? {} : { author }),
});

test("terms are listed once each, in the order of their fields", () => {
  expect(termsOf(notes, note(["b", "a", "b"], "ada"))).toEqual([
    { field: "tags", term: "b" },
    { field: "tags", term: "a" },
    { field: "author", term: "ada" },
  ]);
});

test("a field without terms has no set", () => {
  expect(termSets(notes, note([], "ada"))).toEqual({ author: new Set(["ada"]) });
  expect(termSets(notes, note(["a", "a"]))).toEqual({ tags: new Set(["a"]) });
});

test("words that differ after the longest entry are one term", () => {
  const long = "x".repeat(500);
  expect(termsOf(notes, note([`${long}1`, `${long}2`]))).toEqual([{ field: "tags", term: long }]);
});

test("terms above the size of an index entry are left out, also terms of later fields", () => {
  const many = Array.from({ length: 1000 }, (_unused, index) => `${index}`.padStart(400, "x"));
  const terms = termsOf(notes, note(many, "ada"));
  // 200,000 bytes of terms, at 400 each plus four for the name of the field and nine for the entry.
  expect(terms).toHaveLength(Math.floor(200_000 / 413));
  expect(terms.every(({ field }) => field === "tags")).toBe(true);
});
