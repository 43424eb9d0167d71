import { pathTo } from "./match.ts";

type Members = Readonly<Record<string, string>>;
type Rule = (members: Members) => string;

/** Parameters of a search in the other system that become terms of a query here. */
const JOB_TERMS = ["event", "category", "plugin", "server", "source", "tags"] as const;

const step = (text: string): string => `/${encodeURIComponent(text)}`;

/** The pages of a kind: its list, one record, a new one, and those subpages of a record that `below` names. */
const kind =
  (section: string, below: readonly string[] = []): Rule =>
  ({ sub = "", id = "", ...more }) => {
    const query = { ...more, sub: "" };
    if (sub === "new") return pathTo(`/${section}/new`, query);
    if (!id) return pathTo(`/${section}`, query);
    return pathTo(`/${section}${step(id)}${below.includes(sub) ? `/${sub}` : ""}`, query);
  };

/** The page of a kind whose records open over the list, new ones included. */
const over =
  (section: string): Rule =>
  ({ sub = "", id = sub === "new" ? "new" : "", ...more }) =>
    pathTo(`/${section}`, { ...more, edit: id });

const EDITED = ["edit", "history"] as const;

/** The result of a job as a term: one of its tags, or its exit code. */
const resultTerm = (result: string): string =>
  result === "success" || result === "error" ? `tags:_${result}` : `code:${result}`;

const jobs: Rule = ({ query = "", result, sub: _sub, ...members }) => {
  const named = JOB_TERMS.flatMap((name) => (members[name] ? [`${name}:${members[name]}`] : []));
  const terms = [...(result ? [resultTerm(result)] : []), ...named];
  const rest = Object.fromEntries(
    Object.entries(members).filter(([name]) => !(JOB_TERMS as readonly string[]).includes(name)),
  );
  return pathTo("/jobs", { q: [query, ...terms].filter(Boolean).join(" "), ...rest });
};

const tickets: Rule = ({ num = "", id = num, query = "", ...members }) =>
  kind("tickets")({ ...members, ...(id ? { id } : {}), ...(query ? { q: query } : {}) });

const users: Rule = ({ username = "", ...members }) =>
  kind("people")({ ...members, ...(username ? { id: username } : {}) });

/** The history of a workflow is on the page of all events. */
const workflows: Rule = (members) => kind(members["sub"] === "history" ? "events" : "workflows", EDITED)(members);

/** A truncated link leads to the same page, which says so; without parameters it leads to the page after the sign-in. */
const login: Rule = ({ u = "", h = "" }) => (u || h ? pathTo("/login/reset", { u, h }) : "/");

const RULES: Readonly<Record<string, Rule>> = {
  "": () => "/",
  home: () => "/",
  dashboard: () => "/",
  job: kind("jobs"),
  jobs,
  search: jobs,
  alert: kind("alerts"),
  alerts: kind("alerts"),
  ticket: tickets,
  tickets,
  event: kind("events", EDITED),
  events: kind("events", EDITED),
  workflow: workflows,
  workflows,
  heartbeats: kind("heartbeats"),
  checks: kind("checks"),
  server: kind("servers"),
  servers: kind("servers"),
  group: kind("groups"),
  groups: kind("groups"),
  snapshot: kind("snapshots"),
  snapshots: kind("snapshots"),
  activitylog: kind("activity"),
  apikeys: kind("people/keys"),
  users,
  roles: kind("people/roles"),
  secrets: kind("secrets"),
  webhooks: kind("web-hooks"),
  channels: kind("channels"),
  plugins: kind("plugins"),
  monitors: over("monitors"),
  alertsetup: kind("alert-rules"),
  tags: kind("tags"),
  categories: kind("categories"),
  buckets: kind("buckets"),
  config: kind("configuration"),
  system: kind("system"),
  docs: (members) => pathTo("/guides", members),
  login,
};

/**
 * Path for a link in the other system's form: `#Job?id=j1` becomes `/jobs/j1`. Undefined for other fragments, such as the line of
 * a log. An unknown name becomes a search for its id.
 */
export function peerLink(hash: string): string | undefined {
  const [, name = "", query = ""] = /^#([A-Za-z]*)(?:\?(.*))?$/s.exec(hash) ?? [];
  if (!/^#(?:[A-Z][A-Za-z]*(?:\?|$)|[a-z]+\?)/.test(hash)) return undefined;
  const members = Object.fromEntries(new URLSearchParams(query));
  const rule = Object.hasOwn(RULES, name.toLowerCase()) ? RULES[name.toLowerCase()] : undefined;
  return rule ? rule(members) : pathTo("/", { find: members["id"] ?? name });
}

/**
 * Splits a message that ends with such a link into its text and the path: "The disk is full: https://ops.example/#Alerts?id=a1".
 */
export function withoutLink(message: string): { readonly text: string; readonly path?: string } {
  const at = message.search(/\shttps?:\/\/\S+$/);
  const path = at < 0 ? undefined : peerLink(message.slice(message.indexOf("#", at)));
  if (path === undefined) return { text: message };
  const text = message.slice(0, at).trimEnd();
  return { text: text.endsWith(":") ? text.slice(0, -1) : text, path };
}
