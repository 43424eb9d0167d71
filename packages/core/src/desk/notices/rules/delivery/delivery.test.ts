import { expect, test } from "vitest";
import { statusIn } from "./delivery.ts";

test.each([
  ["HTTP 200 OK", 200],
  ["Error: HTTP 503 Service Unavailable", 503],
  ["Request to chat.example failed: ECONNREFUSED", undefined],
  ["Email sent successfully to: HTTP200@example.com", undefined],
  ["", undefined],
])("%j says status %s", (description, status) => {
  expect(statusIn(description)).toBe(status);
});
