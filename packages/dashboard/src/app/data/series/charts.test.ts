import { describe, expect, test } from "vitest";
import { namesOf } from "./charts.ts";

const CASES = [
  [["Open Files"], "Open Files", ["Open Files"]],
  [["Disk Read", "Disk Write"], "Disk", ["Read", "Write"]],
  [["CPU Usage", "CPU I/O Wait"], "CPU", ["Usage", "I/O Wait"]],
  [["Memory in Use", "Available Memory"], "Memory", ["In Use", "Available"]],
  [["Load", "Open Files"], "Load", ["Load", "Open Files"]],
  [["Network", "Network Out"], "Network", ["Network", "Network Out"]],
  [["Traffic", "Traffic"], "Traffic", ["Traffic", "Traffic"]],
] as const;

describe("names of a chart and its lines", () => {
  test.each(CASES)("%j", (titles, title, names) => {
    expect(namesOf(titles)).toEqual({ title, names });
  });
});
