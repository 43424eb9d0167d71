import { describe, test } from "vitest";
import { blobStoreConformance } from "../testing/conformance/blob-store.ts";
import { memoryBlobStore } from "./memory-blob-store.ts";

describe("blobs in memory", () => {
  blobStoreConformance({ describe, test }, async () => memoryBlobStore());
});
