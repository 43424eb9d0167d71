import { expect, test } from "vitest";
import type { Notice } from "../../model.ts";
import { turnMessage } from "./apart.ts";

test.each([
  [
    "receiver_dead",
    "P: Room cannot be reached: HTTP 404: https://ops.example/#Alerts",
    "[critical] Room cannot be reached",
    "new",
  ],
  [
    "receiver_back",
    "P: Room is reached again: a notice has arrived there: https://ops.example/#Alerts",
    "[cleared] Room is reached again",
    "over",
  ],
] as const)("the text of %s", (kind, text, subject, state) => {
  const notice = { id: "no1", problem: "room", kind, seq: 1, severity: "critical", date: 5 } as Notice;
  const turned = { receiver: "room", title: "Room", description: "HTTP 404" };
  const message = turnMessage({ notice, turned, product: "P", baseUrl: "https://ops.example" });
  expect(message).toMatchObject({ text, data: { text, notice: { kind, subject } } });
  expect(message.preset).toMatchObject({ subject, entries: [{ state, nice_server: "Room" }] });
});
