import { categoryRecords } from "../../../directory/categories/records.ts";
import type { PluginRecord } from "../../../directory/plugins/model.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import { tagRecords } from "../../../directory/tags/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { byId } from "../../../lib/by-id.ts";
import { isWord } from "../../../lib/text/text-of.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { categoriesOf, idsIn, isJobNode, type LooseNode, nodesOf, unique } from "../rules/nodes.ts";

type NamedEvent = NonNullable<Awaited<ReturnType<Cradle["eventRecords"]["read"]>>>;

/** The records that the nodes of a graph name, read once. */
export interface NamedRecords {
  readonly events: ReadonlyMap<string, NamedEvent>;
  readonly plugins: ReadonlyMap<string, PluginRecord>;
  readonly categories: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
}

const idsAt = (nodes: readonly LooseNode[], members: Readonly<Record<string, string>>): string[] =>
  unique(nodes.map(({ type, data }) => data[members[type] ?? ""]).filter(isWord));

export async function readNamed(
  { eventRecords }: Pick<Cradle, "eventRecords">,
  tx: ReadTx,
  graph: unknown,
): Promise<NamedRecords> {
  const nodes = nodesOf(graph);
  const eventIds = idsAt(nodes, { event: "event", action: "event_id" });
  const events = byId(await eventRecords.readMany(tx, eventIds));
  const ofEvents = [...events.values()].map(({ plugin }) => plugin);
  const pluginIds = unique([...idsAt(nodes, { job: "plugin", action: "plugin_id" }), ...ofEvents]);
  const plugins = found(await tx.collection(pluginRecords).getMany(pluginIds));
  const categories = found(await tx.collection(categoryRecords).getMany(categoriesOf(graph).filter(isWord)));
  const tagIds = unique(nodes.filter(isJobNode).flatMap(({ data }) => idsIn(data["tags"]).filter(isWord)));
  const tags = found(await tx.collection(tagRecords).getMany(tagIds));
  return {
    events,
    plugins: byId(plugins),
    categories: new Set(categories.map(({ id }) => id)),
    tags: new Set(tags.map(({ id }) => id)),
  };
}

const found = <T>(records: readonly (T | undefined)[]): T[] =>
  records.filter((record): record is T & {} => record !== undefined) as T[];
