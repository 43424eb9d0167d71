import { membersOf } from "../../../../lib/json/is-object.ts";
import { analyseKeywords } from "../../../../search/text/analyse.ts";
import { isReservedWord } from "../../../../wire/fields/reserved.ts";
import type { Server } from "../../model.ts";

type Facts = Readonly<Record<string, unknown>>;
const part = ({ info }: Server, name: string): Facts => membersOf(info[name]);

/** Facts by which servers are counted and searched (docs/contract/servers.md#operations-on-servers), from the agent. */
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

/** Text of a fact; empty when the agent did not say it. */
function factOf(server: Server, field: string): string {
  const value = FACTS[field]?.(server);
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : "";
}

/** The word of a fact, as the index holds it: lower case, every run of other characters an underscore. */
export const factWords = (server: Server, field: string): string[] =>
  analyseKeywords(factOf(server, field), { alphanum: true });

export interface Summary {
  readonly id: string;
  /** Servers by word. */
  readonly values: Record<string, number>;
  /** A text that the word stands for. */
  readonly labels: Record<string, string>;
  /** Unix seconds of the newest change of a counted server. */
  modified: number;
}
export type Summaries = Record<string, Summary>;

/** Counts one more server. */
export function countFacts(summaries: Summaries, server: Server): void {
  for (const id of FACT_FIELDS) {
    const [word] = factWords(server, id);
    // An agent may call its system anything; a word like "constructor" must not find inherited members of objects.
    if (word === undefined || isReservedWord(word)) continue;
    summaries[id] ??= { id, values: {}, labels: {}, modified: 0 };
    const summary = summaries[id];
    summary.values[word] = (summary.values[word] ?? 0) + 1;
    summary.labels[word] = factOf(server, id);
    summary.modified = Math.max(summary.modified, server.modified);
  }
}
