import { catalogue } from "../../texts/catalogue.ts";

export const paletteTexts = {
  title: "Search or run a command",
  pages: "Pages",
  events: "Events",
  servers: "Servers",
  jobs: "Jobs",
  tickets: "Tickets",
  people: "People",
  roles: "Roles",
  keys: "API keys",
  routes: "Routes",
  receivers: "Receivers",
  rotas: "Rotas",
  settings: "Settings",
  guides: "Guides",
  actions: "Actions",
  hint: "Type a name, an id or a ticket's number.",
  nothing: "Nothing found for “{text}”.",
  run: "Run {title}",
  started: "{title} was started.",
  theme: "Change between light and dark",
  open: "Open",
} as const;
export const t = catalogue("palette", paletteTexts);
