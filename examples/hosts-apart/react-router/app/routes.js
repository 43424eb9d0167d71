import { index } from "@react-router/dev/routes";

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default [index("home.jsx")];
