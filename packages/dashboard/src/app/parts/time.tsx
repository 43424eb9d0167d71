import { age, clockSeconds, duration, exact, now, when } from "../texts/format.ts";

/** A time of the day, or with its day when that is not today; the whole of it on hover. */
export const Time = ({ at, seconds = false }: { readonly at: number; readonly seconds?: boolean }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={exact(at)}>
    {seconds ? clockSeconds(at) : when(at)}
  </time>
);

/** How long ago, moving on by itself. */
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
