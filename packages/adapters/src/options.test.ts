import { createSignalbox, memoryStorage } from "@signalbox/core";
import { describe, expect, test } from "vitest";
import { wsAgents } from "./agents/index.ts";
import { fsBlobStore, s3BlobStore } from "./blobs/index.ts";
import { localAgent, nodeProcesses } from "./local-agent/index.ts";
import { jsonLogger } from "./log/index.ts";
import { logMailer, smtpMailer } from "./mail/index.ts";
import { fetchWebHookClient } from "./web-hook/index.ts";

const S3 = { bucket: "blobs", credentials: { accessKeyId: "a", secretAccessKey: "b" } };
const SERVER = { host: "mail.example.com" };

/** Without these checks, each value would have been taken for an absent option or for another value. */
const CASES: readonly [string, (options: never) => unknown, object, string][] = [
  [
    "fsBlobStore",
    (options: { at?: string }) => fsBlobStore(options.at as string),
    { at: undefined },
    "fsBlobStore: the directory",
  ],
  [
    "fsBlobStore",
    (options: { at?: string }) => fsBlobStore(options.at as string),
    { at: "" },
    "fsBlobStore: the directory",
  ],
  ["s3BlobStore", s3BlobStore, { ...S3, Prefix: "a" }, 's3BlobStore: there is no option "Prefix"'],
  ["s3BlobStore", s3BlobStore, { ...S3, prefix: undefined }, "s3BlobStore: prefix is undefined"],
  ["s3BlobStore", s3BlobStore, { ...S3, endpoint: undefined }, "s3BlobStore: endpoint is undefined"],
  ["s3BlobStore", s3BlobStore, { ...S3, credentials: undefined }, "s3BlobStore: credentials is undefined"],
  ["s3BlobStore", s3BlobStore, { bucket: "blobs" }, "s3BlobStore: credentials is undefined"],
  ["s3BlobStore", s3BlobStore, { ...S3, bucket: undefined }, "s3BlobStore: bucket is undefined"],
  [
    "s3BlobStore",
    s3BlobStore,
    { ...S3, credentials: { accessKeyId: "a", secretAccessKey: undefined } },
    "s3BlobStore: credentials: secretAccessKey is undefined",
  ],
  ["s3BlobStore", s3BlobStore, { ...S3, timeoutMs: Number.NaN }, "s3BlobStore: timeoutMs must be a positive number"],
  ["smtpMailer", smtpMailer, { server: SERVER, maxConection: 4 }, 'smtpMailer: there is no option "maxConection"'],
  ["smtpMailer", smtpMailer, { server: undefined }, "smtpMailer: server is undefined"],
  ["smtpMailer", smtpMailer, {}, "smtpMailer: server is undefined"],
  ["smtpMailer", smtpMailer, { server: { host: undefined } }, "smtpMailer: server: host is undefined"],
  ["smtpMailer", smtpMailer, { server: { ...SERVER, auth: undefined } }, "smtpMailer: server: auth is undefined"],
  ["smtpMailer", smtpMailer, { server: { ...SERVER, tls: "startls" } }, "smtpMailer: server: tls must be one of"],
  [
    "smtpMailer",
    smtpMailer,
    { server: { ...SERVER, auth: { user: "me", password: "hunter2" } } },
    'smtpMailer: server: auth: there is no option "password"',
  ],
  [
    "smtpMailer",
    smtpMailer,
    { server: { ...SERVER, auth: { user: "me", pass: undefined } } },
    "smtpMailer: server: auth: pass is undefined",
  ],
  ["smtpMailer", smtpMailer, { server: SERVER, maxWaiting: Number.NaN }, "smtpMailer: maxWaiting must be"],
  ["logMailer", (options: { log?: never }) => logMailer(options.log as never), {}, "logMailer: the logger is missing"],
  ["wsAgents", wsAgents, { maxPayLoad: 5 }, 'wsAgents: there is no option "maxPayLoad"'],
  ["wsAgents", wsAgents, { compression: "no" }, "wsAgents: compression must be true or false"],
  ["localAgent", localAgent, { tempdir: "/tmp" }, 'localAgent: there is no option "tempdir"'],
  ["localAgent", localAgent, { tempDir: "" }, "localAgent: tempDir must be a text that is not empty"],
  ["localAgent", localAgent, { maxFunctions: Number.NaN }, "localAgent: maxFunctions must be a positive whole number"],
  ["localAgent", localAgent, { http: { alow: [] } }, 'localAgent: http: there is no option "alow"'],
  ["nodeProcesses", nodeProcesses, { tempdir: "/tmp" }, 'nodeProcesses: there is no option "tempdir"'],
  ["jsonLogger", jsonLogger, { level: "warning" }, 'jsonLogger: level must be one of "debug", "info", "warn", "error"'],
  ["fetchWebHookClient", fetchWebHookClient, { allowed: [] }, 'fetchWebHookClient: there is no option "allowed"'],
  ["fetchWebHookClient", fetchWebHookClient, { connectTimeoutMs: Number.NaN }, "connectTimeoutMs must be"],
];

describe("options with a misleading value are refused", () => {
  test.each(CASES)("%s %# of %o", (_name, make, options, complaint) => {
    expect(() => make(options as never)).toThrow(complaint);
  });

  test("an undefined option gets its default", async () => {
    const options = { id: undefined, minuteEverySec: undefined, quickEverySec: undefined, hostname: undefined };
    const agents = localAgent(options as never);
    const engine = createSignalbox({ storage: memoryStorage(), agents, secretKey: "0123456789abcdef" });
    await engine.start();
    const { servers } = await engine.api.getServers();
    await engine.stop();
    expect(Object.keys(servers)).toEqual(["local"]);
  });
});
