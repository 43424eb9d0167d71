import { defineCollection } from "../../ports/storage/collection.ts";
import type { Tag } from "./model.ts";

export const tagCollection = defineCollection<Tag>({ name: "tags", noun: "Tag", resident: true });
