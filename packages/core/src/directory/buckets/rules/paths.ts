/** Folder of all buckets in the file store (docs/contract/buckets.md#paths). */
export const BUCKETS_FOLDER = "files/bucket/";

const PATH = /^files\/bucket\/([a-z0-9_]+)\/[\w-]{43}\/([\w.-]{1,255})$/;

/** The bucket that a path belongs to; undefined for any other path, including one of an account called "bucket". */
export function bucketOfPath(path: string): string | undefined {
  const [, bucket, name = ""] = PATH.exec(path) ?? [];
  return /^\.+$/.test(name) ? undefined : bucket;
}

const MAX_NAME = 200;
const MAX_FILENAME = 255;
const baseOf = (filename: string): string => filename.slice(filename.lastIndexOf("/") + 1);

/** The name under which a file is stored and found again. */
export function keptName(filename: string): string {
  const name = baseOf(filename)
    .replace(/[^\w\-+.,\x20()[\]{}'"!&^%$#@*?~]+/g, "_")
    .slice(0, MAX_FILENAME);
  return /^[. ]*$/.test(name) ? "_" : name;
}

/** The last part of a path: safe in every address, and always with an extension. */
function urlName(filename: string): string {
  const name = baseOf(filename)
    .replace(/[^\w\-.]+/g, "_")
    .toLowerCase()
    .slice(-MAX_NAME);
  return /\.\w+$/.test(name) ? name : `${name}.bin`;
}

/** The path of a new file; `token` makes it unguessable. */
export const pathOf = (bucket: string, token: string, filename: string): string =>
  `${BUCKETS_FOLDER}${bucket}/${token}/${urlName(filename)}`;
