// The pages of the site in their reading order. Each has a path below the root of the repository, and its purpose in a
// few words, which `docs/llms.txt` shows as well. The site's test refuses a page that is not here, unless a folder of
// `FOLDERS` holds it.

export const CONTENTS = [
  {
    title: "Start",
    pages: [
      ["README.md", "what it is, and the first program"],
      ["docs/guide/getting-started.md", "keys, three ways in, first records"],
      ["docs/guide/embedding.md", "sign-in of the host, transactions, mails"],
      ["docs/guide/testing.md", "the whole engine on a virtual clock"],
      ["docs/guide/glossary.md", "one word for one thing"],
      ["docs/guide/comparison.md", "what others do better, and what they do not do"],
    ],
  },
  {
    title: "Hosts",
    pages: [
      ["docs/guide/hosts/index.md", "what every host has to see to"],
      ["docs/guide/hosts/express.md", "Express 5 and Connect"],
      ["docs/guide/hosts/fastify.md", "Fastify 5"],
      ["docs/guide/hosts/nestjs.md", "NestJS on Express and on Fastify"],
      ["docs/guide/hosts/koa.md", "Koa 3"],
      ["docs/guide/hosts/hono.md", "Hono"],
      ["docs/guide/hosts/node-http.md", "node:http"],
      ["docs/guide/hosts/nextjs.md", "Next.js 16, app router and pages router"],
      ["docs/guide/hosts/nuxt.md", "Nuxt 4"],
      ["docs/guide/hosts/sveltekit.md", "SvelteKit 3"],
      ["docs/guide/hosts/astro.md", "Astro 7"],
      ["docs/guide/hosts/vite-ssr.md", "a server of one's own with Vite 8"],
      ["docs/guide/hosts/react-router.md", "React Router 8, and so Remix"],
      ["docs/guide/hosts/bun-deno.md", "Bun and Deno"],
      ["docs/guide/hosts/bundlers.md", "one file, and CommonJS"],
    ],
  },
  {
    title: "Work",
    pages: [
      ["docs/guide/events.md", "what runs, and when"],
      ["docs/guide/jobs.md", "one run: limits, retries, files, logs"],
      ["docs/guide/workflows.md", "graphs of jobs, declared in code"],
      ["docs/guide/files.md", "uploads, output, the store of files"],
      ["docs/guide/secrets.md", "sealed values and the secret key"],
      ["docs/guide/web-hooks.md", "requests to elsewhere"],
    ],
  },
  {
    title: "Watch",
    pages: [
      ["docs/guide/monitoring.md", "servers, monitors, snapshots, alerts"],
      ["docs/guide/alerts-people-trust.md", "few alerts that mean something"],
      ["docs/guide/who-is-told.md", "receivers, routes, rotas"],
      ["docs/guide/satellites.md", "agents on other machines"],
      ["docs/guide/tickets-and-search.md", "tickets, and one language to search"],
      ["docs/guide/dashboard.md", "the pages"],
      ["docs/guide/own-pages.md", "pages of your own, by the typed client"],
    ],
  },
  {
    title: "Run it",
    pages: [
      ["docs/guide/deployment.md", "container, systemd, proxies, TLS, other systems"],
      ["docs/guide/standalone.md", "a complete server, configured by its environment"],
      ["docs/guide/command-line.md", "records, accounts and backups from a terminal"],
      ["docs/guide/storage.md", "memory, SQLite, PostgreSQL"],
      ["docs/guide/several-nodes.md", "one PostgreSQL, who lives, who leads"],
      ["docs/guide/scale.md", "what one node carries, what more add, what gives way first"],
      ["docs/guide/backup.md", "backup, restore, from SQLite to PostgreSQL"],
      ["docs/guide/versions.md", "upgrades, support, deprecation"],
      ["docs/guide/security.md", "against whom, and what is left to you"],
      ["docs/guide/observing.md", "health, metrics, logs, traces"],
      ["docs/guide/troubleshooting.md", "by the sentence that is said"],
    ],
  },
  {
    title: "Move here",
    pages: [
      ["docs/guide/moving/index.md", "what to decide first, and how to run both"],
      ["docs/guide/moving/node-cron.md", "schedules in the code"],
      ["docs/guide/moving/bullmq.md", "queues and job schedulers on Redis"],
      ["docs/guide/moving/pg-boss.md", "queues and schedules on PostgreSQL, with a script"],
      ["docs/guide/moving/crontab.md", "lines that become events with scripts"],
      ["docs/guide/moving/uptime-kuma.md", "monitors that become checks and heartbeats"],
      ["docs/guide/moving/tickets.md", "with their numbers, dates and comments"],
      ["docs/guide/moving/xyops.md", "all data by a file"],
    ],
  },
  {
    title: "Extend",
    pages: [
      ["docs/guide/plugins.md", "operations, tables, actions of your own"],
      ["docs/guide/writing-a-storage.md", "another database, and the kit that checks it"],
      ["docs/guide/internals.md", "how it works inside"],
    ],
  },
  {
    title: "Reference",
    pages: [
      ["docs/reference/operations.md", "every operation with its parameters and answer"],
      ["docs/reference/config.md", "every setting"],
      ["docs/reference/privileges.md", "who may call what"],
      ["docs/contract/index.md", "what clients may rely on"],
      ["CHANGELOG.md", "what has changed"],
    ],
  },
];

/** Folders whose pages are included without being listed: their index links to them. */
export const FOLDERS = ["docs/contract", "docs/decisions"];

/** Pages of the repository that others link to. */
export const BESIDE = ["CONTRIBUTING.md", "SECURITY.md", "bench/README.md", "bench/history.md", "attack/README.md"];

/** The text of `llms.txt`. `titles`: the first heading of each page by its path; `linkTo`: the address of a page. */
export function llmsText(titles, linkTo) {
  const sections = CONTENTS.map(({ title, pages }) => {
    const lines = pages.map(([path, about]) => `- [${titles.get(path)}](${linkTo(path)}): ${about}`);
    return `## ${title}\n${lines.join("\n")}\n`;
  });
  return `# Signalbox

> Operations as a library for Node (TypeScript): schedules, jobs, workflows, monitoring, alerts, secrets, tickets, buckets and a
> dashboard inside a host's own process, in its SQLite or PostgreSQL. On the wire it speaks the API of xyOps 1.x.

Start with \`createSignalbox({ storage, agents, secretKey, events })\`, \`await signalbox.start()\`, and mount \`createDashboard(signalbox)\`.
Work is \`defineEvent({ id, title, schedule, params, run })\`; calls are \`signalbox.api.<operation>()\`, \`signalbox.as(who).<…>\` or HTTP.

${sections.join("\n")}`;
}
