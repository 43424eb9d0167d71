import * as z from "zod";
import { looseObject } from "../../wire/schemas/objects.ts";
import { targetList } from "./config-fields.ts";

/** Headers with the caller's address, in the order of docs/contract/requests.md#address-of-the-caller. */
const ADDRESS_HEADERS = [
  "x-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "x-real-ip",
  "x-cluster-client-ip",
  "x-forwarded-for",
  "forwarded-for",
  "x-forwarded",
  "forwarded",
] as const;

const proxy = z.union([z.enum(["loopback", "private"]), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: "neither an address, a network, `loopback` nor `private`",
});
/** Rules of HTTP: a header that cannot be sent would make every answer fail. */
const headerName = z.string().regex(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/, { error: "not a name of a header" });
const headerValue = () => z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: "not a value of a header" });

export const apiSection = looseObject(() => ({
  max_json_size: z.int().positive().default(16_777_216).describe("Bytes of a JSON body."),
  max_body_memory: z
    .int()
    .min(1_048_576)
    .default(33_554_432)
    .describe(
      "Bytes that bodies over 64 KB take at once, as text and parsed, others wait for them; half as much for shorter ones.",
    ),
  max_record_size: z.int().positive().default(1_048_576).describe("Bytes of a stored definition, as JSON."),
  key_length: z.int().min(24).max(256).default(24).describe("Characters of a new API key."),
  login_bundle: z
    .boolean()
    .default(false)
    .describe("Answers a login with all definitions besides, for pages that expect them there."),
  strict: z
    .boolean()
    .default(false)
    .describe("Refuses parameters that an operation does not know, instead of naming them in its answer."),
  cors: z
    .enum(["compat", "host"])
    .default("compat")
    .describe("Who answers preflight requests: the router, or the host program behind it."),
  trusted_proxies: z
    .array(proxy)
    .default(["loopback"])
    .describe("Addresses, networks, `loopback` or `private` whose forwarding headers are trusted."),
  address_headers: z
    .array(z.enum(ADDRESS_HEADERS))
    .default([...ADDRESS_HEADERS])
    .describe("Headers by which trusted proxies pass the caller's address; all others are as callers sent them."),
})).prefault({});

export const webServerSection = looseObject(() => ({
  max_upload_size: z.int().positive().default(1_073_741_824).describe("Bytes of any request body."),
  response_headers: z.record(headerName, headerValue()).default({}).describe("Headers of every answer."),
  server_signature: headerValue().optional().describe("Value of the header `Server`; absent = none is sent."),
})).prefault({});

/** Local networks as blocks, not as names: agents receive this list too, and only know addresses and blocks. */
const LOCAL_BLOCKS = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
  "169.254.0.0/16",
  "fe80::/10",
];

export const airgapSection = looseObject(() => ({
  enabled: z.boolean().default(false).describe("Restricts outbound requests to the white list."),
  whitelist: targetList.default(LOCAL_BLOCKS).describe("Targets that remain reachable in the air gap."),
  blacklist: targetList.default([]).describe("Targets that are never reachable in the air gap."),
})).prefault({});

const seconds = (fallback: number) => z.number().min(0.2).max(600).default(fallback);

/** Nodes on one storage find each other by heartbeats; a node may miss a few before it counts as dead. */
export const clusterSection = looseObject(() => ({
  host: z
    .string()
    .min(1)
    .max(253)
    .regex(/^[\w.:-]+$/, { error: "not a host name" })
    .optional()
    .describe("Name of this node's machine, by which satellites reach it; absent = the machine's own."),
  beat_sec: seconds(2).describe("Seconds between two beats of a node."),
  silent_sec: seconds(12).describe("A node that is silent for so many seconds counts as dead."),
  drain_delay_sec: z
    .number()
    .min(0)
    .max(600)
    .default(5)
    .describe("Seconds that a node that drains still takes calls while `/ready` says no, for balancers to notice."),
  redirect_per_sec: z
    .number()
    .min(1)
    .max(10_000)
    .default(200)
    .describe(
      "Satellites that a node that drains sends to others in a second; more where it has over ten times as many.",
    ),
}))
  .refine(({ beat_sec, silent_sec }) => silent_sec >= 4 * beat_sec, {
    path: ["silent_sec"],
    error: "must be at least four times `beat_sec`",
  })
  .prefault({});
