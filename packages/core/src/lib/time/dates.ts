/**
 * Times in Unix seconds as people of a locale write them; without a zone the machine's own counts. What writes them is
 * made with the first one: it takes a good part of a millisecond, and the first of a process many.
 */
export function createDates({ locale, tz }: { readonly locale: string; readonly tz?: string | undefined }) {
  let format: Intl.DateTimeFormat | undefined;
  return (seconds: number): string => {
    const zone = tz === undefined ? {} : { timeZone: tz };
    format ??= new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", ...zone });
    return format.format(seconds * 1000);
  };
}
