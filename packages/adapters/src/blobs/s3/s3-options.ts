import {
  checkOptions,
  given,
  givenText,
  type OptionRules,
  optional,
  optionalFlag,
  optionalPositive,
  required,
  requiredText,
} from "@signalbox/core/adapter";
import { isKey } from "../keys.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Token of temporary credentials. */
  readonly sessionToken?: string;
}

/** Location of the blobs. */
export interface S3Location {
  readonly bucket: string;
  /** Key prefix inside the bucket, without a trailing slash. Default: none. */
  readonly prefix?: string;
  /** Default "us-east-1". */
  readonly region?: string;
  /** Base URL of a store other than Amazon's: "https://minio.example.com:9000". */
  readonly endpoint?: string;
  /** Puts the name of the bucket into the path instead of the host. Default: true with `endpoint`, and for names with dots. */
  readonly pathStyle?: boolean;
}

export interface S3BlobStoreOptions extends S3Location {
  /** A function is called before each request, so that it can renew expiring credentials; it should cache valid ones. */
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>);
  /** Bytes of one request; longer blobs are sent in several. Each upload holds up to two such parts in memory. Default 8 MiB. */
  readonly partSizeBytes?: number;
  /** Milliseconds to wait for an answer to a request, or for the next piece of a blob. Default 60000. */
  readonly timeoutMs?: number;
  /** Attempts of one request that fails temporarily. Default 4. */
  readonly attempts?: number;
}

const MIB = 1024 * 1024;
/** Smallest size that the protocol allows for all parts but the last. */
const SMALLEST_PART = 5 * MIB;
const LARGEST_PART = 512 * MIB;

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** "" or ends with a slash. */
  readonly prefix: string;
  /** URL of the bucket, without a trailing slash. */
  readonly base: string;
  readonly partSizeBytes: number;
  readonly timeoutMs: number;
  readonly attempts: number;
  credentials(): S3Credentials | Promise<S3Credentials>;
}

const RULES: OptionRules<S3BlobStoreOptions> = {
  bucket: requiredText,
  prefix: given,
  region: givenText,
  endpoint: givenText,
  pathStyle: optionalFlag,
  credentials: required,
  partSizeBytes: optionalPositive,
  timeoutMs: optionalPositive,
  attempts: optionalPositive,
};

const CREDENTIAL_RULES: OptionRules<S3Credentials> = {
  accessKeyId: requiredText,
  secretAccessKey: requiredText,
  // Some providers return an empty text if there is no token.
  sessionToken: optional,
};

/** Throws `TypeError` for invalid options; the message repeats no credential. */
export function readS3Options(options: S3BlobStoreOptions): S3Settings {
  checkOptions("s3BlobStore", options, RULES);
  if (typeof options.credentials !== "function")
    checkOptions("s3BlobStore: credentials", options.credentials, CREDENTIAL_RULES);
  const { bucket, prefix = "", region = "us-east-1", credentials } = options;
  const { partSizeBytes = 8 * MIB, timeoutMs = 60_000, attempts = 4 } = options;
  if (!/^[A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9]$/.test(bucket)) throw new TypeError(`Malformed bucket name: ${bucket}`);
  if (prefix !== "" && !isKey(prefix)) throw new TypeError(`Malformed key prefix: ${prefix}`);
  if (!/^[\w-]+$/.test(region)) throw new TypeError(`Malformed region: ${region}`);
  if (!(partSizeBytes >= SMALLEST_PART && partSizeBytes <= LARGEST_PART))
    throw new TypeError(`partSizeBytes must be from ${SMALLEST_PART} to ${LARGEST_PART}`);
  if (!(timeoutMs > 0 && attempts >= 1)) throw new TypeError("timeoutMs and attempts must be positive");
  return {
    bucket,
    region,
    partSizeBytes: Math.floor(partSizeBytes),
    timeoutMs,
    attempts,
    prefix: prefix === "" ? "" : `${prefix}/`,
    base: baseOf(options, region),
    credentials: typeof credentials === "function" ? credentials : () => credentials,
  };
}

function baseOf({ bucket, endpoint, pathStyle }: S3Location, region: string): string {
  const url = readEndpoint(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const folder = url.pathname.replace(/\/+$/, "");
  // Certificates of the stores cover one label before their name.
  return (pathStyle ?? (endpoint !== undefined || bucket.includes(".")))
    ? `${url.origin}${folder}/${bucket}`
    : `${url.protocol}//${bucket}.${url.host}${folder}`;
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new TypeError("endpoint must be an http or https address without a query");
  if (url.username || url.password) throw new TypeError("Credentials belong into `credentials`, not into the endpoint");
  return url;
}

const MEMBERS: ReadonlySet<string> = new Set(["region", "endpoint", "pathStyle"]);

/**
 * Reads `s3://bucket/prefix?region=eu-central-1&endpoint=https://…&pathStyle=1`; it never contains credentials.
 * @throws TypeError for anything else.
 */
export function parseS3Url(address: string): S3Location {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const unknown = url && [...url.searchParams.keys()].find((name) => !MEMBERS.has(name));
  if (url?.protocol !== "s3:" || url.username || url.password || url.port)
    throw new TypeError("must look like s3://bucket/prefix?region=…&endpoint=…");
  if (unknown !== undefined) throw new TypeError(`has an unknown member: ${unknown}`);
  const prefix = url.pathname.replace(/^\/|\/$/g, "");
  const { region, endpoint, pathStyle } = Object.fromEntries(url.searchParams) as Record<string, string | undefined>;
  return {
    bucket: url.hostname,
    ...(prefix === "" ? {} : { prefix }),
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(pathStyle === undefined ? {} : { pathStyle: pathStyle === "1" || pathStyle === "true" }),
  };
}
