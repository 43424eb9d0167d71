import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, type Row } from "./report.ts";

const ROUNDS = 5;
/** Budget for a cold start, in milliseconds: goal P24. */
const BUDGET_MS = 250;

const PROGRAM = `
  const begun = performance.now();
  const { createSignalbox } = await import("@signalbox/core");
  const { createRouter } = await import("@signalbox/http-hono");
  const { sqliteStorage } = await import("@signalbox/storage-sqlite");
  const imported = performance.now();
  const signalbox = createSignalbox({ storage: sqliteStorage({ filename: ":memory:" }), secretKey: "0123456789abcdef" });
  createRouter(signalbox);
  const made = performance.now();
  await signalbox.start();
  const started = performance.now();
  await signalbox.stop();
  const warm = performance.now();
  createRouter(createSignalbox({ storage: sqliteStorage({ filename: ":memory:" }), secretKey: "0123456789abcdef" }));
  console.log(JSON.stringify([imported - begun, made - imported, started - made, performance.now() - warm]));
`;

/** Time that Signalbox adds to a host (import, create and mount, start), with published packages in fresh processes. */
export async function runMount(): Promise<Row[]> {
  const samples = Array.from({ length: ROUNDS }, (): number[] => {
    const cwd = fileURLToPath(new URL(".", import.meta.url));
    return JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM], { cwd, encoding: "utf8" }),
    );
  });
  const at = (index: number): number => median(samples.map((sample) => sample[index] ?? Number.NaN));
  const mount = median(samples.map(([imports = 0, made = 0]) => imports + made));
  return [
    { name: "import of core, http-hono, storage-sqlite", value: at(0), unit: "ms" },
    { name: "make and mount", value: at(1), unit: "ms" },
    {
      name: `P24 budget of ${BUDGET_MS} ms / mount into a host, cold`,
      value: mount,
      unit: "ms",
      ratio: BUDGET_MS / mount,
      floor: 1,
      goal: 1,
    },
    { name: "start with an empty database in memory", value: at(2), unit: "ms" },
    { name: "make and mount a second engine, warm", value: at(3), unit: "ms" },
  ];
}
