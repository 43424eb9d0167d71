import { documents } from "../desk/documents/index.ts";
import { hooks } from "../desk/hooks/index.ts";
import { internalJobs } from "../desk/internal-jobs/index.ts";
import { keyRotation } from "../desk/key-rotation/index.ts";
import { live } from "../desk/live/index.ts";
import { logs } from "../desk/logs/index.ts";
import { mail } from "../desk/mail/index.ts";
import { maintenance } from "../desk/maintenance/index.ts";
import { notices } from "../desk/notices/index.ts";
import { references } from "../desk/references/index.ts";
import { search } from "../desk/search/index.ts";
import { statistics } from "../desk/statistics/index.ts";
import { system } from "../desk/system/index.ts";
import { tickets } from "../desk/tickets/index.ts";
import { transfer } from "../desk/transfer/index.ts";
import { activity } from "../directory/activity/index.ts";
import { apiKeys } from "../directory/api-keys/index.ts";
import { auth } from "../directory/auth/index.ts";
import { buckets } from "../directory/buckets/index.ts";
import { categories } from "../directory/categories/index.ts";
import { channels } from "../directory/channels/index.ts";
import { files } from "../directory/files/index.ts";
import { groups } from "../directory/groups/index.ts";
import { plugins } from "../directory/plugins/index.ts";
import { roles } from "../directory/roles/index.ts";
import { secrets } from "../directory/secrets/index.ts";
import { state } from "../directory/state/index.ts";
import { tags } from "../directory/tags/index.ts";
import { users } from "../directory/users/index.ts";
import { webHooks } from "../directory/web-hooks/index.ts";
import { alerts } from "../fleet/alerts/index.ts";
import { checks } from "../fleet/checks/index.ts";
import { monitors } from "../fleet/monitors/index.ts";
import { nodes } from "../fleet/nodes/index.ts";
import { satellites } from "../fleet/satellites/index.ts";
import { servers } from "../fleet/servers/index.ts";
import { silences } from "../fleet/silences/index.ts";
import { snapshots } from "../fleet/snapshots/index.ts";
import type { KeyedServices } from "../kernel/plugins/services.ts";
import { events } from "../work/events/index.ts";
import { expectations } from "../work/expectations/index.ts";
import { graphs } from "../work/graphs/index.ts";
import { heartbeats } from "../work/heartbeats/index.ts";
import { jobs } from "../work/jobs/index.ts";
import { runs } from "../work/runs/index.ts";
import { schedules } from "../work/schedules/index.ts";
import { workflows } from "../work/workflows/index.ts";

/** The list by names: inferred, its declaration would repeat the declaration of every operation, 0.26 MB of an installation. */
type Builtins = readonly [
  typeof system,
  typeof activity,
  typeof auth,
  typeof users,
  typeof roles,
  typeof apiKeys,
  typeof tags,
  typeof categories,
  typeof webHooks,
  typeof mail,
  typeof hooks,
  typeof channels,
  typeof plugins,
  typeof secrets,
  typeof state,
  typeof files,
  typeof buckets,
  typeof references,
  typeof graphs,
  typeof events,
  typeof schedules,
  typeof runs,
  typeof jobs,
  typeof workflows,
  typeof groups,
  typeof monitors,
  typeof silences,
  typeof alerts,
  typeof checks,
  typeof expectations,
  typeof heartbeats,
  typeof tickets,
  typeof snapshots,
  typeof servers,
  typeof satellites,
  typeof nodes,
  typeof notices,
  typeof search,
  typeof statistics,
  typeof maintenance,
  typeof internalJobs,
  typeof live,
  typeof transfer,
  typeof keyRotation,
  typeof logs,
  typeof documents,
];

/** The built-in domains, in the order of their registration. */
export const builtins: Builtins = [
  system,
  activity,
  auth,
  users,
  roles,
  apiKeys,
  tags,
  categories,
  webHooks,
  mail,
  hooks,
  channels,
  plugins,
  secrets,
  state,
  files,
  buckets,
  references,
  graphs,
  events,
  schedules,
  runs,
  jobs,
  workflows,
  groups,
  monitors,
  silences,
  alerts,
  checks,
  expectations,
  heartbeats,
  tickets,
  snapshots,
  servers,
  satellites,
  nodes,
  notices,
  search,
  statistics,
  maintenance,
  internalJobs,
  live,
  transfer,
  keyRotation,
  logs,
  documents,
];

/** Services of these domains that need the keys. Plugins of the host never provide any. */
export const keyedServices: Readonly<Record<keyof KeyedServices, true>> = {
  activeJobs: true,
  agentKeys: true,
  jobs: true,
  keyChange: true,
  keyRing: true,
  noticeLinks: true,
  recovery: true,
};
