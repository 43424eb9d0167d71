import { defineConfig } from "vitest/config";

const project = (name: string, root: string, globalSetup: string[] = [], include?: string[]) => ({
  extends: true as const,
  test: { name, root, include: include ?? ["src/**/*.test.ts", "test/**/*.test.ts"], globalSetup },
});
const postgres = ["../storage-pg/test/embedded-postgres.ts"];

export default defineConfig({
  ssr: { resolve: { conditions: ["@signalbox/source", "module", "node", "development|production"] } },
  test: {
    // The long ones mostly wait for the processes that they start and kill, so two share even two cores well.
    maxWorkers: 2,
    // A real database on a busy machine takes its time; what must be quick says so itself.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      project("core", "packages/core"),
      project("adapters", "packages/adapters"),
      project("storage-sqlite", "packages/storage-sqlite"),
      project("storage-pg", "packages/storage-pg", postgres),
      project("http-hono", "packages/http-hono", postgres),
      project("examples", "examples", ["../packages/storage-pg/test/embedded-postgres.ts"]),
      project("house", "scripts", [], ["**/*.test.mjs"]),
      project("attack", "attack", [], ["**/*.test.ts"]),
    ],
  },
});
