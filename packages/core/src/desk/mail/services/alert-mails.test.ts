import { expect, test } from "vitest";
import { createTestSignalbox } from "../../../testing/test-signalbox.ts";

test("a mail about an alert says its message, and for how long only when it is told again", async () => {
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
  expect(box.mails[0]?.text).toContain("- **Cores:** n/a\n- **Root disk:** n/a\n");
  const told = box.mails.map(({ text }) => /\*\*Hot\*\*: (.*)$/m.exec(text ?? "")?.[1]);
  expect(told).toEqual(["60 degrees", "64 degrees (for 5 minutes)"]);
});
