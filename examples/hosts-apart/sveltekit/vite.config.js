import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";

// Forms come from programs, too; Signalbox looks at the origin of what carries a cookie itself.
const csrf = { trustedOrigins: ["*"] };
// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default { plugins: [sveltekit({ adapter: adapter(), csrf })] };
