interface Style {
  readonly locale: string;
  readonly tz?: string | undefined;
}

/**
 * Times in Unix seconds as people of a locale write them; without a zone the machine's own counts. What writes them is
 * made with the first one: it takes a good part of a millisecond, and the first of a process many. Zone and locale may
 * change while times are asked for.
 */
export function createDates(config: Style): (seconds: number) => string {
  let made: (Style & { readonly format: Intl.DateTimeFormat }) | undefined;
  return (seconds) => {
    const { locale, tz } = config;
    if (made?.locale !== locale || made.tz !== tz) made = { locale, tz, format: formatOf(config) };
    return made.format.format(seconds * 1000);
  };
}

const formatOf = ({ locale, tz }: Style): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    ...(tz === undefined ? {} : { timeZone: tz }),
  });
