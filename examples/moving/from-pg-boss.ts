/**
 * Prints a module of events for the schedules of pg-boss: `DATABASE_URL=… node from-pg-boss.ts > events.ts`. Reads the tables of
 * pg-boss 10 to 12 in the schema `pgboss` (or the one that PGBOSS_SCHEMA names) and changes nothing.
 */
import { parseCron } from "@signalbox/core/plugin";
import pg from "pg";

interface Schedule {
  readonly name: string;
  readonly key?: string;
  readonly kind?: string;
  readonly cron: string;
  readonly timezone: string | null;
  readonly data: unknown;
  readonly retry_limit: number | null;
  readonly retry_delay: number | null;
  readonly retry_backoff: boolean | null;
  /** Options of this schedule's jobs; they override the options of its queue. */
  readonly options?: Readonly<Record<string, unknown>> | null;
}

const nameOf = ({ name, key }: Schedule): string => (key ? `${name} ${key}` : name);
const idOf = (schedule: Schedule): string =>
  nameOf(schedule)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 64);
const json = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ");

/** Options that pg-boss also keeps in columns. */
const IN_COLUMNS: ReadonlySet<string> = new Set(["tz", "key"]);

/** Throws for a schedule that has no equivalent. */
function eventText(schedule: Schedule): string {
  const { cron, timezone, data, retry_limit, retry_delay, retry_backoff, options } = schedule;
  const {
    retryLimit: amount = retry_limit,
    retryDelay,
    retryBackoff: grows = retry_backoff,
    ...others
  } = options ?? {};
  const duration = retryDelay ?? retry_delay ?? 0;
  if (schedule.kind === "rrule") throw new Error("it has a rule of iCalendar: write its triggers yourself");
  const id = idOf(schedule);
  const times = parseCron(cron).map((trigger) => ({ ...trigger, timezone: timezone ?? "UTC" }));
  const retry = { type: "retry", enabled: true, amount, duration, ...(grows ? { backoff: 2 } : {}) };
  const members = [
    `id: ${JSON.stringify(id)}`,
    `title: ${JSON.stringify(nameOf(schedule))}`,
    `schedule: ${json(times)}`,
    ...(amount ? [`limits: [${json(retry)}]`] : []),
    ...(data === null ? [] : [`defaults: ${json(data)}`]),
    `run: async ({ params }) => {\n    throw new Error(\`Put the work of ${id} here: \${JSON.stringify(params)}\`);\n  }`,
  ];
  const left = Object.keys(others)
    .filter((name) => !IN_COLUMNS.has(name))
    .map((name) => JSON.stringify(name));
  const note = left.length === 0 ? "" : `// Options of pg-boss that have no place here: ${left.join(", ")}\n`;
  // The prefix makes names such as "import" and "2nd" valid in TypeScript.
  return `${note}export const event_${id} = defineEvent({\n  ${members.join(",\n  ")},\n});\n`;
}

/** A schedule that has no equivalent leaves a comment, a line on standard error and the exit code 1, and the others are moved. */
function textOrNote(schedule: Schedule): string {
  try {
    return eventText(schedule);
  } catch (error) {
    const note = `${nameOf(schedule)} was not moved: ${error instanceof Error ? error.message : error}`;
    console.error(note);
    process.exitCode = 1;
    return `// ${note}\n`;
  }
}

const schema = pg.escapeIdentifier(process.env["PGBOSS_SCHEMA"] ?? "pgboss");
const client = new pg.Client({ connectionString: process.env["DATABASE_URL"] });
await client.connect();
const { rows } = await client.query<Schedule>(
  `select s.*, q.retry_limit, q.retry_delay, q.retry_backoff
   from ${schema}.schedule s left join ${schema}.queue q using (name) order by s.name`,
);
await client.end();
const ids = rows.map(idOf);
const twice = ids.find((id, index) => ids.indexOf(id) !== index);
if (twice !== undefined) throw new Error(`Two schedules would be the event ${twice}: rename one in pg-boss`);
console.log(`import { defineEvent } from "@signalbox/core";\n\n${rows.map(textOrNote).join("\n")}`);
