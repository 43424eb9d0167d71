import { createHmac } from "node:crypto";
import type { WebHookRequest } from "../../../../ports/outside/web-hook-client.ts";

/** Signs one attempt. `id` is the same for every attempt; `timestamp` (Unix seconds) differs. */
export type Sign = (request: WebHookRequest, timestamp: number) => WebHookRequest;

/** Headers of the Standard Webhooks scheme. */
export const SIGNATURE_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

const SECRET_FORM = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** Throws `Error`, which names only the variable, when it does not exist or is not a signing secret. */
export function createSign(id: string, name: string, secrets: Readonly<Record<string, string>>): Sign {
  const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  if (secret === undefined) throw new Error(`Signing secret not found: ${name}`);
  const [, encoded = ""] = SECRET_FORM.exec(secret) ?? [];
  const key = Buffer.from(encoded, "base64");
  if (key.length === 0) throw new Error(`Signing secret is not of the form whsec_<Base64>: ${name}`);
  return (request, timestamp) => ({ ...request, headers: signedHeaders(request, { id, timestamp, key }) });
}

interface Signing {
  readonly id: string;
  readonly timestamp: number;
  readonly key: Buffer;
}

function signedHeaders({ headers, body = "" }: WebHookRequest, { id, timestamp, key }: Signing) {
  const seconds = String(Math.floor(timestamp));
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  const [idHeader, timestampHeader, signatureHeader] = SIGNATURE_HEADERS;
  const others = Object.entries(headers).filter(([name]) => !isOurs(name));
  return {
    ...Object.fromEntries(others),
    [idHeader]: id,
    [timestampHeader]: seconds,
    [signatureHeader]: `v1,${signature}`,
  };
}

const isOurs = (name: string): boolean => SIGNATURE_HEADERS.some((each) => each === name.toLowerCase());
