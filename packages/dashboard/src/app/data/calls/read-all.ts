interface Part<Row> {
  readonly rows: readonly Row[];
  readonly list: { readonly length: number };
}

const keyOf = (row: unknown): unknown => (row as { readonly id?: unknown } | undefined)?.id ?? row;

/** Reads a list that answers in parts: all rows, or until `isEnough`. Deduplicates rows by their ids. */
export async function readAll<Row>(
  read: (offset: number) => Promise<Part<Row>>,
  isEnough: (found: readonly Row[]) => boolean = () => false,
): Promise<readonly Row[]> {
  const found = new Map<unknown, Row>();
  for (let offset = 0; ; ) {
    const { rows, list } = await read(offset);
    offset += rows.length;
    // A row that was added meanwhile shifts another one into the next part, so that it is read twice.
    for (const row of rows) found.set(keyOf(row), row);
    const all = [...found.values()];
    if (rows.length === 0 || offset >= list.length || isEnough(all)) return all;
  }
}

/** Reads rows of a list up to a number of them, and counts the ones beyond. */
export async function readMost<Row>(
  read: (offset: number) => Promise<Part<Row>>,
  most: number,
  isEnough: (found: readonly Row[]) => boolean = () => false,
): Promise<{ readonly rows: readonly Row[]; readonly further: number }> {
  let length = 0;
  const note = async (offset: number): Promise<Part<Row>> => {
    const part = await read(offset);
    length = part.list.length;
    return part;
  };
  const rows = await readAll(note, (found) => found.length >= most || isEnough(found));
  return { rows, further: rows.length < most ? 0 : length - rows.length };
}
