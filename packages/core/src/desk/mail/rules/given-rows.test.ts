import { expect, test } from "vitest";
import { createExpressions } from "../../../expressions/index.ts";
import { withGivenRows } from "./given-rows.ts";

const expressions = createExpressions();

test.each([
  ["- **PID:** {{ job.pid }}", { job: { pid: 4711 } }, true],
  ["- **Exit:** {{ job.code }}", { job: { code: 0 } }, true],
  ["- **PID:** {{ job.pid }}", { job: {} }, false],
  ["- **PID:** {{ job.pid }}", { job: { pid: null } }, false],
  ["- **PID:** {{ job.pid }}", {}, false],
  ["- **Label:** {{ job.label }}", { job: { label: "" } }, false],
  ["- **Memory:** {{ display.mem }}", { display: { mem: "n/a" } }, false],
  ["{{ event.notes }}", {}, true],
  ["- **Memory:** {{ free }} of {{ total }}", {}, true],
  ["- [Full log]({{ links.job_log }})", {}, true],
])("%s with %j", (row, data, isShown) => {
  expect(withGivenRows(`one\n${row}\ntwo`, expressions, data)).toBe(isShown ? `one\n${row}\ntwo` : "one\ntwo");
});
