import { type NewStamp, newStamps } from "../../wire/fields/stamps.ts";
import type { CreateTag, Tag } from "./model.ts";

/**
 * True for system tags, which the engine adds and nobody defines (docs/contract/tags.md#system-tags). Their ids start with an
 * underscore.
 */
export const isSystemTag = (id: string): boolean => id.startsWith("_");

export function newTag(input: CreateTag, stamp: NewStamp): Tag {
  return { ...input, id: stamp.id, ...newStamps(stamp.username, stamp.now) };
}

/** Tags of a new installation (docs/contract/tags.md#record). */
export const DEFAULT_TAGS: readonly CreateTag[] = [
  { id: "important", title: "Important", icon: "alert-rhombus" },
  { id: "flag", title: "Flag", icon: "flag-checkered" },
];
