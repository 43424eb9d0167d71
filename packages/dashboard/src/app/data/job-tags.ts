/** Tags that people gave a job: those of the system begin with a line. */
export const ownTags = ({ tags }: { readonly tags?: unknown }): readonly string[] =>
  (Array.isArray(tags) ? (tags as string[]) : []).filter((tag) => !tag.startsWith("_"));
