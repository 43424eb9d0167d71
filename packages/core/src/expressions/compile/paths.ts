import type { Data, Run } from "../members.ts";
import { type Reader, readerOf } from "./readers.ts";

/** Names read one after the other, from the root record or from the current element of a filter. */
export interface Path {
  readonly relative: boolean;
  readonly names: readonly string[];
}

const runRootPath = (readers: readonly Reader[]): Run => {
  const [a, b, c, d] = readers as [Reader, Reader, Reader, Reader];
  switch (readers.length) {
    case 1:
      return (_relative, root) => a(root);
    case 2:
      return (_relative, root) => b(a(root));
    case 3:
      return (_relative, root) => c(b(a(root)));
    case 4:
      return (_relative, root) => d(c(b(a(root))));
    default:
      return (_relative, root) => readAll(root, readers);
  }
};

const runRelativePath = (readers: readonly Reader[]): Run => {
  const [a, b] = readers as [Reader, Reader];
  // A reader takes its source as the first parameter, so no closure is needed around it.
  if (readers.length === 1) return a;
  if (readers.length === 2) return (relative) => b(a(relative));
  return (relative) => readAll(relative, readers);
};

const readAll = (start: unknown, readers: readonly Reader[]): unknown => {
  let value = start;
  for (const read of readers) value = read(value);
  return value;
};

/** Compiles the whole path into one closure. */
export const runPath = ({ relative, names }: Path): Run => {
  const readers = names.map(readerOf);
  return relative ? runRelativePath(readers) : runRootPath(readers);
};

/** The names that follow something other than a name: `list[0].user.name`. */
export const runSteps = (base: Run, names: readonly string[]): Run => {
  const readers = names.map(readerOf);
  const [a] = readers as [Reader];
  if (readers.length === 1) return (root, relative) => a(base(root, relative));
  return (root, relative) => readAll(base(root, relative), readers);
};

const none: Data = Object.freeze(Object.create(null) as Data);

/** The record that expressions read from: anything else counts as an empty record; of a list only the length is readable. */
export const rootOf = (data: unknown): Data => {
  if (typeof data !== "object" || data === null) return none;
  return Array.isArray(data) ? { length: data.length } : (data as Data);
};
