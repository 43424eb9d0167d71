import { useMemo, useState } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { api } from "../../data/calls/session.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { useLive } from "../../data/live.ts";
import { askFor } from "../../data/records/lists.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Missing } from "../../frame/gone.tsx";
import { PAINTING_MS, picture } from "../../parts/after-picture.ts";
import { Button } from "../../parts/basic/button.tsx";
import { Lanes } from "../../parts/charts/lanes.tsx";
import { Segments } from "../../parts/forms/fields.tsx";
import { createTimeCursor } from "../../parts/plot/cursor.ts";
import { href, setQuery } from "../../router/router.ts";
import { now, stretch } from "../../texts/format.ts";
import type { PageProps } from "../page.ts";
import { AtTime } from "./charts/at-time.tsx";
import { Charts, unzoom, useTimeline, zoom } from "./charts/charts.tsx";
import { firingTimes, type Happened, lanesOf, NOTHING, readHappened } from "./charts/events.ts";
import { LiveCharts } from "./charts/live.tsx";
import { RANGES, type Range, type RangeName } from "./charts/range.ts";
import { useRange } from "./charts/use-range.ts";
import { Dependencies } from "./dependencies.tsx";
import { ServerHead } from "./head.tsx";
import { type MinuteData, Tables } from "./tables.tsx";
import { t } from "./texts.ts";

export type ShownServer = Awaited<ReturnType<typeof api.getServer>>;

/** One server: its state, its history, and what runs on it. */
export function Page({ params: { id = "" } }: PageProps) {
  const loaded = useLoad(`server ${id}`, (signal) => api.getServer({ id }, { signal }));
  // Charts need these lists. Requesting them together with the server avoids delaying the charts once the readings have arrived.
  useState(() => askFor("monitors", "alerts", "groups"));
  const [isDrawn, setDrawn] = useState(false);
  usePolling(60, loaded.reload);
  useLive("back", loaded.reload);
  const shown = loaded.data.value;
  const name = shown?.server.title || shown?.server.hostname || id;
  useCrumbs([{ title: t("servers"), href: href("/servers") }, { title: name }]);
  if (!shown) return <Missing of={loaded} gone={t("gone", { id })} />;
  return (
    <>
      <ServerHead shown={shown} name={name} isDrawn={isDrawn} reload={loaded.reload} />
      <Times id={id} groups={shown.server.groups} onDrawn={setDrawn} />
      {isDrawn && (
        <div class="stack below">
          <Dependencies server={shown.server} />
          <Tables data={(shown.data["data"] ?? {}) as MinuteData} />
        </div>
      )}
    </>
  );
}

interface TimesProps {
  readonly id: string;
  readonly groups: readonly string[];
  /** Called once the charts have been rendered. */
  readonly onDrawn: (isDrawn: true) => void;
}

/**
 * Everything on the time axis: events, and the charts below. The tables, the list of servers for dependencies, and the
 * disk forecast load after the charts, so as not to delay them.
 */
function Times({ id, groups, onDrawn }: TimesProps) {
  const cursor = useMemo(createTimeCursor, [id]);
  const range = useRange();
  const timeline = useTimeline(id, range);
  // Charts take longest to draw, so everything else loads after them.
  const { from, to, name } = range;
  const happened = useLoad<Happened>(
    `happened ${id} ${name ?? `${from} ${to}`}`,
    async (signal) => {
      await timeline.first;
      await picture(PAINTING_MS);
      onDrawn(true);
      const end = name ? now.peek() : to;
      return readHappened({ server: id, from: end - (to - from), to: end }, signal);
    },
    id,
  );
  usePolling(30, happened.reload);
  const known = happened.data.value;
  const firing = useMemo(() => (known ? firingTimes(known, to) : {}), [known, to]);
  return (
    <>
      <RangeBar range={range} />
      <div class="stack">
        <Lanes label={t("happened")} lanes={lanesOf(known ?? NOTHING, from, to)} from={from} to={to} cursor={cursor} />
        {range.name === "minute" ? (
          <LiveCharts server={id} cursor={cursor} />
        ) : (
          <Charts groups={groups} timeline={timeline} range={range} cursor={cursor} firing={firing} />
        )}
      </div>
    </>
  );
}

interface RangeBarProps {
  readonly range: Range;
  /** Offers the live view of the last minute. */
  readonly isLive?: boolean;
}

/** Chooses the time range. A range that was zoomed to can be reset or moved. */
export function RangeBar({ range, isLive = true }: RangeBarProps) {
  const { name, from, to } = range;
  const choose = (range: string): void =>
    setQuery({ range: range === "hour" ? undefined : range, from: undefined, to: undefined }, { push: true });
  const move = (by: number) => () => zoom(from + by * (to - from), Math.min(to + by * (to - from), now.peek()));
  const names = (Object.keys(RANGES) as RangeName[]).filter((each) => isLive || each !== "minute");
  return (
    <div class="head tools">
      <Segments
        label={t("range")}
        choices={names.map((value) => ({ value, title: t(`range_${value}`) }))}
        value={name ?? ""}
        onInput={choose}
      />
      <span class="sm dim num hide-s">{t("fromTo", stretch(from, to))}</span>
      <span class="grow" />
      <AtTime range={range} />
      {name !== "minute" && (
        <div class="acts">
          <Button kind="bare" icon="left" label={t("earlier")} onClick={move(-0.5)} />
          {name === undefined && <Button kind="bare" icon="right" label={t("later")} onClick={move(0.5)} />}
          {name === undefined && <Button onClick={unzoom}>{t("unzoom")}</Button>}
        </div>
      )}
    </div>
  );
}
