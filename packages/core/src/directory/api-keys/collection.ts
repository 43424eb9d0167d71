import { defineCollection } from "../../ports/storage/collection.ts";
import type { ApiKey } from "./model.ts";

export const apiKeyCollection = defineCollection<ApiKey>({ name: "api_keys", noun: "API Key", resident: true });
