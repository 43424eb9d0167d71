/**
 * The command `npm run soak`: the whole scenario once for each statement of SQLite and each call of the blob store,
 * which fails that one time. Some thousands of runs, two hours; `--every 10` takes each tenth.
 */
import { parseArgs } from "node:util";
import { type FaultKind, inject } from "./injection.ts";

const { values } = parseArgs({ options: { every: { type: "string", default: "1" } } });
const every = Number(values.every);
if (!(every >= 1)) throw new Error("--every must be a number of runs");

const KINDS: readonly FaultKind[] = ["statement", "transaction", "blob"];
let runs = 0;
let broken = 0;
for (const kind of KINDS) {
  const { places } = await inject({ kind, at: 0 });
  for (let at = 1; at <= places.length; at += kind === "blob" ? 1 : every) {
    const { problems } = await inject({ kind, at });
    runs += 1;
    if (problems.length > 0) broken += 1;
    for (const problem of problems) console.log(`${kind} ${at}: ${problem}`);
  }
  console.log(`${kind}: ${places.length} places`);
}
console.log(`${runs} runs, ${broken} with problems`);
process.exit(broken === 0 ? 0 : 1);
