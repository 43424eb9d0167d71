import { expect, test } from "vitest";
import { withSecrets } from "./secret-texts.ts";

const secrets = new Map([
  ["KEY", "k-1"],
  ["ODD", "{{ secrets.KEY }}"],
  ["EMPTY", ""],
]);
const of = (value: string) => ({ headers: [{ name: "Authorization", value }], body: value });

test.each([
  ["Bearer {{ secrets.KEY }}", "Bearer k-1"],
  ["{{secrets.KEY}}{{secrets.KEY}}", "k-1k-1"],
  ["{{ secrets.ODD }}", "{{ secrets.KEY }}"],
  ["{{ secrets.EMPTY }}.", "."],
  ["{{ job.id }}", "{{ job.id }}"],
  ["{{ other.secrets.KEY }}", "{{ other.secrets.KEY }}"],
])("secrets in %j are expanded to %j", (value, said) => {
  expect(withSecrets(of(value), secrets)).toEqual({ headers: { Authorization: said }, body: said });
});

test.each(["{{ secrets.NONE }}", "{{ secrets.__proto__ }}", "{{ secrets.constructor }}"])("%s is refused", (value) => {
  expect(() => withSecrets(of(value), secrets)).toThrow(TypeError);
});

test("a check without headers and body stays unchanged", () => {
  expect(withSecrets({}, secrets)).toEqual({ headers: {}, body: undefined });
});
