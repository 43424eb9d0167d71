import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { membersOf } from "@signalbox/core/adapter";
import { compileRegex } from "@signalbox/core/plugin";
import type { HttpRequest } from "../../web-hook/fetch-client.ts";
import type { JobFolder } from "../job/job-folder.ts";
import { isOn } from "../job/job-record.ts";
import type { JobRun, JobTools } from "../job/job-run.ts";

type Params = Readonly<Record<string, unknown>>;
type HttpAnswer = Awaited<ReturnType<JobTools["http"]>>;

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
/** Most bytes of an answer: as text for the log and the data, and as a file. */
const MAX_TEXT = 1_048_576;
const MAX_FILE = 16 * 1_048_576;
/** Most characters of an answer that become part of the record. */
const MAX_DATA = 65_536;
const MAX_TIMEOUT_SEC = 3600;

/**
 * Sends the one request that the job's parameters describe, and judges the answer (docs/contract/plugins.md#presets, `httpplug`).
 */
export async function runHttp(run: JobRun, folder: JobFolder, { http }: JobTools): Promise<void> {
  const params = membersOf(run.record.sent["params"]);
  const request = requestOf(params);
  const judge = judgeOf(params);
  run.log(`${request.method} ${request.url}\n`);
  const answer = await http(request, run.signal);
  run.log(`${headOf(answer)}\n`);
  const isFile = isOn(params["download"]) && request.method !== "HEAD";
  if (isFile) await keep(run, folder, { answer, url: request.url });
  else if (answer.body.length > 0) run.log(`${answer.body.toString("utf8")}\n`);
  run.record.apply({ data: dataOf(answer, isFile), perf: { total: Math.round(answer.elapsedMs) / 1000 } });
  const fault = judge(answer, request.followRedirects);
  const status = `HTTP ${answer.status} ${reasonOf(answer)}`.trim();
  run.finish(fault === undefined ? 0 : 1, fault === undefined ? status : `${fault} (${status})`);
}

function requestOf(params: Params): HttpRequest {
  const method = String(params["method"] ?? "GET").toUpperCase();
  if (!METHODS.has(method)) throw new Error(`Unknown method: ${method.slice(0, 20)}`);
  const url = String(params["url"] ?? "").trim();
  if (!/^https?:\/\//i.test(url)) throw new Error("The URL must begin with http:// or https://");
  const body = String(params["data"] ?? "");
  const isFile = isOn(params["download"]);
  return {
    method,
    url,
    headers: headersOf(String(params["headers"] ?? "")),
    ...(WITH_BODY.has(method) ? { body } : {}),
    connectTimeoutMs: millisecondsOf(params["connect_timeout"], 10),
    firstByteTimeoutMs: millisecondsOf(params["timeout"], 30),
    timeoutMs: millisecondsOf(params["idle_timeout"], 30),
    maxBodyBytes: isFile ? MAX_FILE : MAX_TEXT,
    followRedirects: isOn(params["follow"]),
    skipCertificateCheck: isOn(params["ssl_cert_bypass"]),
  };
}

/** Parses headers, one a line; the client refuses malformed and forbidden ones. */
function headersOf(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (line.trim() === "") continue;
    if (colon < 1) throw new Error(`Malformed header: ${line.slice(0, 40)}`);
    headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return headers;
}

function millisecondsOf(value: unknown, fallback: number): number {
  const seconds = Number(value === "" || value === null || value === undefined ? fallback : value);
  if (!(seconds > 0) || seconds > MAX_TIMEOUT_SEC) throw new Error(`Malformed number of seconds: ${String(value)}`);
  return seconds * 1000;
}

type Judge = (answer: HttpAnswer, followed: boolean) => string | undefined;

/** Returns a function that finds the fault of an answer; undefined = none. Patterns are matched in the first 64 KiB. */
function judgeOf(params: Params): Judge {
  const [success, error] = [patternOf(params, "success_match"), patternOf(params, "error_match")];
  return ({ status, body }, followed) => {
    const isFine = status >= 200 && status < (followed ? 300 : 400);
    if (!isFine) return "The server answered with an error";
    const text = body.toString("utf8");
    if (error?.test(text)) return "The answer contains the error pattern";
    return success && !success.test(text) ? "The answer lacks the success pattern" : undefined;
  };
}

function patternOf(params: Params, name: string) {
  const pattern = String(params[name] ?? "");
  if (pattern === "") return undefined;
  try {
    return compileRegex(pattern);
  } catch (error) {
    throw new Error(`Malformed pattern: ${name}`, { cause: error });
  }
}

const reasonOf = ({ statusText }: HttpAnswer): string => statusText.replace(/[^\x20-\x7e]/g, "").slice(0, 100);

function headOf(answer: HttpAnswer): string {
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP ${answer.status} ${reasonOf(answer)}`, ...headers, ""].join("\n");
}

interface Download {
  readonly answer: HttpAnswer;
  readonly url: string;
}

/** Stores the answer under the last part of the address, as far as that is a valid file name. */
async function keep(run: JobRun, folder: JobFolder, { answer: { body }, url }: Download): Promise<void> {
  if (body.length >= MAX_FILE) throw new Error(`The answer is larger than ${MAX_FILE / 1_048_576} MB`);
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  const filename =
    last
      .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
      .replace(/^\.+/, "")
      .slice(-100) || "answer.bin";
  await writeFile(join(folder.cwd, filename), body, { mode: 0o600, flag: "wx" });
  run.record.apply({ files: [{ path: filename }] });
  run.log(`${body.length} bytes were kept as ${filename}\n`);
}

/** Data for the next job of a chain. */
function dataOf({ status, headers, body }: HttpAnswer, isFile: boolean): Record<string, unknown> {
  const text = isFile ? "" : body.toString("utf8");
  const json = /[/+]json\b/i.test(headers["content-type"] ?? "") ? parse(text) : undefined;
  const content = json === undefined ? { body: text.slice(0, MAX_DATA) } : { json };
  return { status, headers: { ...headers }, ...(isFile ? {} : content) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The header says JSON but the body is not, so it counts as text.
    return undefined;
  }
}
