import { language } from "../../texts/catalogue.ts";

/** A Sunday, so that adding days gives the weekdays in order. */
const SUNDAY = Date.UTC(2026, 0, 4, 12);

/** For example "Mon" for 1. Sunday is 0. */
export const weekdayName = (weekday: number): string =>
  new Intl.DateTimeFormat(language.value, { weekday: "short", timeZone: "UTC" }).format(SUNDAY + weekday * 86_400_000);
