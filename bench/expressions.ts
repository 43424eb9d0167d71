import { readFileSync } from "node:fs";
import { createExpressions } from "@signalbox/core/plugin";
import jexl from "jexl";
import { median, type Row } from "./report.ts";

interface Process {
  readonly pid: number;
  readonly cpu: number;
  readonly memRss: number;
  readonly command: string;
  readonly state: string;
}

interface Connection {
  readonly pid: number;
  readonly state: string;
  readonly type: string;
}

interface Sample {
  readonly uptime_sec: number;
  readonly platform: string;
  readonly load: readonly number[];
  readonly jobs: number;
  readonly process: { readonly cpu: number };
  readonly memory: Readonly<Record<"total" | "available" | "swaptotal" | "swapfree", number>>;
  readonly cpu: { readonly currentLoad: number; readonly cores: number; readonly totals: { readonly iowait: number } };
  readonly mounts: { readonly root: { readonly use: number; readonly available: number } };
  readonly stats: {
    readonly io: { readonly tIO_sec: number };
    readonly network: { readonly rx_sec: number; readonly tx_sec: number; readonly conns: number };
  };
  readonly conns: readonly Connection[];
  readonly processes: { readonly list: readonly Process[]; readonly all: number };
  readonly commands: { readonly open_files: string };
  readonly monitors: Readonly<Record<string, number>>;
  readonly deltas: Readonly<Record<string, number>>;
}

/** An expression, and the function that a programmer would write instead of it. */
interface Case {
  readonly kind: "scalar" | "filter";
  readonly source: string;
  readonly byHand: (data: Sample) => unknown;
}

const cases: readonly Case[] = [
  { kind: "scalar", source: "cpu.currentLoad", byHand: (d) => d.cpu.currentLoad },
  { kind: "scalar", source: "load[0]", byHand: (d) => d.load[0] },
  { kind: "scalar", source: "mounts.root.use", byHand: (d) => d.mounts.root.use },
  {
    kind: "scalar",
    source: "100 - memory.available / memory.total * 100",
    byHand: (d) => 100 - (d.memory.available / d.memory.total) * 100,
  },
  {
    kind: "scalar",
    source: "stats && stats.network ? stats.network.rx_sec : 0",
    byHand: (d) => (d.stats?.network ? d.stats.network.rx_sec : 0),
  },
  {
    kind: "scalar",
    source: "(stats.network.rx_sec + stats.network.tx_sec) / 1024",
    byHand: (d) => (d.stats.network.rx_sec + d.stats.network.tx_sec) / 1024,
  },
  { kind: "scalar", source: "stats.io.tIO_sec", byHand: (d) => d.stats.io.tIO_sec },
  { kind: "scalar", source: "cpu.totals.iowait", byHand: (d) => d.cpu.totals.iowait },
  {
    kind: "scalar",
    source: "integer(commands.open_files)",
    byHand: (d) => Number.parseInt(d.commands.open_files, 10) || 0,
  },
  { kind: "scalar", source: "float(process.cpu)", byHand: (d) => Math.floor(d.process.cpu * 100) / 100 || 0 },
  {
    kind: "filter",
    source: "count(conns[.state == 'ESTABLISHED'])",
    byHand: (d) => d.conns.filter((c) => c.state === "ESTABLISHED").length,
  },
  {
    kind: "filter",
    source: "processes.list[.command == 'node server.js'].memRss",
    byHand: (d) => d.processes.list.find((p) => p.command === "node server.js")?.memRss,
  },
  { kind: "scalar", source: "cpu.currentLoad > 90", byHand: (d) => d.cpu.currentLoad > 90 },
  {
    kind: "scalar",
    source: "monitors.load_avg >= (cpu.cores + 1)",
    byHand: (d) => (d.monitors["load_avg"] ?? 0) >= d.cpu.cores + 1,
  },
  {
    kind: "scalar",
    source: "deltas.os_bytes_out_sec >= 33554432",
    byHand: (d) => (d.deltas["os_bytes_out_sec"] ?? 0) >= 33554432,
  },
  {
    kind: "scalar",
    source: "mounts.root.use >= 90 || mounts.root.available < 1073741824",
    byHand: (d) => d.mounts.root.use >= 90 || d.mounts.root.available < 1073741824,
  },
  {
    kind: "scalar",
    source: "platform == 'linux' && memory.swaptotal > 0 && memory.swapfree / memory.swaptotal < 0.1",
    byHand: (d) => d.platform === "linux" && d.memory.swaptotal > 0 && d.memory.swapfree / d.memory.swaptotal < 0.1,
  },
  {
    kind: "scalar",
    source: "platform in ['linux', 'darwin'] && uptime_sec < 300",
    byHand: (d) => ["linux", "darwin"].includes(d.platform) && d.uptime_sec < 300,
  },
  {
    kind: "filter",
    source: "count(processes.list[.cpu > 80 && .memRss > 1000000]) > 0",
    byHand: (d) => d.processes.list.filter((p) => p.cpu > 80 && p.memRss > 1000000).length > 0,
  },
  {
    kind: "filter",
    source: "count(processes.list[.state == 'Zombie']) >= 10",
    byHand: (d) => d.processes.list.filter((p) => p.state === "Zombie").length >= 10,
  },
];

const messages: readonly string[] = [
  "CPU load average is too high: {{float(monitors.load_avg)}} ({{cpu.cores}} CPU cores)",
  "Disk is {{pct(mounts.root.use)}} full, {{bytes(mounts.root.available)}} free of {{hostname}}",
  "{{ processes.all }} processes, {{ jobs }} jobs, {{ stats.network.conns }} connections",
];

const repeatRows = <T extends { pid: number }>(rows: readonly T[], total: number): T[] =>
  Array.from({ length: total }, (_, index) => ({ ...(rows[index % rows.length] as T), pid: 1000 + index }));

/** A captured minute sample, its lists extended to the usual length of a server's, parsed as on arrival. */
const readSample = (): Sample => {
  const sample = JSON.parse(readFileSync(new URL("data/monitor.json", import.meta.url), "utf8")) as Sample;
  const longer: Sample = {
    ...sample,
    conns: repeatRows(sample.conns, 40),
    processes: { ...sample.processes, list: repeatRows(sample.processes.list, 60) },
  };
  return JSON.parse(JSON.stringify(longer)) as Sample;
};

/** The functions that the cases use, in their simplest form, so that both engines do the same work. */
const plainFunctions: Readonly<Record<string, (value: never) => unknown>> = {
  count: (value: readonly unknown[]) => (value || []).length,
  integer: (value: string) => Number.parseInt(value, 10) || 0,
  float: (value: number) => Math.floor(value * 100) / 100 || 0,
  pct: (value: number) => `${Math.floor(value * 100) / 100}%`,
  bytes: (value: number) => `${Math.floor(value / 1024)} K`,
};

const roundMs = 120;

/** Evaluations per second of a list of closures over the data, running for about `roundMs`. */
const measure = (runs: readonly ((data: Sample) => unknown)[], data: Sample): number => {
  const start = performance.now();
  let evaluations = 0;
  let elapsed = 0;
  do {
    for (let batch = 0; batch < 20; batch++) for (const run of runs) run(data);
    evaluations += 20 * runs.length;
    elapsed = performance.now() - start;
  } while (elapsed < roundMs);
  return (evaluations * 1000) / elapsed;
};

type Contender = readonly ((data: Sample) => unknown)[];

/** Medians of five interleaved rounds after a warm-up round. */
const race = <K extends string>(contenders: Readonly<Record<K, Contender>>, data: Sample): Record<K, number> => {
  const names = Object.keys(contenders) as K[];
  const rates = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < 6; round++) {
    for (const name of names) {
      const rate = measure(contenders[name], data);
      if (round > 0) rates.get(name)?.push(rate);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(rates.get(name) ?? [])])) as Record<K, number>;
};

const createParser = () => {
  const parser = new jexl.Jexl();
  for (const [name, implementation] of Object.entries(plainFunctions)) parser.addFunction(name, implementation);
  return parser;
};

/** The same record under member names that were never used before. */
const renameMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renameMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [`${name}_`, renameMembers(member)]));
};

const renameNames = (source: string): string =>
  source.replace(/'[^']*'|\bin\b|\w+\(|[A-Za-z_]\w*/g, (part) =>
    /^\w+$/.test(part) && part !== "in" ? `${part}_` : part,
  );

const compileAll = (selected: readonly Case[]) => {
  const expressions = createExpressions();
  const parser = createParser();
  return {
    ours: selected.map(({ source }) => expressions.compile(source).evaluate),
    jexl: selected.map(({ source }) => {
      const compiled = parser.createExpression(source).compile();
      return (data: Sample) => compiled.evalSync(data);
    }),
    byHand: selected.map(({ byHand }) => byHand),
  };
};

/** Throws when the engines disagree. */
const checkAnswers = (data: Sample): void => {
  const { ours, jexl: theirs, byHand } = compileAll(cases);
  for (const [index, { source }] of cases.entries()) {
    const answers = [ours, theirs, byHand].map((runs) => JSON.stringify(runs[index]?.(data)));
    if (new Set(answers).size !== 1) throw new Error(`${source} differs: ${answers.join(", ")}`);
  }
};

const expressionRows = (data: Sample): Row[] => {
  const mix = race(compileAll(cases), data);
  const scalars = race(compileAll(cases.filter(({ kind }) => kind === "scalar")), data);
  const filters = race(compileAll(cases.filter(({ kind }) => kind === "filter")), data);
  const renamed = cases.map((entry) => ({ ...entry, source: renameNames(entry.source) }));
  const { ours, jexl: theirs } = compileAll(renamed);
  const unknown = race({ ours, jexl: theirs }, renameMembers(data) as Sample);
  const unit = "evaluations/s";
  return [
    { name: "jexl evalSync, 20 expressions", value: mix.jexl, unit },
    { name: "by hand, 20 expressions", value: mix.byHand, unit },
    {
      name: "P1 compiled / jexl, 20 expressions",
      value: mix.ours,
      unit,
      ratio: mix.ours / mix.jexl,
      floor: 30,
      goal: 35,
    },
    { name: "P1 compiled / jexl, 16 scalars", value: scalars.ours, unit, ratio: scalars.ours / scalars.jexl, goal: 30 },
    { name: "P1 compiled / jexl, 4 filters", value: filters.ours, unit, ratio: filters.ours / filters.jexl, goal: 40 },
    { name: "compiled / jexl, unheard-of names", value: unknown.ours, unit, ratio: unknown.ours / unknown.jexl },
    { name: "compiled / by hand, 20 expressions", value: mix.ours, unit, ratio: mix.ours / mix.byHand },
    { name: "by hand / jexl, 20 expressions", value: mix.byHand, unit, ratio: mix.byHand / mix.jexl },
  ];
};

const macroRows = (data: Sample): Row[] => {
  const expressions = createExpressions();
  const parser = createParser();
  const templates = messages.map((message) => expressions.compileTemplate(message));
  const macros = templates.reduce((sum, template) => sum + template.macros.length, 0) / templates.length;
  const rates = race(
    {
      ours: templates.map((template) => (sample: Sample) => template.expand(sample)),
      jexl: messages.map((message) => (sample: Sample) => {
        return message.replace(/\{\{(.+?)\}\}/g, (_, source: string) => String(parser.evalSync(source, sample)));
      }),
    },
    data,
  );
  const unit = "macros/s";
  return [
    { name: "macros, jexl evalSync of the text", value: rates.jexl * macros, unit },
    {
      name: "P4 macros, compiled template / jexl",
      value: rates.ours * macros,
      unit,
      ratio: rates.ours / rates.jexl,
      goal: 50,
    },
  ];
};

/** Measures expressions and templates against jexl and against hand-written code, in one process, interleaved. */
export const runExpressions = async (): Promise<Row[]> => {
  const data = readSample();
  checkAnswers(data);
  return [...expressionRows(data), ...macroRows(data)];
};
