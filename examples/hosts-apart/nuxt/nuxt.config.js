/** Packages of Signalbox stay out of the bundle; modules may wait, as the one that starts the engine does. */
// biome-ignore lint/style/noDefaultExport: Nuxt asks for it
export default {
  compatibilityDate: "2026-01-01",
  telemetry: false,
  nitro: {
    esbuild: { options: { target: "es2022" } },
    externals: { external: [/^@signalbox\//, "@hono/node-server"], trace: false },
  },
};
