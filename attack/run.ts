/** The command `npm run attack`: runs all parts, or those named by `--only`, and prints a report of figures. */
import { parseArgs } from "node:util";
import { GROUPS, PARTS } from "./attacks/index.ts";
import { attackAll } from "./stage/attack-all.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: [] },
    named: { type: "string", default: "" },
    short: { type: "boolean", default: false },
    storage: { type: "string", default: "sqlite" },
    profile: { type: "string" },
  },
});
const unknown = values.only.find((name) => !PARTS.some(({ id }) => id === name));
if (unknown) throw new Error(`There is no part "${unknown}": ${PARTS.map(({ id }) => id).join(", ")}`);
const { lines, broken } = await attackAll(GROUPS, {
  ...values,
  nodeArguments: values.profile ? ["--cpu-prof", `--cpu-prof-dir=${values.profile}`] : [],
  say: (line) => console.log(line),
});
console.log(lines.join("\n"));
if (broken.length > 0) process.exitCode = 1;
