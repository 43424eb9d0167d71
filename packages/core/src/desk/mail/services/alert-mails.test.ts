import { expect, test } from "vitest";
import { useFleets } from "../../../../test/fleet/fleet.ts";
import { keepingMailer } from "../../../../test/scripted/keeping-mailer.ts";
import { createTestSignalbox } from "../../../testing/test-signalbox.ts";

const start = useFleets();

test("a mail about an alert has its message, and its duration only in a repetition", async () => {
  await using box = await createTestSignalbox();
  await box.api.createAlert({
    ...{
      id: "hot",
      title: "Hot",
      expression: "temp >= 50",
      message: "{{temp}} degrees",
      samples: 1,
      repeat_minutes: 5,
    },
    actions: [{ enabled: true, condition: "alert_new", type: "email", email: "ops@example.com", per: "subject" }],
  });
  const web = await box.connect({ id: "web01", groups: ["main"] });
  for (let minute = 0; minute < 7; minute += 1) await box.minute(web, { temp: 60 + minute });
  // The minute has no values for these rows.
  expect(box.mails[0]?.text).not.toMatch(/Cores|Root disk/);
  const told = box.mails.map(
    ({ text }) => /^\*\*Hot\*\* \(warning\) on \*\*web01\*\* since .*: (.*)$/m.exec(text ?? "")?.[1],
  );
  expect(told).toEqual(["60 degrees", "64 degrees (for 5 minutes)"]);
  expect(box.mails[0]?.text).toMatch(/## Running Jobs.*## Notes.*## Server/s);
});

test("a mail about a check names the check, without the facts that only servers have", async () => {
  const { mailer, sent } = keepingMailer();
  const probe = async () => Promise.reject(Object.assign(new Error("Refused"), { code: "ECONNREFUSED" }));
  const webHooks = { probe, send: probe };
  const config = { alert_universal_actions: [], email_from: "signalbox@example.com" };
  const { clock, signalbox } = await start({ config, mailer, webHooks });
  const told = { enabled: true, condition: "alert_new", type: "email", email: "ops@example.com" };
  const down = { id: "down", title: "Down", subject: "check", expression: "check.down", message: "does not answer" };
  await signalbox.api.createAlert({ ...down, actions: [told] } as never);
  await signalbox.api.createCheck({ id: "shop", title: "Shop", type: "tcp", host: "192.0.2.1", port: 25, retries: 0 });
  await clock.advance(20);
  await clock.advance(100);
  const [text = ""] = sent.map((mail) => mail.text);
  expect(text).toContain("- **Check:** Shop\n");
  expect(text).toContain("The check");
  expect(text).not.toMatch(/server|hostname|load average|jobs/i);
});
