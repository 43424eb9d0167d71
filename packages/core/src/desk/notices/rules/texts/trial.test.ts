import { expect, test } from "vitest";
import { trialNotice } from "./trial.ts";

const trial = {
  ...{ receiver: { id: "ops", title: "Ops" }, by: "Mia", id: "no1", now: 100 },
  ...{ product: "Signalbox", baseUrl: "https://ops.example" },
};

test("a test notice says who sent it and that nothing is wrong", () => {
  const { notice, message } = trialNotice({ ...trial, kind: "firing" });
  const text =
    "Signalbox Firing: Test notice on Ops: Mia tries this receiver out. Nothing is wrong.: https://ops.example/#Alerts";
  expect(message).toMatchObject({ text, loc: "#Alerts", data: { text, notice: { id: "no1", lead: text } } });
  expect(message.preset).toMatchObject({ subject: "[info] Test notice on Ops", entries: [{ state: "new" }] });
  expect(notice).toMatchObject({
    id: "no1",
    problem: "no1",
    receiver: "ops",
    kind: "firing",
    severity: "info",
    new: [],
  });
});

test("a service that keeps states also gets the end of a test notice", () => {
  const { message } = trialNotice({ ...trial, kind: "cleared" });
  expect(message.text).toBe("Signalbox Over: Test notice on Ops: https://ops.example/#Alerts");
  expect(message.preset).toMatchObject({ notice: { kind: "cleared", problem: "no1" }, entries: [{ state: "over" }] });
});
