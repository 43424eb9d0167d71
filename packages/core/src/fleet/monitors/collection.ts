import { defineCollection } from "../../ports/storage/collection.ts";
import type { Monitor } from "./model.ts";

/** Evaluation goes in the order of this list, which is the order of creation. */
export const monitorCollection = defineCollection<Monitor>({ name: "monitors", noun: "Monitor", resident: true });
