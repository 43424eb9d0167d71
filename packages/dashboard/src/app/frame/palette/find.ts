import { act } from "../../data/calls/act.ts";
import { api, boot, can } from "../../data/calls/session.ts";
import { jobName } from "../../data/jobs/job-name.ts";
import { activeJobs } from "../../data/records/counts.ts";
import { listed } from "../../data/records/lists.ts";
import { createShared } from "../../data/series/shared.ts";
import type { IconName } from "../../parts/basic/icon.tsx";
import { hasPage } from "../../router/find-page.ts";
import { pathTo } from "../../router/match.ts";
import { go } from "../../router/router.ts";
import { when } from "../../texts/format.ts";
import { t as frame } from "../../texts/words/frame.ts";
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

/** The host's own links, which on a phone are nowhere else. */
const ofLinks = (text: string): Hit[] =>
  (boot.value?.links ?? [])
    .filter(({ title }) => fits(text, title))
    .map(({ title, href }) => ({
      id: `link ${href}`,
      icon: "link",
      title,
      kind: t("pages"),
      run: () => location.assign(href),
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
          id: `server ${id}`,
          icon: "server" as const,
          title: title || hostname,
          kind: t("servers"),
          ...page(`/servers/${id}`),
        }));

/** Kinds of definitions, each with the path of its records. */
const DEFINED = [
  ["groups", "/groups", "stack"],
  ["heartbeats", "/heartbeats", "pulse"],
  ["checks", "/checks", "ok"],
  ["alerts", "/alert-rules", "rule"],
  ["monitors", "/monitors", "gauge"],
  ["channels", "/channels", "mail"],
  ["web_hooks", "/web-hooks", "link"],
  ["plugins", "/plugins", "plug"],
  ["secrets", "/secrets", "key"],
  ["tags", "/tags", "tag"],
  ["categories", "/categories", "box"],
  ["buckets", "/buckets", "box"],
] as const;

/** Least length of a text for which definitions and records on the server are searched. */
const ENOUGH = 3;

const ofDefinitions = (text: string): Hit[] =>
  text.length < ENOUGH
    ? []
    : DEFINED.filter(([, path]) => hasPage(path)).flatMap(([name, path, icon]) =>
        (listed(name) ?? [])
          .filter(({ id, title }) => fits(text, id, title))
          .slice(0, 3)
          .map(({ id, title }) => ({
            id: `${name} ${id}`,
            icon,
            title: title || id,
            kind: frame(`page.${path.slice(1) as "groups"}`),
            // A monitor opens on the page of its list.
            ...page(name === "monitors" ? `/monitors?edit=${id}` : `${path}/${id}`),
          })),
      );

/** Answers that do not depend on the text, by operation. */
export type Lists = ReturnType<typeof createLists>;
type Asked = (text: string, signal: AbortSignal, lists: Lists) => Promise<readonly Hit[]>;

/** Keeps these answers while the search is open. They are not cancelled with a text, because the next one needs them, too. */
export function createLists() {
  const { signal } = new AbortController();
  const keep = createShared<unknown>({ ms: Number.POSITIVE_INFINITY, most: 20 });
  return <Answer>(name: string, ask: () => Promise<Answer>) => keep(name, signal, ask) as Promise<Answer>;
}

const findTickets: Asked = async (text, signal) => {
  if (!hasPage("/tickets/1")) return [];
  const { rows } = await api.searchTickets({ query: `subject:${text}`, limit: MOST, compact: true }, { signal });
  return rows.map(({ num, subject }) => ({
    id: `ticket ${num}`,
    icon: "ticket" as const,
    title: `#${num} ${subject}`,
    kind: t("tickets"),
    ...page(`/tickets/${num}`),
  }));
};

/** Running jobs by title, then the newest jobs that the server finds for the text. */
const findJobs: Asked = async (text, signal) => {
  if (!hasPage("/jobs/1")) return [];
  const running = activeJobs.all().filter((job) => fits(text, jobName(job), String(job["label"] ?? "")));
  const { rows } = await api.searchJobs({ query: text, limit: MOST }, { signal });
  return [...running, ...rows].slice(0, MOST).map((job) => ({
    id: `job ${job.id}`,
    icon: "jobs" as const,
    title: `${job["label"] || jobName(job)} · ${when(job.started ?? 0)}`,
    kind: t("jobs"),
    ...page(`/jobs/${job.id}`),
  }));
};

/** Most accounts that are searched. */
const ACCOUNTS = 1000;

const findPeople: Asked = async (text, _signal, lists) => {
  if (!hasPage("/people/1")) return [];
  const { rows } = await lists("people", () => api.userAdminGetUsers({ limit: ACCOUNTS }));
  return rows
    .filter(({ username, full_name, email }) => fits(text, username, full_name, email))
    .slice(0, MOST)
    .map(({ username, full_name }) => ({
      id: `person ${username}`,
      icon: "user" as const,
      title: full_name || username,
      kind: t("people"),
      ...page(`/people/${username}`),
    }));
};

/** Definitions that the pages hold no list of. */
const ASKED = [
  ["routes", "/notices/routes", "flow", api.getRoutes],
  ["receivers", "/notices/receivers", "mail", api.getReceivers],
  ["rotas", "/notices/rotas", "people", api.getRotas],
  ["roles", "/people/roles", "people", api.getRoles],
  ["keys", "/people/keys", "key", api.getApiKeys],
] as const;

const findAsked: Asked = async (text, _signal, lists) => {
  const found = ASKED.filter(([, path]) => hasPage(path)).map(async ([kind, path, icon, ask]) =>
    (await lists(kind, async () => (await ask({})).rows))
      .filter(({ id, title }) => fits(text, id, title))
      .slice(0, 3)
      .map(({ id, title }) => ({
        id: `${kind} ${id}`,
        icon,
        title: title || id,
        kind: t(kind),
        ...page(`${path}/${id}`),
      })),
  );
  return (await Promise.all(found)).flat();
};

const findSettings: Asked = async (text, _signal, lists) => {
  if (!hasPage("/configuration")) return [];
  const [{ config, overrides }, { settingsOf }] = await Promise.all([
    lists("settings", () => api.adminGetConfig({})),
    import("../../pages/configuration/rows.ts"),
  ]);
  return settingsOf(config, overrides)
    .filter(({ path }) => fits(text, path))
    .slice(0, 3)
    .map(({ path }) => ({
      id: `setting ${path}`,
      icon: "gear",
      title: path,
      kind: t("settings"),
      ...page(pathTo("/configuration", { q: path })),
    }));
};

/** Most sections of the documentation among the hits. */
const SECTIONS = 4;

const findGuides: Asked = async (text, signal) => {
  if (!hasPage("/guides")) return [];
  const { rows } = await api.searchDocs({ query: text }, { signal });
  return rows.slice(0, SECTIONS).map(({ doc, anchor, heading }) => ({
    id: `guide ${doc} ${anchor}`,
    icon: "info" as const,
    title: heading,
    kind: t("guides"),
    ...page(pathTo("/guides", { doc, anchor })),
  }));
};

/** Milliseconds without another letter after which the server is asked. */
const STILL_MS = 150;

/** Records that the server finds for the text. A refusal for one kind does not hide the others. */
export async function findMore(text: string, signal: AbortSignal, lists: Lists): Promise<readonly Hit[]> {
  if (text.length < ENOUGH || /^#?\d+$/.test(text)) return [];
  await new Promise((resolve) => setTimeout(resolve, STILL_MS));
  if (signal.aborted) return [];
  const found = await Promise.allSettled(
    [findAsked, findPeople, findTickets, findJobs, findSettings, findGuides].map((find) => find(text, signal, lists)),
  );
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** Hits for a text that looks like an id, whether or not the record is loaded. */
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

/** Pages, records and actions that match a text, most likely first. */
export const hitsOf = (text: string): readonly Hit[] => [
  ...ofIds(text),
  ...ofPages(text),
  ...ofLinks(text),
  ...ofEvents(text),
  ...ofServers(text),
  ...ofDefinitions(text),
  ...ofActions(text),
];
