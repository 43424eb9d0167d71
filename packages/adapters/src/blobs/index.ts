export { fsBlobStore } from "./fs/index.ts";
export { s3BlobStore } from "./s3/s3-blob-store.ts";
export { parseS3Url, type S3BlobStoreOptions, type S3Credentials, type S3Location } from "./s3/s3-options.ts";
