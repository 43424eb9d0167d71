import type { IconName } from "../parts/basic/icon.tsx";
import type { PageEntry, PageName } from "./page.ts";

/** Entry for a kind of definitions: its list, the form for a new one, and the page of one with its tabs. */
const definitions = (
  name: PageName,
  icon: IconName,
  load: PageEntry["load"],
  group: PageEntry["group"] = "setup",
): PageEntry => ({
  name,
  icon,
  load,
  group,
  routes: [`/${name}`, `/${name}/new`, `/${name}/:id`, `/${name}/:id/:tab`],
});

/** Entry for a page that is hidden from the navigation; the entry `above` is highlighted instead. */
const below = (
  above: Pick<PageEntry, "name" | "icon" | "group">,
  routes: PageEntry["routes"],
  load: PageEntry["load"],
): PageEntry => ({ ...above, routes, isHidden: true, load });

/** Entry for a kind of definitions below the notices page. */
const notices = (name: string, load: PageEntry["load"]): PageEntry =>
  below(
    { name: "notices", icon: "mail", group: "main" },
    [`/notices/${name}`, `/notices/${name}/new`, `/notices/${name}/:id`],
    load,
  );

/** All pages, in the order of the navigation. To add one, create a folder and an entry here (packages/dashboard/README.md). */
export const pages: readonly PageEntry[] = [
  {
    name: "overview",
    icon: "home",
    group: "main",
    routes: ["/"],
    key: "o",
    load: () => import("./overview/index.tsx"),
  },
  below({ name: "alerts", icon: "bell", group: "main" }, ["/alerts/silences"], () => import("./silences/index.tsx")),
  {
    name: "alerts",
    icon: "bell",
    group: "main",
    routes: ["/alerts", "/alerts/:id"],
    isSplit: true,
    key: "a",
    count: "alerts",
    load: () => import("./alerts/index.tsx"),
  },
  notices("routes", () => import("./notice-routes/index.tsx")),
  notices("receivers", () => import("./notice-receivers/index.tsx")),
  notices("rotas", () => import("./notice-rotas/index.tsx")),
  {
    name: "notices",
    icon: "mail",
    group: "main",
    routes: ["/notices"],
    load: () => import("./notices/index.tsx"),
  },
  below(
    { name: "notices", icon: "mail", group: "main" },
    ["/notices/problems/:id", "/notices/:id"],
    () => import("./notice/index.tsx"),
  ),
  {
    name: "tickets",
    icon: "ticket",
    group: "main",
    routes: ["/tickets"],
    key: "t",
    count: "tickets",
    load: () => import("./tickets/index.tsx"),
  },
  {
    ...below(
      { name: "tickets", icon: "ticket", group: "main" },
      ["/tickets/new"],
      () => import("./ticket-new/index.tsx"),
    ),
    needs: "create_tickets",
  },
  below({ name: "tickets", icon: "ticket", group: "main" }, ["/tickets/:id"], () => import("./ticket/index.tsx")),
  {
    name: "events",
    icon: "cal",
    group: "work",
    routes: ["/events"],
    key: "e",
    load: () => import("./events/index.tsx"),
  },
  below(
    { name: "events", icon: "cal", group: "work" },
    ["/events/new", "/events/:id/edit"],
    () => import("./event-editor/index.tsx"),
  ),
  below({ name: "events", icon: "cal", group: "work" }, ["/events/:id/run"], () => import("./run/index.tsx")),
  below(
    { name: "events", icon: "cal", group: "work" },
    ["/events/:id", "/events/:id/:tab"],
    () => import("./event/index.tsx"),
  ),
  {
    name: "jobs",
    icon: "jobs",
    group: "work",
    routes: ["/jobs"],
    key: "j",
    count: "jobs",
    load: () => import("./jobs/index.tsx"),
  },
  below(
    { name: "jobs", icon: "jobs", group: "work" },
    ["/jobs/:id", "/jobs/:id/:tab"],
    () => import("./job/index.tsx"),
  ),
  {
    name: "workflows",
    icon: "flow",
    group: "work",
    routes: ["/workflows"],
    key: "w",
    load: () => import("./workflows/index.tsx"),
  },
  below(
    { name: "workflows", icon: "flow", group: "work" },
    ["/workflows/new", "/workflows/:id/edit"],
    () => import("./workflow/edit/index.tsx"),
  ),
  below({ name: "workflows", icon: "flow", group: "work" }, ["/workflows/:id"], () => import("./workflow/index.tsx")),
  definitions("heartbeats", "pulse", () => import("./heartbeats/index.tsx"), "work"),
  {
    name: "servers",
    icon: "server",
    group: "machines",
    routes: ["/servers"],
    key: "s",
    load: () => import("./servers/index.tsx"),
  },
  below(
    { name: "servers", icon: "server", group: "machines" },
    ["/servers/compare"],
    () => import("./server-compare/index.tsx"),
  ),
  below({ name: "servers", icon: "server", group: "machines" }, ["/servers/:id"], () => import("./server/index.tsx")),
  {
    name: "groups",
    icon: "stack",
    group: "machines",
    routes: ["/groups"],
    load: () => import("./groups/index.tsx"),
  },
  below({ name: "groups", icon: "stack", group: "machines" }, ["/groups/:id"], () => import("./group/index.tsx")),
  {
    name: "snapshots",
    icon: "camera",
    group: "machines",
    routes: ["/snapshots"],
    load: () => import("./snapshots/index.tsx"),
  },
  below(
    { name: "snapshots", icon: "camera", group: "machines" },
    ["/snapshots/compare"],
    () => import("./snapshot-compare/index.tsx"),
  ),
  below(
    { name: "snapshots", icon: "camera", group: "machines" },
    ["/snapshots/:id"],
    () => import("./snapshot/index.tsx"),
  ),
  definitions("checks", "ok", () => import("./checks/index.tsx"), "machines"),
  {
    name: "alert-rules",
    icon: "rule",
    group: "setup",
    routes: ["/alert-rules"],
    load: () => import("./alert-rules/index.tsx"),
  },
  below(
    { name: "alert-rules", icon: "rule", group: "setup" },
    ["/alert-rules/new", "/alert-rules/:id"],
    () => import("./alert-rule/index.tsx"),
  ),
  {
    name: "monitors",
    icon: "gauge",
    group: "setup",
    routes: ["/monitors"],
    load: () => import("./monitors/index.tsx"),
  },
  definitions("channels", "mail", () => import("./channels/index.tsx")),
  definitions("web-hooks", "link", () => import("./web-hooks/index.tsx")),
  definitions("plugins", "plug", () => import("./plugins/index.tsx")),
  definitions("secrets", "key", () => import("./secrets/index.tsx")),
  definitions("tags", "tag", () => import("./tags/index.tsx")),
  definitions("categories", "stack", () => import("./categories/index.tsx")),
  definitions("buckets", "box", () => import("./buckets/index.tsx")),
  below(
    { name: "people", icon: "people", group: "system" },
    ["/people/roles", "/people/roles/new", "/people/roles/:id"],
    () => import("./people-roles/index.tsx"),
  ),
  {
    ...below(
      { name: "people", icon: "key", group: "system" },
      ["/people/keys", "/people/keys/new", "/people/keys/:id"],
      () => import("./people-keys/index.tsx"),
    ),
    needs: "admin",
  },
  {
    name: "people",
    icon: "people",
    group: "system",
    routes: ["/people", "/people/new", "/people/:id"],
    needs: "admin",
    key: "u",
    load: () => import("./people/index.tsx"),
  },
  {
    name: "activity",
    icon: "pulse",
    group: "system",
    routes: ["/activity"],
    needs: "admin",
    load: () => import("./activity/index.tsx"),
  },
  {
    name: "configuration",
    icon: "gear",
    group: "system",
    routes: ["/configuration"],
    needs: "admin",
    load: () => import("./configuration/index.tsx"),
  },
  {
    ...below(
      { name: "system", icon: "file", group: "system" },
      ["/system/logs"],
      () => import("./system-logs/index.tsx"),
    ),
    needs: "admin",
  },
  {
    name: "system",
    icon: "server",
    group: "system",
    routes: ["/system"],
    needs: "admin",
    load: () => import("./system/index.tsx"),
  },
  {
    name: "guides",
    icon: "info",
    group: "system",
    routes: ["/guides"],
    needs: "admin",
    load: () => import("./guides/index.tsx"),
  },
  below({ name: "me", icon: "user", group: "system" }, ["/me"], () => import("./me/index.tsx")),
];
