import { activity } from "./domains/activity/index.ts";
import { alerts } from "./domains/alerts/index.ts";
import { apiKeys } from "./domains/api-keys/index.ts";
import { auth } from "./domains/auth/index.ts";
import { categories } from "./domains/categories/index.ts";
import { channels } from "./domains/channels/index.ts";
import { events } from "./domains/events/index.ts";
import { files } from "./domains/files/index.ts";
import { groups } from "./domains/groups/index.ts";
import { hooks } from "./domains/hooks/index.ts";
import { jobs } from "./domains/jobs/index.ts";
import { live } from "./domains/live/index.ts";
import { mail } from "./domains/mail/index.ts";
import { monitors } from "./domains/monitors/index.ts";
import { plugins } from "./domains/plugins/index.ts";
import { references } from "./domains/references/index.ts";
import { roles } from "./domains/roles/index.ts";
import { satellites } from "./domains/satellites/index.ts";
import { search } from "./domains/search/index.ts";
import { secrets } from "./domains/secrets/index.ts";
import { servers } from "./domains/servers/index.ts";
import { silences } from "./domains/silences/index.ts";
import { snapshots } from "./domains/snapshots/index.ts";
import { state } from "./domains/state/index.ts";
import { system } from "./domains/system/index.ts";
import { tags } from "./domains/tags/index.ts";
import { tickets } from "./domains/tickets/index.ts";
import { users } from "./domains/users/index.ts";
import { webHooks } from "./domains/web-hooks/index.ts";

/** The built-in domains, in the order of their registration. */
export const builtins = [
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
  references,
  events,
  jobs,
  groups,
  monitors,
  silences,
  alerts,
  tickets,
  snapshots,
  servers,
  satellites,
  search,
  live,
] as const;
