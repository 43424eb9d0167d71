/** The local day of a file name: "2026-11-21". `now` is Unix seconds; without a zone the machine's own counts. */
export function fileDay(now: number, tz: string | undefined): string {
  return new Intl.DateTimeFormat("en-CA", tz === undefined ? {} : { timeZone: tz }).format(now * 1000);
}

/** The name of the product as the beginning of a file name. */
export const filePrefix = (product: string): string => product.toLowerCase().replace(/\W+/g, "-");
