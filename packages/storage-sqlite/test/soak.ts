/**
 * The part `faults` of `npm run soak`: runs the whole scenario once for each statement of SQLite, call of the blob store, mail,
 * web hook and message to an agent, which fails that one time. Some thousands of runs, ten minutes on one core; `--shard 1/2` and
 * `--shard 2/2` split them between two processes, `--kind statement` selects one kind of fault, `--every 10` each tenth place.
 */
import { parseArgs } from "node:util";
import { type FaultKind, inject, placesOf } from "./injection.ts";

const { values } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    kind: { type: "string", multiple: true, default: [] },
    shard: { type: "string", default: "1/1" },
  },
});

const KINDS: readonly FaultKind[] = ["statement", "transaction", "blob", "mail", "hook", "message"];
/** Seconds between two progress lines. */
const PROGRESS_SEC = 15;

const every = Number(values.every);
if (!(Number.isInteger(every) && every >= 1)) throw new Error("--every must be a whole number from 1 on");
const [, shard = 0, shards = 0] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(values.shard) ?? []).map(Number);
if (shard < 1 || shard > shards) throw new Error("--shard must be 1/1, 1/2, 2/2 and so on");
const stranger = values.kind.find((kind) => !KINDS.some((known) => known === kind));
if (stranger !== undefined) throw new Error(`There is no kind "${stranger}": ${KINDS.join(", ")}`);
const kinds = values.kind.length > 0 ? KINDS.filter((kind) => values.kind.includes(kind)) : KINDS;

/** The places that this process takes, counted from 1. */
function chosenOf(kind: FaultKind, count: number): readonly number[] {
  const step = kind === "statement" || kind === "transaction" ? every : 1;
  const all = Array.from({ length: Math.ceil(count / step) }, (_, index) => 1 + index * step);
  return all.filter((_, index) => index % shards === shard - 1);
}

let runs = 0;
let broken = 0;
const whole = await inject({ kind: "statement", at: 0 });
for (const kind of kinds) {
  const places = placesOf(kind, whole);
  const chosen = chosenOf(kind, places.length);
  let toldAt = performance.now();
  for (const [index, at] of chosen.entries()) {
    const { problems } = await inject({ kind, at });
    runs += 1;
    if (problems.length > 0) broken += 1;
    for (const problem of problems) console.log(`${kind} ${at}: ${problem}`);
    if (performance.now() - toldAt < PROGRESS_SEC * 1000) continue;
    toldAt = performance.now();
    console.log(`${kind}: ${index + 1} of ${chosen.length}`);
  }
  console.log(`${kind}: ${chosen.length} of ${places.length} places`);
}
console.log(`${runs} runs, ${broken} with problems`);
process.exit(broken === 0 ? 0 : 1);
