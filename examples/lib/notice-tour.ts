import type { createSignalbox } from "@signalbox/core";
import { until } from "./until.ts";

type Box = Awaited<ReturnType<typeof createSignalbox>>;

const TAG = "quick_start_machine";
const ROUTE = "quick_start_route";
const PEOPLE = "quick_start_people";
/** Two alerts that are sure to fire on the same reading. */
const ALERTS = [
  { id: "quick_start_cores", title: "Cores are there", expression: "cpu.cores > 0", message: "{{cpu.cores}} cores" },
  {
    id: "quick_start_space",
    title: "Space is taken",
    expression: "monitors.disk_usage_root > 0",
    message: "{{pct(monitors.disk_usage_root)}} of the root file system",
  },
];

const say = (text: string): void => console.log(text);

/** Creates a route that tells administrators of all alerts with a tag together; again on each start. */
export async function prepareNotices({ api }: Box): Promise<void> {
  const removals = [
    () => api.deleteRoute({ id: ROUTE }),
    () => api.deleteReceiver({ id: PEOPLE }),
    ...ALERTS.map(
      ({ id }) =>
        () =>
          api.deleteAlert({ id }),
    ),
  ];
  for (const remove of removals)
    await remove().catch((error: { code?: string }) => {
      if (!["alert", "receiver", "route"].includes(error.code ?? "")) throw error;
    });
  await api.createReceiver({ id: PEOPLE, title: "Administrators (quick start)", type: "user", users: ["@admins"] });
  await api.createRoute({
    id: ROUTE,
    title: "This machine",
    match: { tags: [TAG] },
    group_by: ["tag"],
    group_wait: 2,
    steps: [{ after: 0, to: [PEOPLE] }],
  });
  for (const alert of ALERTS) await api.createAlert({ ...alert, tags: [TAG] });
}

/** Shows one notice about both alerts, and explains how the second one was delivered. */
export async function tellNotice({ api }: Box, since: number): Promise<void> {
  const newest = async () => {
    const { rows } = await api.searchNotices({ query: `receiver:${PEOPLE}`, limit: 1 });
    return rows.find(({ date, outcome }) => date >= since && outcome === "sent");
  };
  await until(async () => (await newest()) !== undefined, 15_000);
  const notice = await newest();
  if (!notice) return say("Notice             none was sent in time");
  say(`Notice grouped     one about ${notice.new.length} alerts: ${notice.text}`);
  const { rows } = await api.explainNotice({ invocation: notice.new.at(-1) ?? "", receiver: PEOPLE, timezone: "UTC" });
  say(`    why?           ${rows.at(-1)?.reason}\n`);
}
