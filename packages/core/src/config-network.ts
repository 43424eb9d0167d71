import * as z from "zod";

const url = () => z.union([z.literal(""), z.url({ protocol: /^https?$/ })]);

/** In the order of docs/contract/requests.md#address-of-the-caller. */
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

export const apiSection = z
  .looseObject({
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
      .describe("Refuses parameters that an operation does not know, in place of naming them in its answer."),
    cors: z
      .enum(["compat", "host"])
      .default("compat")
      .describe("Who answers preflight requests: the router, or the host program behind it."),
    trusted_proxies: z
      .array(z.string())
      .default(["loopback"])
      .describe("Addresses, networks, `loopback` or `private` whose forwarding headers are believed."),
    address_headers: z
      .array(z.enum(ADDRESS_HEADERS))
      .default([...ADDRESS_HEADERS])
      .describe("Headers by which those proxies tell the caller's address; all others are as callers sent them."),
  })
  .prefault({});

export const satelliteSection = z
  .looseObject({
    config: z
      .looseObject({
        host: z
          .string()
          .regex(/^[\w.:[\]-]+$/)
          .optional()
          .describe(
            "Name under which agents come back to this service; absent = the one that each of them reached it by.",
          ),
        port: z.int().min(1).max(65_535).optional().describe("Port there; absent = that of `base_app_url`, or 5522."),
        secure: z.boolean().optional().describe("Whether agents speak TLS; absent = as `base_app_url` says."),
      })
      .default({})
      .describe("Members that replace those in the configuration of every agent."),
    allow_secret_key_join: z
      .boolean()
      .default(true)
      .describe("Lets agents without an id of their own enrol with the secret key."),
    secret_key_grace_hours: z
      .number()
      .nonnegative()
      .default(24)
      .describe("Hours in which agents may still show tokens of an earlier secret key after it was replaced."),
    image: z.string().default("").describe("Container image of the agent, as `get_satellite_token` answers it."),
    version: z
      .string()
      .regex(/^\w[\w.-]*$/)
      .default("latest")
      .describe("Release of the agent that is installed and upgraded to."),
    base_url: url()
      .default("")
      .describe(
        "Where packages of the agent are, with `/latest/download/` and `/download/<version>/` below; empty = nowhere.",
      ),
    list_url: url().default("").describe("JSON list of the agent's releases; empty = only the latest is offered."),
    cache_ttl: z.number().nonnegative().default(3600).describe("Seconds that lists and packages of releases are kept."),
  })
  .prefault({});

/** Kinds of addresses, addresses, blocks, host names, `*.` and a domain. */
const targetList = z.array(z.string().regex(/^(?:\*\.)?[\w.:-]+(?:\/\d{1,3})?$/));

export const webHookTargets = z
  .looseObject({
    allow: targetList
      .default([])
      .describe("Opens targets that are not public; `loopback`, `private`, `link-local`, `metadata` name kinds."),
    allow_link_local: z.boolean().default(false).describe("Short for `link-local` and `metadata` in `allow`."),
    max_deliveries: z
      .int()
      .nonnegative()
      .max(10_000)
      .default(1000)
      .describe("Firings that failed for good and are kept, so that they can be sent again."),
  })
  .prefault({});

/** As blocks, not as words: agents get this list too, and know addresses and blocks only. */
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

export const airgapSection = z
  .looseObject({
    enabled: z.boolean().default(false).describe("Restricts outbound requests to the white list."),
    whitelist: targetList.default(LOCAL_BLOCKS).describe("What remains reachable in the air gap."),
    blacklist: targetList.default([]).describe("What is never reachable in the air gap."),
  })
  .prefault({});
