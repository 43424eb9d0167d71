import type { Page } from "../../../ports/storage/collection.ts";
import type { TimelinePoint } from "../../../ports/storage/timeline.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { ENTRY_BREAK } from "../../../search/text/analyse.ts";
import { oddTexts, type Probe } from "../storage/storage-fixtures.ts";

export type TxCall =
  | { readonly call: "insert" | "replace"; readonly record: Probe }
  | { readonly call: "delete" | "get"; readonly id: string }
  | { readonly call: "getMany"; readonly ids: readonly string[] }
  | { readonly call: "list" }
  | { readonly call: "find"; readonly where: SearchNode; readonly page: Page }
  | { readonly call: "counter"; readonly name: string }
  | {
      readonly call: "enqueue";
      readonly kind: string;
      readonly payload: number;
      readonly runAt: number;
      readonly key?: string;
      readonly node?: string;
    }
  | { readonly call: "put"; readonly server: string; readonly system: string; readonly point: TimelinePoint }
  | { readonly call: "tidy"; readonly system: string; readonly below: number; readonly limit: number }
  | { readonly call: "latest"; readonly server: string; readonly system: string; readonly limit: number }
  | {
      readonly call: "range";
      readonly server: string;
      readonly system: string;
      readonly from: number;
      readonly to: number;
      readonly limit: number;
    }
  | { readonly call: "bounds"; readonly server: string; readonly system: string }
  | { readonly call: "prune"; readonly system: string; readonly below: number }
  | { readonly call: "drop"; readonly server: string };

export type Step =
  | { readonly step: "write"; readonly calls: readonly TxCall[]; readonly fails: boolean }
  | { readonly step: "read"; readonly calls: readonly TxCall[] }
  | {
      readonly step: "claim";
      readonly node: string;
      readonly kinds: readonly string[];
      readonly limit: number;
      readonly now: number;
    }
  /** `claim` is a position counted back from the last claimed item. */
  | { readonly step: "renew" | "complete"; readonly claim: number; readonly until: number }
  | { readonly step: "release"; readonly claim: number; readonly runAt: number | null }
  | { readonly step: "stats" };

/** Returns a number below `count`. */
export type Choose = (count: number) => number;

const pick = <T>(choose: Choose, values: readonly T[]): T => values[choose(values.length)] as T;
const ids = ["a", "b", "c", "d", "é"];
const ranks = [null, 0, -1, 1.5, 2, 1e300];
const words = ["t", "u", "😀", "x\u0000"];
/** Includes an entry break, a text that is not a word, and letters that only some database engines recognise. */
const texts = ["a", "b", "a_b", "é", "\u{10428}", "x".repeat(300), "no word", ENTRY_BREAK];
const servers = ["s1", "s2"];
const systems = ["hourly", "daily"];
const buckets = [0, 1, 2, 3, 59, 60, 61, 118, 5000, 9_000_000];

const amounts = [0, 1, -7, 0.25, 1e21, 5e-324, -0.1];

const drawRecord = (choose: Choose): Probe => ({
  id: pick(choose, ids),
  title: pick(choose, [...oddTexts, "a\u0000\ud800"]),
  rank: pick(choose, ranks),
  tags: words.filter(() => choose(2) === 1),
  words: drawText(choose, 6),
  ...(choose(3) === 2 ? { code: pick(choose, ["x", "y"]) } : {}),
});

const drawText = (choose: Choose, length: number): string[] =>
  Array.from({ length: choose(length) }, () => texts[Math.min(choose(texts.length), choose(texts.length))] as string);

function drawNode(choose: Choose, depth = 2): SearchNode {
  const operator = () => pick(choose, ["eq", "lt", "lte", "gt", "gte"] as const);
  switch (choose(depth > 0 ? 9 : 6)) {
    case 0:
      return { kind: "all" };
    case 1:
      return { kind: "term", field: "tags", words: words.filter(() => choose(3) === 0) };
    case 2:
      return { kind: "compare", field: "rank", operator: operator(), value: pick(choose, [...ranks, "2"]) };
    case 3:
      return {
        kind: "compare",
        field: pick(choose, ["title", "id"]),
        operator: operator(),
        value: pick(choose, oddTexts),
      };
    case 4:
      return { kind: "compare", field: "code", operator: operator(), value: pick(choose, [null, "x"]) };
    case 5:
      return { kind: "text", field: "words", phrases: Array.from({ length: choose(3) }, () => drawText(choose, 4)) };
    case 6:
      return { kind: "not", node: drawNode(choose, depth - 1) };
    default: {
      const kind = pick(choose, ["and", "or"] as const);
      return { kind, nodes: Array.from({ length: choose(4) }, () => drawNode(choose, depth - 1)) };
    }
  }
}

const drawPage = (choose: Choose): Page => ({
  ...(choose(2) ? { sortBy: pick(choose, ["rank", "title", "id", "code"]) } : {}),
  ...(choose(2) ? { descending: true } : {}),
  ...(choose(3) ? {} : { offset: choose(4) }),
  ...(choose(2) ? { limit: choose(4) } : {}),
});

const drawPoint = (choose: Choose): TimelinePoint => {
  const epoch_div = pick(choose, buckets);
  return {
    epoch_div,
    date: epoch_div * 60,
    count: choose(3),
    totals: { m: pick(choose, amounts), ...(choose(4) ? {} : { n: choose(9) / 10 }) },
    ...(choose(3) ? {} : { alerts: { a1: true } as const }),
    ...(choose(3) ? {} : { deltas: { d: 0.5 } }),
  };
};

const drawRead: readonly ((choose: Choose) => TxCall)[] = [
  (choose) => ({ call: "find", where: drawNode(choose), page: drawPage(choose) }),
  (choose) => ({ call: "get", id: pick(choose, ids) }),
  (choose) => ({ call: "getMany", ids: Array.from({ length: choose(4) }, () => pick(choose, ids)) }),
  () => ({ call: "list" }),
  (choose) => ({ call: "latest", server: pick(choose, servers), system: pick(choose, systems), limit: choose(4) }),
  (choose) => ({ call: "bounds", server: pick(choose, servers), system: pick(choose, systems) }),
  (choose) => {
    const [server, system] = [pick(choose, servers), pick(choose, systems)];
    return { call: "range", server, system, from: pick(choose, buckets), to: pick(choose, buckets), limit: choose(5) };
  },
];

const drawChange: readonly ((choose: Choose) => TxCall)[] = [
  (choose) => ({ call: "insert", record: drawRecord(choose) }),
  (choose) => ({ call: "replace", record: drawRecord(choose) }),
  (choose) => ({ call: "delete", id: pick(choose, ids) }),
  (choose) => ({
    call: "enqueue",
    kind: pick(choose, ["k1", "k2"]),
    payload: choose(100),
    runAt: choose(5),
    ...(choose(2) ? { key: pick(choose, ["x", "y"]) } : {}),
    ...(choose(4) ? {} : { node: pick(choose, ["n1", "n2"]) }),
  }),
  (choose) => ({ call: "put", server: pick(choose, servers), system: pick(choose, systems), point: drawPoint(choose) }),
  (choose) => ({ call: "counter", name: pick(choose, ["c1", "c2"]) }),
  (choose) => ({ call: "prune", system: pick(choose, systems), below: pick(choose, buckets) }),
  (choose) => ({ call: "tidy", system: pick(choose, systems), below: 60 * choose(200), limit: 1 + choose(2) }),
  (choose) => ({ call: "drop", server: pick(choose, servers) }),
];

const many = <T>(choose: Choose, draw: () => T): T[] => Array.from({ length: 1 + choose(4) }, draw);

/** The first step: inserts records for later steps to find and change. */
export const drawStart = (choose: Choose): Step => ({
  step: "write",
  calls: ids.slice(0, choose(ids.length + 1)).map((id) => ({ call: "insert", record: { ...drawRecord(choose), id } })),
  fails: false,
});

export function drawStep(choose: Choose): Step {
  const call = (kinds: readonly ((choose: Choose) => TxCall)[]) => () => pick(choose, kinds)(choose);
  switch (choose(9)) {
    case 0:
    case 1:
    case 2:
      return {
        step: "write",
        calls: many(choose, call([...drawChange, ...drawChange, ...drawRead])),
        fails: choose(6) === 5,
      };
    case 3:
      return { step: "read", calls: many(choose, call(drawRead)) };
    case 4:
    case 5:
      return {
        step: "claim",
        node: pick(choose, ["n1", "n2"]),
        kinds: pick(choose, [["k1", "k2"], ["k1"]]),
        limit: choose(4),
        now: choose(9),
      };
    case 6:
      return { step: pick(choose, ["renew", "complete"] as const), claim: choose(3), until: choose(9) };
    case 7:
      return { step: "release", claim: choose(3), runAt: pick(choose, [null, 1, 3]) };
    default:
      return { step: "stats" };
  }
}
