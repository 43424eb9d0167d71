import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createSignalbox, memoryBlobStore } from "@signalbox/core";
import { pgStorage } from "@signalbox/storage-pg";
import { afterAll, expect, inject, test } from "vitest";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const isInstalled = existsSync(join(apart, "node_modules"));
const { resolve } = createRequire(join(apart, "_"));
const load = async (name: string) => (await import(pathToFileURL(resolve(name)).href)) as Record<string, unknown>;
const folder = mkdtempSync(join(apart, ".bundled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "generated"
}
datasource db {
  provider = "postgresql"
}
model Order {
  id Int @id
}
`;

interface Prisma {
  $transaction(work: (tx: { $executeRawUnsafe(sql: string): Promise<number> }) => Promise<void>): Promise<void>;
  $disconnect(): Promise<void>;
}

async function prismaOf(connectionString: string): Promise<Prisma> {
  writeFileSync(join(folder, "schema.prisma"), SCHEMA);
  // The engine that Prisma would download is not used here: any program will do.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const args = [join(apart, "node_modules/prisma/build/index.js"), "generate", "--schema", "schema.prisma"];
  await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  const { PrismaClient } = (await import(pathToFileURL(join(folder, "generated/client.ts")).href)) as {
    PrismaClient: new (options: object) => Prisma;
  };
  const { PrismaPg } = (await load("@prisma/adapter-pg")) as { PrismaPg: new (options: object) => object };
  return new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
}

test.skipIf(!isInstalled)("a transaction of Prisma is refused with advice, and can continue", async () => {
  const url = inject("pgUrl");
  const prisma = await prismaOf(url);
  const storage = pgStorage({ connectionString: url, schema: "host_prisma" });
  const secretKey = "only for this test, long enough";
  const signalbox = createSignalbox({ storage, blobs: memoryBlobStore(), secretKey });
  await signalbox.start();
  await prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe("create temporary table mine (id int)");
    const refused = "begin the transaction on a `pg` client, or call after its commit";
    expect(() => signalbox.with(tx)).toThrow(refused);
    expect(await tx.$executeRawUnsafe("insert into mine values (1)")).toBe(1);
  });
  await signalbox.stop();
  await prisma.$disconnect();
});
