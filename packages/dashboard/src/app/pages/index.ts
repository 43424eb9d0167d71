import type { PageEntry } from "./page.ts";

/** All pages, in the order of the navigation. A new one is a folder and an entry here (packages/dashboard/README.md). */
export const pages: readonly PageEntry[] = [
  {
    name: "overview",
    icon: "home",
    group: "main",
    routes: ["/"],
    key: "o",
    load: () => import("./overview/index.tsx"),
  },
  {
    name: "events",
    icon: "cal",
    group: "work",
    routes: ["/events"],
    key: "e",
    load: () => import("./events/index.tsx"),
  },
  {
    name: "events",
    icon: "cal",
    group: "work",
    routes: ["/events/new", "/events/:id/edit"],
    isHidden: true,
    load: () => import("./event-editor/index.tsx"),
  },
  {
    name: "events",
    icon: "cal",
    group: "work",
    routes: ["/events/:id/run"],
    isHidden: true,
    load: () => import("./run/index.tsx"),
  },
  {
    name: "events",
    icon: "cal",
    group: "work",
    routes: ["/events/:id", "/events/:id/:tab"],
    isHidden: true,
    load: () => import("./event/index.tsx"),
  },
  {
    name: "jobs",
    icon: "jobs",
    group: "work",
    routes: ["/jobs"],
    key: "j",
    count: "jobs",
    load: () => import("./jobs/index.tsx"),
  },
  {
    name: "jobs",
    icon: "jobs",
    group: "work",
    routes: ["/jobs/:id", "/jobs/:id/:tab"],
    isHidden: true,
    load: () => import("./job/index.tsx"),
  },
];
