export { fsBlobStore } from "./fs-blob-store.ts";
