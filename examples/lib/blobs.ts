import { fsBlobStore, parseS3Url, type S3Credentials, type S3Location, s3BlobStore } from "@signalbox/adapters/blobs";
import type { BlobStore } from "@signalbox/core/adapter";

/** Where the files and logs of jobs are stored. */
export type BlobAddress =
  | { readonly kind: "fs"; readonly directory: string }
  | { readonly kind: "s3"; readonly location: S3Location; readonly credentials: S3Credentials };

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws `Error` with one sentence for an address that is neither a directory nor a bucket, and for missing credentials. */
export function readBlobAddress(address: string | undefined, dataDir: string, env: Variables): BlobAddress {
  if (address === undefined) return { kind: "fs", directory: `${dataDir}/blobs` };
  // Otherwise a folder called "https:" would be created, and lost with its container. A drive letter of Windows is one letter.
  if (/^(?!s3:)[a-z][a-z0-9+.-]+:/i.test(address))
    throw new Error("SIGNALBOX_BLOBS must be a directory, or s3://bucket/prefix?region=…&endpoint=…");
  if (!address.startsWith("s3:")) return { kind: "fs", directory: address };
  const location = readLocation(address);
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new Error("SIGNALBOX_BLOBS names a bucket, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set");
  return {
    kind: "s3",
    location,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
  };
}

function readLocation(address: string): S3Location {
  try {
    return parseS3Url(address);
  } catch (error) {
    throw new Error(`SIGNALBOX_BLOBS ${(error as Error).message}`, { cause: error });
  }
}

export const openBlobs = (address: BlobAddress): BlobStore =>
  address.kind === "fs"
    ? fsBlobStore(address.directory)
    : s3BlobStore({ ...address.location, credentials: address.credentials });
