import { isLimited, mayAccess } from "../../../directory/access/require-access.ts";
import { publicServer } from "../../../fleet/servers/rules/shown/public.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { liveAlerts } from "./telling/load.ts";
import { audienceOf, visibleAlerts } from "./telling/render.ts";
import { readStatus } from "./telling/status.ts";

type Members = Readonly<Record<string, unknown>>;

/** What pages keep in addition to the lists of definitions, within a caller's reach. */
export interface PageFacts {
  /** Everything that a page gets after a login (docs/contract/credentials.md#login), and again when rights change. */
  atLogin(actor: Actor): Promise<Members>;
}

type Deps = Pick<Cradle, "clock" | "internalJobs" | "jobs" | "references" | "servers" | "shownState" | "snapshot">;

export function createPageFacts(deps: Deps): PageFacts {
  const { jobs, servers, shownState, snapshot } = deps;
  const kept = async (actor: Actor): Promise<Members> => {
    const { alerts, state } = await snapshot(async (tx) => ({
      alerts: await liveAlerts(tx),
      state: await shownState(tx, audienceOf(actor).isAdmin),
    }));
    // Names and states of recently disconnected servers, for records that still refer to them.
    const left = servers.recent().filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
    return {
      activeAlerts: await visibleAlerts(deps, actor, alerts),
      serverCache: Object.fromEntries(left.map((server) => [server.id, publicServer(server, { online: false })])),
      state,
    };
  };
  return {
    async atLogin(actor) {
      const status = await readStatus(deps, {
        internalJobs: audienceOf(actor).isAdmin ? await deps.internalJobs.everywhere() : [],
        jobsChanged: false,
        internalJobsChanged: false,
        isAnyLimited: isLimited(actor),
      });
      const { internalJobs, numQueuedJobs } = status(audienceOf(actor));
      const stats = await snapshot((tx) => jobs.stats.sums(tx));
      // `socketNav` and `sounds` are always empty: the positions of other people, and sounds of the server's own, are not kept.
      return { ...(await kept(actor)), internalJobs, numQueuedJobs, stats, socketNav: {}, sounds: [] };
    },
  };
}
