import { relative } from "node:path";
import { domainOfFile } from "./floors.mjs";
import { importsOf } from "./source.mjs";

const CORE = /^packages\/core\/src\//;
const FLOORS = /^packages\/core\/src\/(?:directory|fleet|work|desk)\//;
const IO = [
  "kysely",
  "pg",
  "hono",
  "@hono/.+",
  "ws",
  "busboy",
  "nodemailer",
  "node:(?:http|https|net|fs|child_process|worker_threads)",
];
/** Modules that only one file of core may import, so that each can be replaced. */
const WRAPPED = { awilix: "kernel/container.ts", mitt: "kernel/plugins/event-bus.ts", jexl: "expressions/engine.ts" };

/** Matches a module by its name, or any path within it. */
const modules = (...names) => new RegExp(`^(?:${names.join("|")})(?:/|$)`);
const domainOf = (path) => (CORE.test(path) ? domainOfFile(path.replace(CORE, "")) : undefined);
const packageOf = (path) => /^packages\/[^/]+/.exec(path)?.[0];

/** Rules: which files they apply to, the imports they forbid (by path or by both sides), and the reason. */
const RULES = [
  {
    files: /^packages\//,
    imports: (from, to) =>
      modules("@signalbox/[^/]+/(?:src|dist)").test(to) || (packageOf(to) ?? packageOf(from)) !== packageOf(from),
    why: "import packages by their entry points",
  },
  { files: CORE, imports: modules("@signalbox", ...IO), why: "core knows no adapter, framework or I/O module" },
  ...Object.entries(WRAPPED).map(([module, file]) => ({
    files: CORE,
    except: new RegExp(`/${file}$`),
    imports: modules(module),
    why: `only ${file} imports ${module}`,
  })),
  {
    files: /^packages\/core\/src\/(?:kernel|ports|lib|wire|search|expressions)\//,
    imports: /^packages\/core\/src\/(?:directory|fleet|work|desk|memory|testing)\//,
    why: "what is below all domains knows none of them",
  },
  { files: FLOORS, imports: /^packages\/core\/src\/(?:memory|testing)\//, why: "domains use ports" },
  {
    files: FLOORS,
    imports: (from, to) =>
      FLOORS.test(to) && domainOf(to) !== domainOf(from) && /\/(?:operations|services?)(?:\/|\.ts$)/.test(to),
    why: "reach another domain through its model, rules, records, services or events",
  },
  {
    files: /^packages\/core\/src\/(?:directory|fleet|work|desk)\/(?:[^/]+\/(?:model|rules)\.ts$|.*\/rules\/)/,
    except: /\/secrets\/rules\/crypto\.ts$/,
    imports: /^node:|^packages\/core\/src\/(?:kernel|ports|memory|testing)\/|\/(?:operations|services?)(?:\/|\.ts$)/,
    why: "model and rules are pure",
  },
  {
    files: /^packages\/(?:adapters|http-hono)\//,
    imports: modules("@signalbox/(?:adapters|http-hono|storage-sqlite|storage-pg)"),
    why: "adapters and transports depend on core only",
  },
  {
    files: /^packages\/dashboard\/src\/app\//,
    imports: modules("@signalbox/core", "@signalbox/http-hono", "node:.+", "zod", "preact/compat"),
    why: "pages know the client alone",
  },
  {
    files: /^packages\/dashboard\/src\/app\/(?:data|parts|router|texts)\//,
    except: /\/(?:texts\/de|router\/find-page)\.ts$/,
    imports: /^packages\/dashboard\/src\/app\/(?:pages|frame)\//,
    why: "parts and data know no page",
  },
];

/** Violations of the rules by a file's imports, in words; `path` and the imported files are named relative to `root`. */
export function forbiddenImports(root, path, text) {
  const from = relative(root, path);
  if (/\/(?:test|testing)\//.test(from)) return [];
  const targets = importsOf(path, text, { packages: true }).map((to) => (to.startsWith("/") ? relative(root, to) : to));
  return RULES.filter(({ files, except }) => files.test(from) && !except?.test(from)).flatMap(({ imports, why }) =>
    targets
      .filter((to) => (typeof imports === "function" ? imports(from, to) : imports.test(to)))
      .map((to) => `${from} imports ${to}: ${why}`),
  );
}
