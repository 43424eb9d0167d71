import { defineCollection } from "../../ports/storage/collection.ts";
import type { ConfigOverride } from "./model.ts";

export const configOverrideCollection = defineCollection<ConfigOverride>({
  name: "config_overrides",
  noun: "Config Override",
  resident: true,
});
