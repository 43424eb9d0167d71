import { describe, test } from "vitest";
import { storageConformance } from "../testing/conformance/storage.ts";
import { memoryStorage } from "./memory-storage.ts";

storageConformance({ describe, test }, async () => memoryStorage(), {
  skip: [{ test: "reopen", reason: "memory forgets everything at the end" }],
});
