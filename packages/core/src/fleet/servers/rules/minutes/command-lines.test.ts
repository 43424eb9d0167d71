import { expect, test } from "vitest";
import { commandsFor, mayReadArguments, programOf, withCommands } from "./command-lines.ts";

test.each([
  ["/usr/bin/backup --all", "backup"],
  ["sleep 60", "sleep"],
  ["[kworker/0:1]", "[kworker/0:1]"],
  ["postgres: shop joe idle", "postgres:"],
  ["/opt/", "/opt/"],
  ["", ""],
])("%j runs %j", (command, program) => {
  expect(programOf(command)).toBe(program);
});

test.each([
  [{}, [], false],
  [{ run_jobs: true }, [], false],
  [{ admin: true }, [], true],
  [{ create_snapshots: true }, [], true],
  [{}, ["main"], true],
  [{}, ["main", "*"], false],
] as const)("privileges %j with groups %j: %s", (privileges, groups, may) => {
  expect(mayReadArguments({ privileges, groups })).toBe(may);
});

test("data without a change are the same object, and others share their unchanged parts", () => {
  const data = { processes: { all: 1, list: [{ command: "a" }, { command: "b" }] }, load: [1] };
  expect(withCommands(data, (command) => command)).toBe(data);
  const changed = withCommands(data, (command) => (command === "b" ? "c" : command));
  expect(changed).toEqual({ ...data, processes: { all: 1, list: [{ command: "a" }, { command: "c" }] } });
  expect(data.processes.list[1]).toEqual({ command: "b" });
});

test.each([
  { processes: 5 },
  { processes: { list: 5 } },
  { processes: { list: [5, null, { command: 5 }, {}] }, docker: [] },
])("%j has no command lines", (data) => {
  expect(commandsFor({ privileges: {}, groups: [] }, data)).toBe(data);
});
