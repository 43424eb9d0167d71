import { catalogue } from "../../texts/catalogue.ts";

export const watchedTexts = {
  watchers: "Rules that see to it",
  noWatchers: "No rule sees to it, or none that you may see.",
  stands: "How it stands",
  calm: "Nothing fires",
  notWatched: "Switched off",
  category: "Category",
  tags: "Tags",
  tagsHelp: "Rules may be for some tags alone.",
} as const;
export const t = catalogue("watched", watchedTexts);
