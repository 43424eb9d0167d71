import { activityRecords } from "../../../directory/activity/records.ts";
import { categoryRecords } from "../../../directory/categories/records.ts";
import { pluginRecords } from "../../../directory/plugins/records.ts";
import type { QueryContext } from "../../../kernel/calls/context.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, atLeast, below, hasWord } from "../../../search/ast.ts";
import { analyseWords } from "../../../search/text/analyse.ts";
import type { Event, EventState } from "../../events/model.ts";
import type { Job } from "../../jobs/model.ts";
import { activeJobRecords, jobLaunchRecords, jobRecords } from "../../jobs/records.ts";
import type { Surroundings } from "../rules/explanation.ts";
import { launchKeyOf } from "./launches.ts";

type Context = Pick<QueryContext, "services" | "tx">;

/** The other records that decide whether the clock starts an event: its category, its plugins, and the pause. */
export async function readSurroundings({ services, tx }: Context, event: Event): Promise<Surroundings> {
  const category = await tx.collection(categoryRecords).get(event.category);
  const plugins = tx.collection(pluginRecords);
  const modifier = event.triggers.find(({ enabled, type }) => enabled && type === "plugin");
  return {
    category,
    ...(event.plugin.startsWith("_") ? {} : { plugin: await plugins.get(event.plugin) }),
    ...(modifier ? { scheduler: await plugins.get(String(modifier["plugin_id"])) } : {}),
    isPaused: services.state.get("scheduler.enabled") === false,
  };
}

/** Most replays whose launches are looked for, newest first. */
const MAX_REPLAYS = 20;

/** The jobs that the due runs of a minute became, as far as they are still stored. */
export async function findJobs(
  tx: ReadTx,
  event: Event,
  { runs, state }: { runs: readonly { readonly key: string; readonly now: number }[]; state: EventState },
): Promise<{ jobs: Job[]; gone: string[] }> {
  const last = state.replay ?? 0;
  const replays = Array.from({ length: Math.min(last, MAX_REPLAYS) + 1 }, (_each, index) => last - index);
  const names = runs.flatMap((run) => replays.map((replay) => sha256Hex(launchKeyOf(event, { ...run, replay }))));
  const launches = await tx.collection(jobLaunchRecords).getMany(names);
  const ids = [...new Set(launches.flatMap((launch) => (launch ? [launch.job] : [])))];
  const active = await tx.collection(activeJobRecords).getMany(ids);
  const final = await tx.collection(jobRecords).getMany(ids);
  const found = ids.map((_id, index) => active[index]?.job ?? final[index]);
  return {
    jobs: found.filter((job): job is Job => job !== undefined),
    gone: ids.filter((_id, index) => !found[index]),
  };
}

/** Launches that were refused shortly after a minute, in the words of the activity log. */
export async function findRefusals(tx: ReadTx, event: Event, minute: number): Promise<string[]> {
  const { rows } = await tx
    .collection(activityRecords)
    .find(
      allOf([
        hasWord("action", "warning"),
        ...analyseWords(event.id).map((word) => hasWord("keywords", word)),
        atLeast("epoch", minute),
        below("epoch", minute + REFUSED_WITHIN),
      ]),
      { sortBy: "id", limit: 10 },
    );
  return rows.filter(({ keywords }) => keywords.includes(event.id)).map(({ description = "" }) => description);
}

/** Seconds. A stalled engine is at most two minutes late. */
const REFUSED_WITHIN = 240;
