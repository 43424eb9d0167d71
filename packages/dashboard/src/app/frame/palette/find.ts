import { act } from "../../data/act.ts";
import { activeJobs } from "../../data/counts.ts";
import { listed } from "../../data/lists.ts";
import { api, can } from "../../data/session.ts";
import type { IconName } from "../../parts/icon.tsx";
import { hasPage } from "../../router/find-page.ts";
import { go } from "../../router/router.ts";
import { t as frame } from "../../texts/frame.ts";
import { entries } from "../navigation.tsx";
import { flipTheme } from "../theme.ts";
import { t } from "./texts.ts";

export interface Hit {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly kind: string;
  run(): unknown;
}

const MOST = 8;

const fits = (text: string, ...names: readonly (string | undefined)[]): boolean =>
  text === "" || names.some((name) => name?.toLowerCase().includes(text.toLowerCase()));

const page = (path: string): { run(): unknown } => ({ run: () => go(path) });

const ofPages = (text: string): Hit[] =>
  entries()
    .map((entry) => ({ entry, title: frame(`page.${entry.name}`) }))
    .filter(({ title }) => fits(text, title))
    .map(({ entry, title }) => ({
      id: `page ${entry.name}`,
      icon: entry.icon,
      title,
      kind: t("pages"),
      ...page(entry.routes[0]),
    }));

function ofEvents(text: string): Hit[] {
  if (text === "") return [];
  const found = (listed("events") ?? []).filter(({ id, title }) => fits(text, id, title)).slice(0, MOST);
  const opened = found
    .filter(({ id }) => hasPage(`/events/${id}`))
    .map(({ id, title }) => ({
      id: `event ${id}`,
      icon: "cal" as const,
      title,
      kind: t("events"),
      ...page(`/events/${id}`),
    }));
  const run = can("run_jobs") ? found.slice(0, 3).map(({ id, title }) => runOf(id, title)) : [];
  return [...opened, ...run];
}

const runOf = (id: string, title: string): Hit => ({
  id: `run ${id}`,
  icon: "play",
  title: t("run", { title }),
  kind: t("actions"),
  run: async () => {
    const answer = await act(`run ${id}`, { run: () => api.runEvent({ id }), done: t("started", { title }) });
    if (answer?.id) await go(`/jobs/${answer.id}`);
  },
});

const ofServers = (text: string): Hit[] =>
  text === ""
    ? []
    : (listed("servers") ?? [])
        .filter(({ id, title, hostname }) => fits(text, id, title ?? "", hostname) && hasPage(`/servers/${id}`))
        .slice(0, MOST)
        .map(({ id, title, hostname }) => ({
          ...{ id: `server ${id}`, icon: "server" as const, title: title || hostname, kind: t("servers") },
          ...page(`/servers/${id}`),
        }));

/** Ids are opened as they are, whether they are known here or not. */
function ofIds(text: string): Hit[] {
  const job = activeJobs.get(text) || /^j[a-z0-9]{7,}$/.test(text);
  const hits: Hit[] = job
    ? [{ id: `job ${text}`, icon: "jobs", title: text, kind: t("jobs"), ...page(`/jobs/${text}`) }]
    : [];
  if (/^#?\d+$/.test(text) && hasPage("/tickets/1"))
    hits.push({
      id: `ticket ${text}`,
      icon: "ticket",
      title: text,
      kind: t("tickets"),
      ...page(`/tickets/${text.replace("#", "")}`),
    });
  return hits;
}

const ofActions = (text: string): Hit[] =>
  fits(text, t("theme")) ? [{ id: "theme", icon: "gear", title: t("theme"), kind: t("actions"), run: flipTheme }] : [];

/** What can be opened or done, the likeliest first. */
export const hitsOf = (text: string): readonly Hit[] => [
  ...ofIds(text),
  ...ofPages(text),
  ...ofEvents(text),
  ...ofServers(text),
  ...ofActions(text),
];
