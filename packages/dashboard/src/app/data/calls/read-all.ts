interface Part<Row> {
  readonly rows: readonly Row[];
  readonly list: { readonly length: number };
}

/** Rows of a list that answers some at a time: all, or as many as are enough. */
export async function readAll<Row>(
  read: (offset: number) => Promise<Part<Row>>,
  isEnough: (found: readonly Row[]) => boolean = () => false,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (;;) {
    const { rows, list } = await read(found.length);
    found.push(...rows);
    if (rows.length === 0 || found.length >= list.length || isEnough(found)) return found;
  }
}
