import { palette } from "../frame/palette/texts.de.ts";
import { activity } from "../pages/activity/texts.de.ts";
import { rules } from "../pages/alert-rules/texts.de.ts";
import { alerts } from "../pages/alerts/texts.de.ts";
import { buckets } from "../pages/buckets/texts.de.ts";
import { categories } from "../pages/categories/texts.de.ts";
import { channels } from "../pages/channels/texts.de.ts";
import { checks } from "../pages/checks/texts.de.ts";
import { configuration } from "../pages/configuration/texts.de.ts";
import { definitions } from "../pages/definitions/texts.de.ts";
import { event } from "../pages/event/texts.de.ts";
import { eventEditor } from "../pages/event-editor/texts.de.ts";
import { events } from "../pages/events/texts.de.ts";
import { groups } from "../pages/groups/texts.de.ts";
import { guides } from "../pages/guides/texts.de.ts";
import { heartbeats } from "../pages/heartbeats/texts.de.ts";
import { job } from "../pages/job/texts.de.ts";
import { jobs } from "../pages/jobs/texts.de.ts";
import { login } from "../pages/login/texts.de.ts";
import { me } from "../pages/me/texts.de.ts";
import { monitors } from "../pages/monitors/texts.de.ts";
import { noticeReceivers } from "../pages/notice-receivers/texts.de.ts";
import { noticeRotas } from "../pages/notice-rotas/texts.de.ts";
import { noticeRoutes } from "../pages/notice-routes/texts.de.ts";
import { notices } from "../pages/notices/texts.de.ts";
import { overview } from "../pages/overview/texts.de.ts";
import { people } from "../pages/people/texts.de.ts";
import { plugins } from "../pages/plugins/texts.de.ts";
import { run } from "../pages/run/texts.de.ts";
import { secrets } from "../pages/secrets/texts.de.ts";
import { server } from "../pages/server/texts.de.ts";
import { compare } from "../pages/server-compare/texts.de.ts";
import { servers } from "../pages/servers/texts.de.ts";
import { silences } from "../pages/silences/texts.de.ts";
import { snapshots } from "../pages/snapshots/texts.de.ts";
import { system } from "../pages/system/texts.de.ts";
import { systemLogs } from "../pages/system-logs/texts.de.ts";
import { tags } from "../pages/tags/texts.de.ts";
import { ticket } from "../pages/ticket/texts.de.ts";
import { tickets } from "../pages/tickets/texts.de.ts";
import { watched } from "../pages/watched/texts.de.ts";
import { webHooks } from "../pages/web-hooks/texts.de.ts";
import { workflow } from "../pages/workflow/texts.de.ts";
import { difference } from "../parts/difference/texts.de.ts";
import { entries } from "../parts/entries/texts.de.ts";
import { params } from "../parts/params/texts.de.ts";
import { chart } from "../parts/plot/texts.de.ts";
import { schedule } from "../parts/schedule/texts.de.ts";
import { ticketLinks } from "../parts/ticket-links/texts.de.ts";
import { common } from "./words/common.de.ts";
import { deeds } from "./words/deeds.de.ts";
import { frame } from "./words/frame.de.ts";

/** All German texts by the name of their catalogue, loaded when German is chosen. */
export const german = {
  frame,
  palette,
  login,
  overview,
  jobs,
  job,
  events,
  event,
  eventEditor,
  run,
  entries,
  params,
  schedule,
  ticketLinks,
  difference,
  workflow,
  chart,
  alerts,
  watched,
  checks,
  heartbeats,
  silences,
  notices,
  noticeRoutes,
  noticeReceivers,
  noticeRotas,
  server,
  servers,
  compare,
  rules,
  groups,
  guides,
  monitors,
  snapshots,
  common,
  tickets,
  ticket,
  buckets,
  categories,
  channels,
  definitions,
  plugins,
  secrets,
  tags,
  activity,
  deeds,
  configuration,
  system,
  systemLogs,
  me,
  people,
  webHooks,
};
