/** The server is `server.mjs`, which stands in front of the app. */
import node from "@astrojs/node";

// biome-ignore lint/style/noDefaultExport: Astro asks for it
export default { output: "server", adapter: node({ mode: "middleware" }) };
