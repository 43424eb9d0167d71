import * as z from "zod";
import type { StreamContext } from "../../../kernel/calls/context.ts";
import { anyone, defineStream, type StreamResult } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { type Address, addressOf } from "../rules/address.ts";
import { Initial, initialOf } from "../rules/initial.ts";
import { scriptFor } from "../rules/script.ts";
import { type Bearing, requireBearer } from "./bearer.ts";

const text = (name: string) => z.string().optional().describe(name);

const SatelliteInput = looseObject(() => ({
  t: text("Token of `get_satellite_token`, API key that may add servers, or token of the server itself."),
  s: text("Id of the server that upgrades itself."),
  os: text("`linux`, `darwin` or `windows`."),
  arch: text("`x64`, `arm64` …"),
}));
type SatelliteInput = z.infer<typeof SatelliteInput>;

const badUrl = (): DomainError => new DomainError("satellite", "malformed", "Invalid satellite API URL.");

type Answer = (bearing: Bearing, input: SatelliteInput, context: StreamContext) => StreamResult | Promise<StreamResult>;

/**
 * Methods, by the rest of the path. A server may upgrade itself, but must not create other servers
 * (docs/contract/satellites.md#installation).
 */
const METHODS: ReadonlyMap<string, { readonly servers: boolean; readonly answer: Answer }> = new Map([
  ["install", { servers: false, answer: install }],
  ["upgrade", { servers: true, answer: upgrade }],
  ["core", { servers: true, answer: core }],
  ["config", { servers: false, answer: config }],
]);

export const satellite = defineStream({
  name: "satellite",
  summary: "Scripts, package and configuration of new agents: `satellite/install`, `/upgrade`, `/core` and `/config`.",
  access: anyone,
  refuses: ["satellite"],
  accepts: "anything",
  input: SatelliteInput,
  async handler(input, context): Promise<StreamResult> {
    const name = context.client.pathSuffix.replace(/\/v\d+$/, "");
    const method = METHODS.get(name);
    if (!method) throw new DomainError("satellite", "malformed", "Invalid satellite API method.");
    for (const word of [input.s, input.os, input.arch])
      if (word !== undefined && !/^\w{1,64}$/.test(word)) throw badUrl();
    const bearing = await requireBearer(input, { ...context, servers: method.servers });
    return method.answer(bearing, input, context);
  },
});

async function* once(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** The address that the caller used; agents on the same machine can reach it, too. */
function addressFor({ client, config: { base_app_url, satellite: settings } }: StreamContext): Address {
  const address = addressOf(settings.config, client.baseUrl || base_app_url);
  if (!address) throw badUrl();
  return address;
}

const script = (content: string): StreamResult => ({
  contentType: "text/plain; charset=utf-8",
  headers: { "X-Content-Type-Options": "nosniff" },
  body: once(content),
});

const DAY_SEC = 86_400;

async function install(bearing: Bearing, input: SatelliteInput, context: StreamContext): Promise<StreamResult> {
  const { origin, path } = addressFor(context);
  const { enrolment } = context.services.satellites;
  const members = membersOf(input);
  // The script stays behind on machines, so it must never contain an API key.
  const token = bearing.kind === "key" ? await enrolment.issue(members, DAY_SEC) : bearing.token;
  if (bearing.kind === "token") await enrolment.extend(token, members);
  return script(scriptFor("install", input.os, { origin, path, token }));
}

function membersOf(input: SatelliteInput): Initial {
  const members = Initial.safeParse(input);
  if (!members.success) throw badUrl();
  return initialOf(members.data);
}

function upgrade({ token, server }: Bearing, { os }: SatelliteInput, context: StreamContext): StreamResult {
  const { origin, path } = addressFor(context);
  return script(scriptFor("upgrade", os, { origin, path, token, server }));
}

async function core({ server }: Bearing, { os, arch }: SatelliteInput, context: StreamContext): Promise<StreamResult> {
  if (os === undefined || arch === undefined) throw badUrl();
  const { packages, upgrades } = context.services.satellites;
  const file = `satellite-${os}-${arch}.tar.gz`;
  const told = server === undefined ? undefined : upgrades.releaseFor(server);
  const found = await packages.find({ release: told ?? context.config.satellite.version, file });
  if (!found) return missing(`File not found: ${file}`);
  if (found.kind === "elsewhere") return { status: 302, headers: { Location: found.url } };
  return {
    contentType: "application/gzip",
    headers: {
      "Content-Disposition": `attachment; filename="${file}"`,
      "Content-Length": String(found.sizeBytes),
    },
    body: found.content,
  };
}

/** Answers 404, so that a shell's `curl -f` fails, even on unversioned paths where other errors answer 200. */
const missing = (description: string): StreamResult => ({
  status: 404,
  contentType: "application/json",
  headers: { "Cache-Control": "no-store" },
  body: once(`${JSON.stringify({ code: "satellite", description })}\n`),
});

/** Assigns a new identity each time; the server gets a record when it connects. */
function config({ initial }: Bearing, _input: SatelliteInput, context: StreamContext): StreamResult {
  const { config: settings, ids, log, services } = context;
  const { host: pinned, ...common } = settings.satellite.config;
  const { host, port, secure } = addressFor(context);
  const id = ids.short("s");
  const members = {
    ...common,
    // A single `host` would keep the agent from the other nodes; `hosts` contains it as well.
    ...(pinned === undefined || settings.cluster.host !== undefined ? {} : { host: pinned }),
    airgap: settings.airgap,
    hosts: [host],
    port,
    secure,
    server_id: id,
    auth_token: services.agentKeys.serverToken(id),
    initial,
  };
  log.info({ server: id }, "A configuration for a new agent was made");
  return {
    contentType: "application/json",
    headers: { "Content-Disposition": 'attachment; filename="config.json"' },
    body: once(`${JSON.stringify(members, null, "\t")}\n`),
  };
}
