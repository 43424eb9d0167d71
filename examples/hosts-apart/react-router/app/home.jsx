// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default () => "the host's own page";
