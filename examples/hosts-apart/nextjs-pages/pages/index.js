// biome-ignore lint/style/noDefaultExport: Next.js asks for it
export default () => "the host's own page";
