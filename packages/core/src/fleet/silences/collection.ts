import { defineCollection } from "../../ports/storage/collection.ts";
import type { Silence } from "./model.ts";

/** Silences, kept in memory because every notification is matched against all of them. */
export const silenceCollection = defineCollection<Silence>({ name: "silences", noun: "Silence", resident: true });
