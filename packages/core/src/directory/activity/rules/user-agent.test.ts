import { expect, test } from "vitest";
import { describeUserAgent } from "./user-agent.ts";

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, "Chrome 126.0 / Windows 10"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/126.0.2592.81`, "Edge 126.0 / Windows 10"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/112.0.0.0`, "Opera 112.0 / macOS 10.15"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox 128.0 / Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari 17.5 / iOS 17.5",
  ],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome}`, "Chrome 126.0 / Android 14"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, "Chrome 126.0 / Chrome OS"],
  ["Mozilla/5.0 Firefox/1.0", "Firefox 1.0"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["backup-script on Linux", "backup-script on Linux"],
  ["", ""],
])("%s", (header, expected) => {
  expect(describeUserAgent(header)).toBe(expected);
});

test("a header of any length gives a short text", () => {
  expect(describeUserAgent("x".repeat(20_000))).toHaveLength(500);
});
