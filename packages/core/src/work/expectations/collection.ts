import { defineCollection } from "../../ports/storage/collection.ts";
import type { Judged } from "./model.ts";

/** Stored, so that neither a restart nor another node begins to count anew. */
export const judgedCollection = defineCollection<Judged>({ name: "expectations", noun: "Expectation" });
