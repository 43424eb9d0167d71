import { membersOf } from "../../../../lib/json/is-object.ts";
import { analyseKeywords } from "../../../../search/text/analyse.ts";
import { isReservedWord } from "../../../../wire/fields/reserved.ts";
import type { Server } from "../../model.ts";

type Facts = Readonly<Record<string, unknown>>;
const part = ({ info }: Server, name: string): Facts => membersOf(info[name]);

/**
 * Facts that the agent reports, by which servers are counted and searched
 * (docs/contract/servers.md#operations-on-servers).
 */
const FACTS: Readonly<Record<string, (server: Server) => unknown>> = {
  os_platform: (server) => part(server, "os")["platform"],
  os_distro: (server) => part(server, "os")["distro"],
  os_release: (server) => part(server, "os")["release"],
  os_arch: (server) => part(server, "os")["arch"],
  cpu_virt: (server) => part(server, "virt")["vendor"],
  cpu_brand: (server) => part(server, "cpu")["combo"],
  cpu_cores: (server) => part(server, "cpu")["cores"],
};

export const FACT_FIELDS: readonly string[] = Object.keys(FACTS);

/** Text of a fact; empty when the agent did not report it. */
function factOf(server: Server, field: string): string {
  const value = FACTS[field]?.(server);
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : "";
}

/** Search word of a fact, as in the index: lower case, each run of other characters replaced by an underscore. */
export const factWords = (server: Server, field: string): string[] =>
  analyseKeywords(factOf(server, field), { alphanum: true });

export interface Summary {
  readonly id: string;
  /** Number of servers by word. */
  readonly values: Record<string, number>;
  /** By word, one of the texts that it stands for. */
  readonly labels: Record<string, string>;
  /** Unix seconds of the latest change of a counted server. */
  modified: number;
}
export type Summaries = Record<string, Summary>;

/** Adds one server to the counts. */
export function countFacts(summaries: Summaries, server: Server): void {
  for (const id of FACT_FIELDS) {
    const [word] = factWords(server, id);
    // An agent may report any text; a word such as "constructor" must not find inherited members of objects.
    if (word === undefined || isReservedWord(word)) continue;
    summaries[id] ??= { id, values: {}, labels: {}, modified: 0 };
    const summary = summaries[id];
    summary.values[word] = (summary.values[word] ?? 0) + 1;
    summary.labels[word] = factOf(server, id);
    summary.modified = Math.max(summary.modified, server.modified);
  }
}
