import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { memoryStorage } from "@signalbox/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { KEY, serveAgents, sha256 } from "./serve-agents.ts";

const run = promisify(execFile);
/** The machine may have a proxy for the web. */
const NO_PROXY = ["--noproxy", "*"];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "signalbox-install-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A package that records that it was run, and contains a sample configuration. */
async function packed(version: string): Promise<Uint8Array> {
  const at = folder();
  writeFileSync(join(at, "install.sh"), `echo ${version} > ran.txt\n`);
  writeFileSync(join(at, "version.txt"), version);
  writeFileSync(join(at, "config.json"), '{ "server_id": "example" }');
  writeFileSync(join(at, "core.tar.gz"), "");
  await run("tar", ["-czf", "core.tar.gz", "install.sh", "version.txt", "config.json"], { cwd: at });
  return readFileSync(join(at, "core.tar.gz"));
}

async function setUp() {
  const at = await serveAgents({ storage: memoryStorage() });
  const work = folder();
  const [bin, home] = [join(work, "bin"), join(work, "agent")];
  mkdirSync(bin);
  // A fake `id`, so that the tests need not run as root: the script only checks `id`.
  writeFileSync(join(bin, "id"), "#!/bin/sh\necho 0\n");
  chmodSync(join(bin, "id"), 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"]}`, SATELLITE_DIR: home, TMPDIR: work };
  const arch = { x64: "x64", arm64: "arm64" }[process.arch as string] ?? "x64";
  const publish = async (version: string, content?: Uint8Array) => {
    const bytes = content ?? (await packed(version));
    await at.engine.blobs.put(
      `satellite/latest/satellite-${process.platform}-${arch}.tar.gz`,
      new Blob([bytes as never]).stream(),
    );
  };
  return {
    ...at,
    home,
    publish,
    read: (name: string) => readFileSync(join(home, name), "utf8"),
    async script(path: string): Promise<string> {
      const response = await fetch(`${at.url}/api/app/satellite/${path}`);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
      return response.text();
    },
    work,
    sh: (script: string, { cwd, ...more }: { cwd?: string; SATELLITE_DIR?: string } = {}) => {
      const call = run("sh", ["-s"], { env: { ...env, ...more }, ...(cwd === undefined ? {} : { cwd }) });
      call.child.stdin?.end(script);
      return call;
    },
  };
}

describe("the scripts for new agents, run by a shell", () => {
  test("install fetches, unpacks, configures and runs; upgrade keeps the configuration", async () => {
    const at = await setUp();
    await at.publish("one");
    const { token } = await at.engine.api.getSatelliteToken({ title: "Web", groups: ["main"] });
    const { stdout } = await at.sh(await at.script(`install?t=${token}`));
    expect(stdout).toContain(`Installation succeeded: ${at.home}`);
    expect(at.read("ran.txt")).toBe("one\n");
    expect(statSync(join(at.home, "config.json")).mode & 0o777).toBe(0o600);
    const config = JSON.parse(at.read("config.json"));
    expect(config).toMatchObject({ hosts: ["127.0.0.1"], port: at.port, secure: false, initial: { title: "Web" } });
    const { server_id: id, auth_token } = config;
    expect(auth_token).toBe(sha256(id + KEY));

    await at.publish("two");
    // An agent is installed now: a second run must not register another one.
    await at.sh(await at.script(`install?t=${token}`));
    expect(JSON.parse(at.read("config.json")).server_id).toBe(id);
    await at.publish("three");
    await at.sh(await at.script(`upgrade?t=${token}`));
    expect([at.read("version.txt"), at.read("ran.txt")]).toEqual(["three", "three\n"]);
    expect(JSON.parse(at.read("config.json")).server_id).toBe(id);
  });

  test("nothing is changed when the fetched file is no package", async () => {
    const at = await setUp();
    const { token } = await at.engine.api.getSatelliteToken();
    const script = await at.script(`install?t=${token}`);
    await expect(at.sh(script)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("could not be fetched"),
    });
    await at.publish("", Buffer.from("<html>not an archive</html>"));
    await expect(at.sh(script)).rejects.toMatchObject({ stderr: expect.stringContaining("is no package") });
    expect(existsSync(at.home)).toBe(false);
  });

  test("a truncated package does not change the identity of an agent", async () => {
    const at = await setUp();
    await at.publish("one");
    const { token } = await at.engine.api.getSatelliteToken();
    const script = await at.script(`install?t=${token}`);
    await at.sh(script);
    const config = at.read("config.json");
    writeFileSync(join(at.work, "bin", "tar"), '#!/bin/sh\necho "{}" > "$SATELLITE_DIR/config.json"; exit 2\n', {
      mode: 0o755,
    });
    await expect(at.sh(script)).rejects.toMatchObject({ stderr: expect.stringContaining("could not be unpacked") });
    expect(at.read("config.json")).toBe(config);
  });

  test("contain the address at which the satellite reached the server", async () => {
    const at = await setUp();
    const { token } = await at.engine.api.getSatelliteToken();
    for (const path of ["install", "upgrade"])
      expect((await at.script(`${path}?t=${token}`)).split("\n")).toContain(`BASE_URL="${at.url}"`);
  });

  test("a missing package is a failure for curl -f", async () => {
    const at = await setUp();
    const { token } = await at.engine.api.getSatelliteToken();
    for (const version of ["", "v1/"]) {
      const url = `${at.url}/api/app/satellite/${version}core?t=${token}&os=linux&arch=x64`;
      await expect(run("curl", [...NO_PROXY, "-fsS", url])).rejects.toMatchObject({ code: 22 });
      expect(await (await fetch(url)).json()).toEqual({
        code: "satellite",
        description: "File not found: satellite-linux-x64.tar.gz",
      });
    }
  });

  test("upgrade uses the folder that the satellite runs from", async () => {
    const at = await setUp();
    await at.publish("two");
    const { token } = await at.engine.api.getSatelliteToken();
    const cwd = join(at.work, "my satellite");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "config.json"), '{ "server_id": "s1" }');
    const { stdout } = await at.sh(await at.script(`upgrade?t=${token}`), { cwd, SATELLITE_DIR: "" });
    expect(stdout).toContain(`Upgrade succeeded: ${cwd}\n`);
    expect(readFileSync(join(cwd, "version.txt"), "utf8")).toBe("two");
    expect(readFileSync(join(cwd, "config.json"), "utf8")).toBe('{ "server_id": "s1" }');
  });

  test("upgrade uses a fixed folder when it is run outside of a satellite's folder", async () => {
    const at = await setUp();
    const { token } = await at.engine.api.getSatelliteToken();
    const script = await at.script(`upgrade?t=${token}`);
    const told = script.replace("work=$(mktemp -d)", 'echo "$FOLDER"; exit 0');
    for (const content of [undefined, '{ "name": "another program" }']) {
      const cwd = mkdtempSync(join(at.work, "elsewhere-"));
      if (content !== undefined) writeFileSync(join(cwd, "config.json"), content);
      expect((await at.sh(told, { cwd, SATELLITE_DIR: "" })).stdout).toBe("/opt/xyops/satellite\n");
    }
  });

  test("without rights there is no script", async () => {
    const at = await setUp();
    const response = await fetch(`${at.url}/api/app/satellite/install?t=unknown`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { code: "satellite", description: "Access denied." },
    ]);
    expect((await fetch(`${at.url}/api/app/satellite/v1/install?t=unknown`)).status).toBe(403);
  });

  test("a Host header cannot put anything into a script", async () => {
    const at = await setUp();
    const { token } = await at.engine.api.getSatelliteToken();
    const { stdout } = await run("curl", [
      ...NO_PROXY,
      "-s",
      "-H",
      "Host: a';id;'b",
      `${at.url}/api/app/satellite/install?t=${token}`,
    ]);
    expect(stdout).not.toContain("';id;'");
  });
});
