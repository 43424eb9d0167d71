import type { TransferSeries } from "../../../kernel/plugins/transfer.ts";
import { emptyLine } from "../rules/format/lines.ts";
import { headerLine, PAGE_ENTRIES, pageLine } from "../rules/format/pages.ts";
import type { TransferItem } from "../rules/items.ts";
import { conditionOf, eachOwner, tableOf } from "./records.ts";
import type { ExportTools } from "./tools.ts";

type SeriesItem = Extract<TransferItem, { readonly type: "monitorData" }>;
/** Buckets read at a time; most of them may be empty. */
const SPAN = 1440;

/** The history of each server that matches a query, per resolution, oldest points first. */
export async function* seriesLines(tools: ExportTools, item: SeriesItem): AsyncGenerator<string> {
  for (const series of tools.cradle.registry.transfer.series.values()) {
    if (series.item !== item.type) continue;
    const found = tableOf(tools, series.index);
    if (!found) continue;
    const owners = eachOwner(tools, {
      collection: found.collection,
      where: conditionOf(tools, series.index, item.query),
      sortBy: found.table.newest,
      descending: true,
      most: 0,
    });
    for await (const { id } of owners)
      for (const resolution of Object.keys(series.resolutions)) yield* seriesOf(tools, series, { id, resolution });
  }
}

async function* seriesOf(
  tools: ExportTools,
  series: TransferSeries,
  { id, resolution }: { readonly id: string; readonly resolution: string },
): AsyncGenerator<string> {
  const { snapshot } = tools.cradle;
  const extent = await snapshot((tx) => series.extent(tx, id, resolution));
  if (!extent) return;
  const key = `timeline/${id}/${resolution}`;
  yield emptyLine(key);
  let [page, length]: [number, number] = [0, 0];
  let waiting: object[] = [];
  for (let from = extent.first; from <= extent.last; from += SPAN) {
    tools.signal.throwIfAborted();
    const to = Math.min(from + SPAN, extent.last + 1);
    waiting.push(...(await snapshot(async (tx) => series.points(tx, id, { resolution, from, to }))));
    while (waiting.length >= PAGE_ENTRIES || (to > extent.last && waiting.length > 0)) {
      const items = waiting.slice(0, PAGE_ENTRIES);
      waiting = waiting.slice(PAGE_ENTRIES);
      yield pageLine(key, page++, items);
      length += items.length;
      tools.count("points", items.length);
    }
    await tools.breath();
  }
  yield headerLine(key, { pages: page, length });
}
