import { reactRouter } from "@react-router/dev/vite";

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default { plugins: [reactRouter()] };
