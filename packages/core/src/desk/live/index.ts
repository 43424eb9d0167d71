import type { Cradle } from "../../kernel/container.ts";
import { ofScalars } from "../../kernel/plugins/event-bus.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { createPageChannels, type PageChannels } from "./channel/service.ts";
import { streamUpdates } from "./operations.ts";
import { changesOfDefinitions } from "./rules/changes.ts";
import { createLive, type LiveHub } from "./service.ts";
import { createPageFacts, type PageFacts } from "./services/page-facts.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly live: LiveHub;
    readonly pageChannels: PageChannels;
    readonly pageFacts: PageFacts;
  }
}

type Deps = Pick<Cradle, "live" | "servers">;

const server = ofScalars(({ id }: { id: string }, { live, servers }: Deps): void =>
  live.note({ kind: "server", id, online: servers.get(id) !== undefined }),
);
const alerts = (_event: object, deps: Deps): void => deps.live.note({ kind: "alerts" });
const notices = (_event: object, { live }: Deps): void => live.note({ kind: "notices" });
const job = ({ id }: { id: string }, { live }: Deps): void => live.note({ kind: "job", id });

interface TicketNews {
  readonly id: string;
  readonly by: string;
  readonly category: string;
  readonly from?: string;
}

function ticket({ id, by, category, from }: TicketNews, { live }: Deps): void {
  live.note({ kind: "ticket", id, by, category });
  // People who can see only the former category learn that the ticket is gone.
  if (from !== undefined) live.note({ kind: "ticket", id, by, category: from });
}

/** Listed last, because it listens to the events of all other plugins. */
export const live = definePlugin({
  id: "live",
  after: ["system", "auth", "users", "jobs", "alerts", "servers", "monitors", "tickets", "internal-jobs"],
  operations: [streamUpdates],
  services: { live: createLive, pageChannels: createPageChannels, pageFacts: createPageFacts },
  channels: { authenticate: (socket, first, { pageChannels }) => pageChannels.open(socket, first) },
  atLogin: (actor, { pageFacts }) => pageFacts.atLogin(actor),
  loops: [
    {
      name: "live.status",
      everySec: 1,
      on: "every-node",
      run: (now, { live: hub }) => hub.tick(now),
      isIdle: (_now, { live: hub }) => hub.isIdle(),
    },
    {
      name: "live.echoes",
      everySec: 1,
      on: "every-node",
      run: async (_now, { pageChannels }) => pageChannels.tick(),
      isIdle: (_now, { pageChannels }) => pageChannels.isIdle(),
    },
  ],
  on: {
    "definitions.changed": ({ collection, ids }, { live: hub }) => {
      for (const change of changesOfDefinitions(collection, ids)) hub.note(change);
    },
    "server.added": server,
    "server.removed": server,
    "server.updated": server,
    "server.deleted": server,
    "alert.fired": alerts,
    "alert.acknowledged": alerts,
    "alert.unacknowledged": alerts,
    "alert.cleared": alerts,
    "alert.linked": alerts,
    "alert.removed": alerts,
    "problem.opened": notices,
    "problem.closed": notices,
    "notice.decided": notices,
    "notice.sent": notices,
    "notice.failed": notices,
    "job.updated": job,
    "job.launched": (event, cradle) => {
      cradle.live.note({ kind: "jobs" });
      job(event, cradle);
    },
    "job.started": job,
    "job.completed": ({ id }, { live: hub }) => {
      hub.note({ kind: "jobs" });
      hub.note({ kind: "completed", id });
    },
    "job.deleted": (_event, { live: hub }) => hub.note({ kind: "jobs" }),
    "ticket.created": ticket,
    "ticket.updated": ticket,
    "ticket.deleted": ticket,
    "activity.logged": ({ id }, { live: hub }) => hub.note({ kind: "activity", id }),
    "bulk.deleted": ({ list, id }, { live: hub }) => {
      hub.note({ kind: "bulk", list });
      if (list === "alerts") hub.note({ kind: "alerts" });
      if (id !== undefined) hub.note({ kind: "internal", id });
    },
    "session.ended": ({ user }, { live: hub }) => hub.note({ kind: "session", user }),
    "channel.notified": ({ id, users, message, sound, loc }, { live: hub }) =>
      hub.note({ kind: "notify", users: [...users], data: { type: "channel", channel: id, message, sound, loc } }),
    "internal_job.ended": ({ id, username, message, outcome, quiet }, { live: hub }) => {
      hub.note({ kind: "internal", id });
      const type = outcome === "done" ? "info" : "error";
      if (!quiet) hub.note({ kind: "notify", users: [username], data: { type, message } });
    },
    "notice.broadcast": ({ type, message, sound }, { live: hub }) =>
      hub.note({ kind: "notify", data: { type, message, ...(sound ? { sound } : {}) } }),
  },
  start: ({ live: hub }) => hub.begin(),
  stop: ({ live: hub }) => hub.end(),
});
