import { defineCollection } from "../../ports/storage/collection.ts";
import type { PluginRecord } from "./model.ts";

export const pluginCollection = defineCollection<PluginRecord>({ name: "plugins", noun: "Plugin", resident: true });
