interface Style {
  readonly locale: string;
  readonly tz?: string | undefined;
}

/**
 * Formats Unix seconds as people of a locale write them; without a zone, in the machine's own. The formatter is created at the
 * first use: it takes a good part of a millisecond, and the first one in a process many. Zone and locale may change between
 * calls.
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
