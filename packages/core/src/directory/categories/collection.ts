import { defineCollection } from "../../ports/storage/collection.ts";
import type { Category } from "./model.ts";

export const categoryCollection = defineCollection<Category>({ name: "categories", noun: "Category", resident: true });
