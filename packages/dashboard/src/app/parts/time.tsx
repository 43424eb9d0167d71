import { age, clockSeconds, duration, exact, now, when } from "../texts/format.ts";

/** The time of the day, with the date when that is not today; in full on hover. */
export const Time = ({ at, seconds = false }: { readonly at: number; readonly seconds?: boolean }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={exact(at)}>
    {seconds ? clockSeconds(at) : when(at)}
  </time>
);

/** How long ago, kept up to date. */
export const Age = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={exact(at)}>
    {age(at)}
  </time>
);

/** How long something has been running, to the second. */
export const RunsFor = ({ since }: { readonly since: number }) => (
  <span class="num" title={exact(since)}>
    {duration(Math.floor(now.value - since))}
  </span>
);
