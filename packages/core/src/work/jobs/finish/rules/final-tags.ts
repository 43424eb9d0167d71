/** The members of a tag that jobs need. */
export interface KnownTag {
  readonly id: string;
  readonly title: string;
}

export interface FinalTags {
  readonly tags: readonly string[];
  /** Tags that were removed because they do not exist. */
  readonly unknown: readonly string[];
}

export interface JobOutcome {
  readonly succeeded: boolean;
  readonly retried: boolean;
  readonly test: boolean;
  readonly hasFiles: boolean;
  /** Most user tags; undefined = unlimited. */
  readonly limit: number | undefined;
}

/**
 * The tags of the final record (docs/contract/jobs.md#completion, docs/contract/tags.md#tags-of-a-job), without duplicates: ids
 * that exist, ids for titles that name exactly one tag, then the system tags.
 */
export function finalTags(tags: readonly string[], known: readonly KnownTag[], outcome: JobOutcome): FinalTags {
  const unknown: string[] = [];
  const resolved = tags.flatMap((tag) => {
    const id = resolveTag(tag, known);
    if (id === undefined) unknown.push(tag);
    return id === undefined ? [] : [id];
  });
  const own = [...new Set(resolved)];
  return {
    tags: [...(outcome.limit === undefined ? own : own.slice(0, outcome.limit)), ...systemTags(outcome)],
    unknown,
  };
}

/** The id of a tag given by its id, or by a title that no other tag has. System tags are only added at the end. */
export function resolveTag(tag: string, known: readonly KnownTag[]): string | undefined {
  if (known.some(({ id }) => id === tag)) return tag;
  const titled = known.filter(({ title }) => title === tag);
  return titled.length === 1 ? titled[0]?.id : undefined;
}

function systemTags({ succeeded, retried, test, hasFiles }: JobOutcome): string[] {
  const result = succeeded ? "_success" : "_error";
  return [result, retried ? "_retried" : "_last", ...(test ? ["_test"] : []), ...(hasFiles ? ["_files"] : [])];
}
