import { createIds, systemClock, systemRandom } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { createJobRecord } from "./job-record.ts";

function start() {
  const warnings: string[] = [];
  const ids = createIds({ clock: systemClock, random: systemRandom() });
  const record = createJobRecord({ id: "j1", state: "active" }, { ids, warn: (text) => void warnings.push(text) });
  return { record, warnings };
}

test("rows that come one by one are joined without being copied each time", () => {
  const { record } = start();
  const before = process.cpuUsage();
  for (let row = 0; row < 30_000; row++) record.apply({ data: { rows: [row] } });
  const { user, system } = process.cpuUsage(before);
  expect((record.final()["data"] as { rows: number[] }).rows.length).toBe(30_000);
  expect((user + system) / 1000).toBeLessThan(2000);
});

test("other members have the same bound, whatever their names; sent or replaced ones do not count", () => {
  const { record, warnings } = start();
  const megabyte = "x".repeat(1_048_576);
  for (let round = 0; round < 100; round++) {
    record.apply({ label: megabyte });
    record.apply({ html: `${megabyte}${round}` });
    expect(String(record.snapshot()["html"]).length).toBeGreaterThan(1_048_576);
  }
  expect(warnings).toEqual([]);
  for (let round = 0; round < 100; round++) record.apply({ [`name${round}`]: megabyte });
  expect(warnings).toEqual(["Warning: Ignored data beyond 16 MB"]);
  expect(Object.keys(record.snapshot()).filter((name) => name.startsWith("name")).length).toBe(14);
});

test("data has a bound, which is reported once; a replaced value does not count twice", () => {
  const { record, warnings } = start();
  const megabyte = "x".repeat(1_048_576);
  for (let round = 0; round < 100; round++) record.apply({ data: { last: `${megabyte}${round}` } });
  expect(warnings).toEqual([]);
  for (let round = 0; round < 100; round++) record.apply({ serverData: { rows: [megabyte] } });
  expect(warnings).toEqual(["Warning: Ignored data beyond 16 MB"]);
  const { data, serverData } = record.final() as { data: { last: string }; serverData: { rows: string[] } };
  expect(data.last.slice(-2)).toBe("99");
  expect(serverData.rows.length).toBe(14);
});
