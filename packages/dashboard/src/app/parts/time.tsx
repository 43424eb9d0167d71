import { age, clockSeconds, duration, exact, isToday, now, stretch, when } from "../texts/format.ts";

interface TimeProps {
  readonly at: number;
  readonly seconds?: boolean;
  /** The end of a period that begins at `at`. */
  readonly until?: number | undefined;
}

/** The time of the day, with the date when that is not today; in full on hover. */
export const Time = ({ at, seconds = false, until }: TimeProps) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={exact(at)}>
    {until === undefined ? (seconds ? clockSeconds(at) : when(at)) : Object.values(stretch(at, until)).join(" – ")}
  </time>
);

/** How long ago, kept up to date. */
export const Age = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()} title={exact(at)}>
    {age(at)}
  </time>
);

/** Width of a table's column of times, with room for the date of another year. */
export const TIME_WIDTH = "10.25rem";

/** The time, and how long ago if that was today: the date of another day says as much, and both need a wider column. */
export const TimeAndAge = ({ at }: { readonly at: number }) => (
  <>
    <Time at={at} />
    {isToday(at) && (
      <>
        {" "}
        <span class="dimmer xs ago hide-s">
          <Age at={at} />
        </span>
      </>
    )}
  </>
);

/** How long something has been running, to the second. */
export const RunsFor = ({ since }: { readonly since: number }) => (
  <span class="num" title={exact(since)}>
    {duration(Math.floor(now.value - since))}
  </span>
);
