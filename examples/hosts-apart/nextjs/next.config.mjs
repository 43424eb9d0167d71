/** Packages of Signalbox stay out of the bundle, and `/ops/` keeps its slash. */
// biome-ignore lint/style/noDefaultExport: Next.js asks for it
export default {
  serverExternalPackages: ["adapters", "core", "dashboard", "http-hono", "storage-sqlite"].map(
    (name) => `@signalbox/${name}`,
  ),
  skipTrailingSlashRedirect: true,
  turbopack: { root: new URL("../../..", import.meta.url).pathname },
};
