import { useMemo } from "preact/hooks";
import { useLoad } from "../../data/calls/load.ts";
import { usePolling } from "../../data/jobs/fresh-jobs.ts";
import { listed, listedOne, titleOf } from "../../data/records/lists.ts";
import { chartsOf, singly } from "../../data/series/charts.ts";
import { listFor, readingsOf, readTimeline, type Timeline } from "../../data/series/timeline.ts";
import { useCrumbs } from "../../frame/crumbs.ts";
import { Head } from "../../parts/basic/basic.tsx";
import { Empty, WhenLoaded } from "../../parts/basic/states.tsx";
import { Chart } from "../../parts/charts/chart.tsx";
import { Field, Select } from "../../parts/forms/fields.tsx";
import { createTimeCursor, type TimeCursor } from "../../parts/plot/cursor.ts";
import { href, place, setQuery } from "../../router/router.ts";
import { now } from "../../texts/format.ts";
import { boundOf, stepNote, unzoom, zoom } from "../server/charts/charts.tsx";
import type { Range } from "../server/charts/range.ts";
import { useRange } from "../server/charts/use-range.ts";
import { RangeBar } from "../server/index.tsx";
import { t } from "./texts.ts";

/** Charts of two servers with the same time axis and scale. */
export function Page() {
  const { query } = place.value;
  const { a = "", b = "" } = query;
  useCrumbs([{ title: t("servers"), href: href("/servers") }, { title: t("title") }]);
  const range = useRange({ isLive: false });
  const isReady = a !== "" && b !== "" && a !== b;
  return (
    <>
      <Head title={isReady ? t("two", { a: titleOf("servers", a), b: titleOf("servers", b) }) : t("title")} />
      <div class="panel hero pick-two">
        <Pick name="a" label={t("first")} value={a} />
        <Pick name="b" label={t("second")} value={b} />
      </div>
      {isReady ? (
        <>
          <RangeBar range={range} isLive={false} />
          <Both a={a} b={b} range={range} />
        </>
      ) : (
        <Empty>{a !== "" && a === b ? t("same") : t("choose")}</Empty>
      )}
    </>
  );
}

interface PickProps {
  readonly name: "a" | "b";
  readonly label: string;
  readonly value: string;
}

function Pick({ name, label, value }: PickProps) {
  const servers = (listed("servers") ?? []).map(({ id }) => ({ value: id, title: titleOf("servers", id) }));
  const isKnown = value === "" || servers.some((choice) => choice.value === value);
  const choices = [{ value: "", title: t("none") }, ...servers, ...(isKnown ? [] : [{ value, title: value }])];
  return (
    <Field label={label}>
      {(id) => (
        <Select isActing id={id} choices={choices} value={value} onInput={(next) => setQuery({ [name]: next })} />
      )}
    </Field>
  );
}

interface BothProps {
  readonly a: string;
  readonly b: string;
  readonly range: Range;
}

function Both({ a, b, range }: BothProps) {
  const cursor = useMemo(createTimeCursor, []);
  const found = useBoth(a, b, range);
  const charts = useMemo(
    () =>
      singly(
        chartsOf(
          listed("monitors") ?? [],
          (listed("groups") ?? []).map(({ id }) => id),
        ),
      ),
    [listed("monitors"), listed("groups")],
  );
  return (
    <WhenLoaded of={found} rows={10}>
      {([first, second]) => (
        <div class="grid wide3">
          {charts.map(({ key, title, unit, atLeast }) => (
            <div key={key} class="c6">
              <Pair
                monitor={key}
                title={title}
                unit={unit}
                atLeast={atLeast}
                first={first}
                second={second}
                names={[titleOf("servers", a), titleOf("servers", b)]}
                limit={boundOf(key, ...[a, b].map((id) => listedOne("servers", id)?.groups ?? []))?.limit}
                range={range}
                cursor={cursor}
              />
            </div>
          ))}
        </div>
      )}
    </WhenLoaded>
  );
}

interface PairProps {
  readonly monitor: string;
  readonly title: string;
  readonly unit: Parameters<typeof Chart>[0]["unit"];
  readonly atLeast: number | undefined;
  readonly first: Timeline;
  readonly second: Timeline;
  readonly names: readonly [string, string];
  readonly limit: number | undefined;
  readonly range: Range;
  readonly cursor: TimeCursor;
}

function Pair({ monitor, title, unit, atLeast, first, second, names, limit, range: { from, to }, cursor }: PairProps) {
  const drawn = useMemo(() => {
    const times = [...new Set([...first.times, ...second.times])].sort((left, right) => left - right);
    const series = [first, second].map((timeline, at) => {
      const values = readingsOf(timeline, monitor);
      const byTime = new Map(timeline.times.map((time, index) => [time, values[index] ?? null]));
      return { name: names[at] ?? "", values: times.map((time) => byTime.get(time) ?? null) };
    });
    return { times, series };
  }, [first, second, monitor, names.join()]);
  return (
    <Chart
      {...{ ...drawn, title, unit, atLeast, from, to, step: first.step, cursor, isAlike: true }}
      limit={limit}
      note={stepNote(first.step)}
      onZoom={zoom}
      onReset={unzoom}
    />
  );
}

/** Reads the readings of two servers in the same range. */
function useBoth(a: string, b: string, { name, from, to }: Range) {
  const found = useLoad(`compare ${a} ${b} ${name ?? `${from} ${to}`}`, (signal) => {
    const ask = name ? { from: now.peek() - (to - from), to: now.peek() } : { from, to };
    return Promise.all([
      readTimeline({ server: a, ...ask }, { signal }),
      readTimeline({ server: b, ...ask }, { signal }),
    ]);
  });
  usePolling(name && Math.max(60, listFor(from, to).step), found.reload);
  return found;
}
