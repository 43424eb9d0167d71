import { expect, test } from "vitest";
import { beginOf, nameOf, withLinks, withoutBreaks } from "./links.ts";

test.each([
  ["a page beside it", "[Secrets](secrets.md)", "[Secrets](#Docs?doc=guide%2Fsecrets)"],
  ["a part of it", "[rotate](secrets.md#rotate)", "[rotate](#Docs?doc=guide%2Fsecrets&anchor=rotate)"],
  ["a page elsewhere", "[wire](../contract/wire.md)", "[wire](#Docs?doc=contract%2Fwire)"],
  ["a part of the same page", "[below](#below)", "[below](#Docs?doc=guide%2Fjobs&anchor=below)"],
  ["an address of the web", "[Node](https://nodejs.org/)", "[Node](https://nodejs.org/)"],
  ["a file of the repository", "[code](../../examples/jobs.ts)", "code"],
  ["a picture", "![A job](../pictures/job.webp)", "A job"],
  ["a path outside of the folder", "[x](../../../etc/passwd.md)", "[x](#Docs?doc=etc%2Fpasswd)"],
])("a link to %s", (_what, given, expected) => {
  expect(withLinks("guide/jobs", `See ${given}.`)).toBe(`See ${expected}.`);
});

test.each([
  ["guide/your-own-pages", "Guide: Your own pages"],
  ["README", "README"],
])("the page %s is called %s", (doc, name) => expect(nameOf(doc)).toBe(name));

test.each([
  ["## Rotate\n\nMake **a key** by [a call](a.md).\nMore.", "Make a key by a call."],
  ["# Page\n```sh\nnpm i\n```\n- first `point`", "npm i"],
  ["# Page\n| a | b |\n", ""],
])("%j begins with %j", (markdown, expected) => {
  expect(beginOf(markdown)).toBe(expected);
});

test.each([
  ["a sentence", "One\ntwo\n\nthree", "One two\n\nthree"],
  ["a point of a list", "- one\n  two\n- three\n1. four\n   five", "- one two\n- three\n1. four five"],
  ["code and its ends", "One\n```sh\na\nb\n```\ntwo", "One\n```sh\na\nb\n```\ntwo"],
  ["a heading and a table", "# One\ntwo\n| a |\n|---|\n| b |\nthree", "# One\ntwo\n| a |\n|---|\n| b |\nthree"],
  ["a quotation", "> one\n> two", "> one\n> two"],
])("%s has the intended line breaks", (_what, given, expected) => {
  expect(withoutBreaks(given)).toBe(expected);
});
