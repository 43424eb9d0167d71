import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { assetsOf } from "./assets.ts";

test("a file is read on request, packed or not, and a missing one is found again once it is back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-assets-"));
  try {
    await writeFile(join(folder, "manifest.json"), "{}");
    await writeFile(join(folder, "app-1.js"), "once");
    const { get } = assetsOf(pathToFileURL(join(folder, "manifest.json")));
    expect([get("manifest.json"), get("app-2.js"), get("__proto__")]).toEqual([undefined, undefined, undefined]);
    const script = get("app-1.js");
    expect(script?.type).toBe("text/javascript; charset=utf-8");
    await rm(join(folder, "app-1.js"));
    for (const read of [script?.bytes, script?.packed])
      await expect(read?.()).rejects.toMatchObject({ code: "ENOENT" });
    await writeFile(join(folder, "app-1.js"), "again");
    expect(String(await script?.bytes())).toBe("again");
    expect(String(gunzipSync((await script?.packed()) ?? ""))).toBe("again");
  } finally {
    await rm(folder, { recursive: true });
  }
});
