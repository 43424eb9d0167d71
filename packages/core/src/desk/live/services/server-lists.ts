import { mayAccess } from "../../../directory/access/require-access.ts";
import type { Server } from "../../../fleet/servers/model.ts";
import { publicServer } from "../../../fleet/servers/rules/shown/public.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { type Group, keepsUp, sendable } from "./telling/audiences.ts";
import type { Audiences, Readings } from "./telling/readings.ts";

/**
 * Sends whole lists of servers, for pages that follow nothing else (docs/contract/live.md#kinds-of-changes): in the second after
 * a change, and every minute, which brings new facts.
 */
export interface ServerLists extends Readings {
  /** A server connected, disconnected or was changed. */
  changed(): void;
}

/** Maximum servers for which the lists are sent. In a larger fleet, only each changed server is sent. */
const MOST = 100;

type Deps = Pick<Cradle, "clock" | "log" | "servers">;

export function createServerLists(deps: Deps, { subscribers, grouped, send }: Audiences): ServerLists {
  const { clock, log, servers } = deps;
  const stopping = new AbortController();
  let underWay: Promise<void> | undefined;
  let isDue = false;
  let minute: number | undefined;

  async function tell(): Promise<void> {
    const breathe = createBreath(clock, stopping.signal);
    // Yields after each audience: its list may have a quarter of a megabyte, and every caller may be an audience by itself.
    for (const group of grouped(subscribers)) {
      const item = sendable({ cmd: "update", data: listsFor(servers, group) });
      for (const member of group.members.filter(keepsUp)) send(member, item);
      await breathe();
    }
  }
  return {
    changed() {
      isDue = true;
    },
    tick(now) {
      const isNewMinute = minute !== undefined && Math.floor(now / 60) !== minute;
      minute = Math.floor(now / 60);
      const count = servers.everywhere().length;
      isDue ||= isNewMinute && count > 0;
      if (underWay || !isDue) return;
      isDue = false;
      if (count > MOST) return;
      underWay = tell()
        .catch((error: unknown) => log.error({ error }, "The lists of servers could not be told"))
        .finally(() => {
          underWay = undefined;
        });
    },
    async idle() {
      stopping.abort();
      await underWay;
    },
  };
}

/** Connected and recently disconnected servers within an audience's reach. */
function listsFor(servers: Deps["servers"], { actor, isAdmin }: Group) {
  const shown = (list: readonly Server[], online: boolean) => {
    const own = list.filter(({ groups }) => mayAccess(actor, { serverGroups: groups }));
    const rows = own.map((server) => publicServer(server, { ...servers.whereabouts(server.id), online, isAdmin }));
    return Object.fromEntries(rows.map((row) => [row.id, row]));
  };
  return { servers: shown(servers.everywhere(), true), serverCache: shown(servers.recent(), false) };
}
