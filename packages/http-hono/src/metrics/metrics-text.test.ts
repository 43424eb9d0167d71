import { expect, test } from "vitest";
import { metricsText } from "./metrics-text.ts";

test("metrics have their help, their type and a line for each sample", () => {
  const help = "Jobs that ended.";
  const samples = [
    { labels: { result: "success" }, value: 2 },
    { labels: { result: "error" }, value: 0 },
  ];
  expect(
    metricsText([
      { name: "jobs_total", type: "counter", help, samples },
      { name: "up", type: "gauge", help: "Runs.", samples: [{ value: 1 }] },
    ]),
  ).toBe(`# HELP jobs_total Jobs that ended.
# TYPE jobs_total counter
jobs_total{result="success"} 2
jobs_total{result="error"} 0
# HELP up Runs.
# TYPE up gauge
up 1
`);
});

test("characters that would break a line are escaped", () => {
  const samples = [{ labels: { v: 'a"b\\c\nd', w: "" }, value: 0.5 }];
  expect(metricsText([{ name: "x", type: "gauge", help: "one\\\ntwo", samples }])).toBe(
    '# HELP x one\\\\\\ntwo\n# TYPE x gauge\nx{v="a\\"b\\\\c\\nd",w=""} 0.5\n',
  );
});
