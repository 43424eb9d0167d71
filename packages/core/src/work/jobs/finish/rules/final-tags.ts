/** A defined tag, as far as jobs need it. */
export interface KnownTag {
  readonly id: string;
  readonly title: string;
}

export interface FinalTags {
  readonly tags: readonly string[];
  /** Tags removed because they do not exist. */
  readonly unknown: readonly string[];
}

export interface JobOutcome {
  readonly succeeded: boolean;
  readonly retried: boolean;
  readonly test: boolean;
  readonly hasFiles: boolean;
  /** Most user tags; undefined = any number. */
  readonly limit: number | undefined;
}

/**
 * The tags of the final record (docs/contract/jobs.md#completion, docs/contract/tags.md#tags-of-a-job): ids that exist,
 * titles that name one tag become its id, then the system's own, each once.
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

/** The id of a tag named by id, or by a title that only one tag has. System tags are added at the end alone. */
export function resolveTag(tag: string, known: readonly KnownTag[]): string | undefined {
  if (known.some(({ id }) => id === tag)) return tag;
  const titled = known.filter(({ title }) => title === tag);
  return titled.length === 1 ? titled[0]?.id : undefined;
}

function systemTags({ succeeded, retried, test, hasFiles }: JobOutcome): string[] {
  const result = succeeded ? "_success" : "_error";
  return [result, retried ? "_retried" : "_last", ...(test ? ["_test"] : []), ...(hasFiles ? ["_files"] : [])];
}
