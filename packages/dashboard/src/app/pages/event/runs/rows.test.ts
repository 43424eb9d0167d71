import { expect, test } from "vitest";
import { figuresOf, runRows } from "./rows.ts";

const job = (id: string, now: number, code: unknown = 0, elapsed = 1) => ({
  id,
  event: "e1",
  now,
  code,
  elapsed,
  completed: now + elapsed,
});
const shown = (rows: ReturnType<typeof runRows>) =>
  rows.map((row) => (row.kind === "job" ? row.job.id : `${row.count} missed ${row.from}–${row.at}`));

test.each([
  ["every due minute made a job", [120, 60], [60, 120], [], ["j120", "j60"]],
  ["minutes in a row are one row", [300, 60], [60, 120, 180, 240, 300], [], ["j300", "3 missed 120–240", "j60"]],
  ["a job between them separates them", [180], [120, 180, 240], [], ["1 missed 240–240", "j180", "1 missed 120–120"]],
  ["a running job missed nothing", [], [60, 120], [130], ["1 missed 60–60"]],
  ["a late second of the minute counts", [65], [60], [], ["j65"]],
  ["without a schedule there are only jobs", [60], [], [], ["j60"]],
])("%s", (_case, jobs, due, launched, rows) => {
  expect(
    shown(
      runRows(
        jobs.map((at) => job(`j${at}`, at)),
        due,
        launched,
      ),
    ),
  ).toEqual(rows);
});

test("figures are calculated from the given jobs", () => {
  const jobs = [job("a", 1, 0, 5), job("b", 2, "abort", 1), job("c", 3, 75, 9), job("d", 4, false, 2)];
  expect(figuresOf(jobs)).toEqual({ count: 4, ok: 2, usual: 5, longest: 9 });
  expect(figuresOf([])).toEqual({ count: 0, ok: 0, usual: undefined, longest: undefined });
});
