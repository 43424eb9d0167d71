import { expect, test } from "vitest";
import { isAddressTemplate } from "./address-template.ts";

test.each([
  ["https://example.com/in?a={{ a }}"],
  ["https://{{ secrets.HOST }}/x"],
  ["https://{{ host }}:{{ port }}/"],
  ["https://example.com:{{ port }}/{{ 'a' }}{{ b }}"],
  ["{{ secrets.URL }}"],
  ["{{ secrets.URL }}/path?{{ query }}"],
  ["https://example.com/{{ never closed"],
  ["https://[::1]:8080/"],
])("%s can be an address", (text) => {
  expect(isAddressTemplate(text)).toBe(true);
});

test.each([
  [""],
  ["https://"],
  ["https://exa mple.com/"],
  ["https://example.com:99999/"],
  ["https://example.com:{{ port }}x/"],
  ["http://[::1"],
  ["https://a{{ never closed"],
])("%s cannot be an address", (text) => {
  expect(isAddressTemplate(text)).toBe(false);
});

test("a text of openings alone is scanned once", () => {
  expect(isAddressTemplate("{{".repeat(500_000))).toBe(false);
});
