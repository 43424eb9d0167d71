import { readFile } from "node:fs/promises";
import { SECRET_VARIABLES, type Variables } from "./secret-environment.ts";

/** The variables, with secrets from files filled in: `SIGNALBOX_SECRET_KEY_FILE`. Throws `Error` with one sentence. */
export async function withSecretFiles(variables: Variables): Promise<Variables> {
  const found: Record<string, string> = {};
  for (const name of SECRET_VARIABLES) {
    const path = variables[`${name}_FILE`];
    if (!path) continue;
    if (variables[name]) throw new Error(`${name} and ${name}_FILE are both set; give one of them`);
    found[name] = await readSecret(`${name}_FILE`, path);
  }
  return { ...variables, ...found };
}

/** Text of a file without the trailing line end, which editors add. */
async function readSecret(variable: string, path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${variable} names a file that cannot be read (${cause.code}): ${path}`, { cause });
  });
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new Error(`${variable} names a file without a secret in it: ${path}`);
  return secret;
}
