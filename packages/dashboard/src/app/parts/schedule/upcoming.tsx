import { timeZone, until, when, zoneName } from "../../texts/format.ts";
import { t as common } from "../../texts/words/common.ts";
import { clockChange, offsetAt } from "../../texts/zone.ts";
import { Icon } from "../basic/icon.tsx";
import { Empty } from "../basic/states.tsx";
import { t } from "./texts.ts";

export interface Upcoming {
  readonly rows: readonly { readonly epoch: number }[];
  readonly conditional: boolean;
  /** Why nothing starts at present. */
  readonly reasons: readonly { readonly description: string }[];
}

interface UpcomingProps {
  readonly of: Upcoming;
  /** Time zone of the schedule, if it differs from the displayed one. */
  readonly zone?: string | undefined;
}

const clockIn = (epoch: number, zone: string): string => {
  const wall = new Date((epoch + offsetAt(epoch, zone)) * 1000).toISOString();
  return wall.slice(11, 16);
};

const offsetName = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(Math.abs(seconds) / 3600), (Math.abs(seconds) / 60) % 60];
  return `UTC${seconds < 0 ? "−" : "+"}${hours}${minutes ? `:${String(minutes).padStart(2, "0")}` : ""}`;
};

/** The next runs, in the viewer's zone. Days on which the clock changes are marked, with what happens. */
export function UpcomingRuns({ of: { rows, conditional, reasons }, zone = timeZone.value }: UpcomingProps) {
  const isOther = zone !== timeZone.value;
  return (
    <>
      {reasons.map(({ description }) => (
        <p key={description} class="say" dir="auto">
          {description}
        </p>
      ))}
      {conditional && <p class="say">{t("conditional")}</p>}
      {rows.length === 0 ? (
        <Empty>{t("noNext")}</Empty>
      ) : (
        <ol class="upcoming">
          {rows.map(({ epoch }, at) => (
            <li key={`${epoch} ${at}`}>
              <time>{when(epoch)}</time>
              <span class="dim">{isOther ? `${clockIn(epoch, zone)} ${zoneName(zone)}` : ""}</span>
              <span class="xs dimmer num">{common("inTime", { time: until(epoch) })}</span>
              <ClockChange epoch={epoch} previous={rows[at - 1]?.epoch} zone={zone} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

interface ClockChangeProps {
  readonly epoch: number;
  readonly previous: number | undefined;
  readonly zone: string;
}

const DAY = 86_400;

/** Shown once a day: `previous` is the run before, which may be on the same day. */
function ClockChange({ epoch, previous, zone }: ClockChangeProps) {
  const change = clockChange(epoch, zone);
  if (change === 0 || (previous !== undefined && clockChange(previous, zone) !== 0)) return null;
  const before = offsetAt(epoch - DAY, zone);
  return (
    <p class="clock-change">
      <Icon name="warn" />
      {t("changed", { from: offsetName(before), to: offsetName(before + change) })}
    </p>
  );
}
