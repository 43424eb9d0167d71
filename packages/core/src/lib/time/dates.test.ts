import { expect, test } from "vitest";
import { createDates } from "./dates.ts";

const TIME = Date.parse("2026-11-24T23:30:05Z") / 1000;
/** The blank before "PM" differs between releases of Unicode. */
const plain = (text: string): string => text.replaceAll(/\s/g, " ");

test("a time is written in its locale and zone", () => {
  expect(plain(createDates({ locale: "en-US", tz: "UTC" })(TIME))).toBe("Nov 24, 2026, 11:30:05 PM");
  expect(plain(createDates({ locale: "de-DE", tz: "Europe/Berlin" })(TIME))).toBe("25.11.2026, 00:30:05");
});

test("a changed zone or locale applies from then on", () => {
  const config = { locale: "en-US", tz: "UTC" };
  const dateOf = createDates(config);
  expect(plain(dateOf(TIME))).toBe("Nov 24, 2026, 11:30:05 PM");
  config.tz = "Asia/Tokyo";
  expect(plain(dateOf(TIME))).toBe("Nov 25, 2026, 8:30:05 AM");
  config.locale = "de-DE";
  expect(plain(dateOf(TIME))).toBe("25.11.2026, 08:30:05");
});
