/** Tags that people gave a job: tags of the system begin with an underscore. */
export const ownTags = ({ tags }: { readonly tags?: unknown }): readonly string[] =>
  (Array.isArray(tags) ? (tags as string[]) : []).filter((tag) => !tag.startsWith("_"));
