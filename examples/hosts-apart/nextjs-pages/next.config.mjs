/** The API route stands at `/ops`, with its slash, and packages of Signalbox stay out of the bundle. */
// biome-ignore lint/style/noDefaultExport: Next.js asks for it
export default {
  serverExternalPackages: ["adapters", "core", "dashboard", "http-hono", "storage-sqlite"].map(
    (name) => `@signalbox/${name}`,
  ),
  skipTrailingSlashRedirect: true,
  rewrites: () =>
    ["ops", "files"].map((mount) => ({ source: `/${mount}/:path*`, destination: `/api/ops/${mount}/:path*` })),
  turbopack: { root: new URL("../../..", import.meta.url).pathname },
};
