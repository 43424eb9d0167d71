import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launchProgram, type Outcome, type RunningProgram, runProgram } from "./program.ts";

let dataDir: string;
const running: RunningProgram[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-quick-"));
});
afterEach(async () => {
  for (const program of running.splice(0)) await program.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

const environment = (port = "0") => ({ SIGNALBOX_DATA_DIR: dataDir, PORT: port });

const playOnce = (): Promise<Outcome> => runProgram("quick-start.ts", { args: ["--once"], env: environment() });

/** Starts the program as `npm start` does: it keeps running. */
async function startUp(): Promise<RunningProgram & { readonly url: string }> {
  const program = launchProgram("quick-start.ts", { env: environment() });
  running.push(program);
  const [, url = ""] = await program.line(/page +(http:\S+)\/$/);
  return { ...program, url };
}

test("the output shows readings, an alert, its job and its web hook, and ends", async () => {
  const { code, stdout, stderr } = await playOnce();
  expect(stderr).toBe("");
  const [, url = ""] = /page +(http:\S+)\/$/m.exec(stdout) ?? [];
  expect(stdout).toMatch(/administrator key +\w{24}$/m);
  expect(stdout).toMatch(/load [\d.]+, processes \d+, CPU [\d.]+ %$/m);
  expect(stdout).toMatch(/memory used \d+ MB, available \d+ MB$/m);
  expect(stdout).toMatch(/Alert fired +"Memory in use" on local: [\d.]+ [MGT]B of [\d.]+ [MGT]B are in use$/m);
  expect(stdout).toMatch(/Job finished +\w+ with code 0 after [\d.]+ s; its log:\n +Diagnosis on /);
  expect(stdout).toContain(`Web hook           arrived at ${url}/hooks/alert:`);
  expect(stdout).toContain(`${url}/ops/#Alerts?id=`);
  expect(stdout).toMatch(/^Notice grouped +one about 2 alerts: \S.* on 2: \S.* on \S+, \S.* on \S+: /m);
  expect(stdout).toMatch(/^ +why\? +Told to Administrators \(quick start\) at \d\d:\d\d/m);
  expect(stdout).toMatch(/^Group +"Main Group" has 1 connected server\(s\): \S/m);
  expect(stdout).toContain('fired, nothing was sent: silence "Nobody wants to hear of processes"');
  expect(stdout).toMatch(/why\? +The condition holds and the alert has fired. Nothing was sent: silence "/);
  expect(stdout).toContain('system says "That is this very program": nothing more is sent for it');
  expect(stdout).toMatch(
    /^Back-test +over [1-9]\d* stored minute\(s\) the alert would have fired [1-9]\d* time\(s\):$/m,
  );
  expect(stdout).toMatch(/UTC +[\d.]+ [MGT]B in use, still active$/m);
  expect(stdout).toMatch(
    /^Ticket opened +#1 "Alert: Memory in use on [^"]+", incident, open\n +attached +\w+\.log, \d+ bytes/m,
  );
  expect(stdout).toMatch(/^Ticket found +"memory status:open type:incident" finds #1$/m);
  expect(stdout).toMatch(
    /^Mail captured +"Signalbox: #1 created: Alert: Memory in use on [^"]+" to ops@example\.com$/m,
  );
  expect(stdout).toMatch(/code 1: Attempt 1 failed\n.+code 1: Attempt 2 failed\n.+succeeded$/m);
  expect(stdout).toMatch(/^Jobs queued +3 launched at once, one runs at a time: (?=.*ready).*active/m);
  expect(stdout).toMatch(/update \{"state":"active"\}\n +its log so far: line 1, line 2/);
  expect(stdout).toMatch(/^Job aborted +\w+, final code "abort"$/m);
  expect(stdout).toMatch(/^Scheduled +"Greet from inside the process" runs next at \d{4}-.*Z$/m);
  expect(stdout).toContain(
    [
      'Workflow           "Invoices of the month", declared in code, node by node:',
      "    customers  1 job(s): ok",
      "    rates      1 job(s): ok",
      "    any        decision",
      "    each       split, 3 of 3",
      "    invoice    3 job(s): ok, ok, ok",
      "    total      1 job(s): ok",
      "    both       join, 2 of 2",
      "    report     1 job(s): ok",
    ].join("\n"),
  );
  expect(stdout).toMatch(/^Workflow finished +\w+ with code 0, added up at a rate of 1\.1$/m);
  expect(stdout).toMatch(
    /^Event loop +p99 [\d.]+ ms, longest [\d.]+ ms; the longest piece of work took [\d.]+ ms of processor time$/m,
  );
  expect(code).toBe(0);
});

test("the program keeps serving its page and its API until Ctrl-C, and then ends cleanly", async () => {
  const program = await startUp();
  const [, key = ""] = await program.line(/administrator key +(\w{24})$/);
  await program.line(/^Web hook/);
  const page = await fetch(`${program.url}/`, { headers: { Accept: "text/html" } });
  expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(await page.text()).toContain("<h1>This machine</h1>");
  const live = await (await fetch(`${program.url}/live`)).json();
  expect(live).toMatchObject({ jobs: expect.any(Number), samples: expect.arrayContaining([expect.anything()]) });
  const monitors = `${program.url}/ops/api/app/get_monitors/v1`;
  expect(await (await fetch(monitors, { headers: { "X-API-Key": key } })).json()).toMatchObject({ code: 0 });
  expect((await fetch(monitors)).status).not.toBe(200);
  await program.line(/^Staying up/);
  expect(await program.kill("SIGINT")).toBe(0);
  expect(program.stderr()).toBe("");
});

test("a second start uses the same data and says where the key is instead of showing it", async () => {
  const first = await startUp();
  const [, key = ""] = await first.line(/administrator key +(\w{24})$/);
  // Interrupts the narration.
  const code = await first.kill("SIGINT");
  expect({ code, stderr: first.stderr() }).toEqual({ code: 0, stderr: "" });

  const second = await startUp();
  const file = join(dataDir, "quick-start.json");
  const [line] = await second.line(/administrator key .*/);
  expect(line).toContain(`was shown at the first start; it is kept in ${file}`);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ administratorKey: key });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const tags = await fetch(`${second.url}/ops/api/app/get_tags/v1`, { headers: { "X-API-Key": key } });
  expect(await tags.json()).toMatchObject({ code: 0 });
  expect(await second.kill("SIGTERM")).toBe(0);
  expect(second.stdout()).not.toContain(key);
});

test("a port in use ends the start with one sentence", async () => {
  const { url } = await startUp();
  const { port } = new URL(url);
  const { code, stderr } = await runProgram("quick-start.ts", { env: environment(port) });
  expect(stderr).toBe(`Port ${port} is taken. Choose another one: PORT=${Number(port) + 1} npm start\n`);
  expect(code).toBe(1);
});
