import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Output } from "../answer/output.ts";
import type { Answer } from "../answer/plain-answer.ts";
import { type OpenApiDocument, openApiDocument } from "../openapi/document.ts";
import type { Settings } from "../settings.ts";
import { type ApiDescription, referencePage } from "./page.ts";
import { STYLE } from "./style.ts";

type Describe = (mount: string, accepted: Headers) => Promise<Answer>;

/** Pieces of the page that are generated in one turn of the event loop. */
const AT_ONCE = 16;

/**
 * Descriptions of the API, by their names below the base: the OpenAPI document at `openapi.json`, and the same for people at
 * `reference`. Both are generated at the first request, over many turns of the event loop, and cached; failures are not cached.
 */
export function createDescriptions(
  { engine, apiBase, options }: Settings,
  output: Output,
): ReadonlyMap<string, Describe> {
  if (options.openapi === false) return new Map();
  const document = openApiDocument(engine, { apiBase });
  let page: Promise<string> | undefined;
  return new Map<string, Describe>([
    ["openapi.json", async (mount, accepted) => output.text((await whole(document)).text(mount), accepted)],
    [
      "reference",
      async (_mount, accepted) => {
        page ??= whole(document)
          .then(pageOf)
          .catch((error: unknown) => {
            page = undefined;
            throw error;
          });
        return output.text(await page, accepted, pageHeaders());
      },
    ],
  ]);
}

async function whole(document: OpenApiDocument): Promise<OpenApiDocument> {
  while (document.advance()) await setImmediate();
  return document;
}

async function pageOf(document: OpenApiDocument): Promise<string> {
  const pieces: string[] = [];
  for (const piece of referencePage(JSON.parse(document.text("")) as ApiDescription))
    if (pieces.push(piece) % AT_ONCE === 0) await setImmediate();
  return pieces.join("");
}

/** The browser applies one style sheet, and loads, runs or sends nothing else. */
function pageHeaders(): Readonly<Record<string, string>> {
  const style = createHash("sha256").update(STYLE).digest("base64");
  const policy = ["default-src 'none'", `style-src 'sha256-${style}'`, "base-uri 'none'", "form-action 'none'"];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": [...policy, "frame-ancestors 'none'"].join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
