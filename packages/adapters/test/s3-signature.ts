import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const REGION = "test-region-1";
export const CREDENTIALS = { accessKeyId: "AKIDTESTTESTTEST", secretAccessKey: "s3cret/Key+With=Signs" };

export const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Why the signature of a request violates Signature Version 4; undefined when it is valid. Written from the specification. */
export function signatureFault(request: IncomingMessage, body: Uint8Array, token?: string): string | undefined {
  const { authorization = "" } = request.headers;
  const [, id, scope = "", names = "", given] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  const header = (name: string): string => String(request.headers[name] ?? "");
  const time = header("x-amz-date");
  if (id !== CREDENTIALS.accessKeyId) return "InvalidAccessKeyId";
  if (scope !== `${time.slice(0, 8)}/${REGION}/s3/aws4_request`) return "AuthorizationHeaderMalformed";
  const signed = names.split(";");
  const needed = ["host", ...Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"))];
  if (needed.some((name) => !signed.includes(name))) return "AccessDenied";
  if (header("x-amz-security-token") !== (token ?? "")) return "InvalidToken";
  const sent = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(sent - Date.now()) < 15 * 60_000)) return "RequestTimeTooSkewed";
  if (header("x-amz-content-sha256") !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://host");
  const query = [...searchParams]
    .map((pair) => pair.map(encode).join("="))
    .sort()
    .join("&");
  const path = decodeURIComponent(pathname).split("/").map(encode).join("/");
  const headers = signed.map((name) => `${name}:${header(name).trim().replace(/\s+/g, " ")}\n`).join("");
  const canonical = [request.method, path, query, headers, names, header("x-amz-content-sha256")].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<Uint8Array | string>(hmac, `AWS4${CREDENTIALS.secretAccessKey}`);
  return hmac(key, text).toString("hex") === given ? undefined : "SignatureDoesNotMatch";
}
