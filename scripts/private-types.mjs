// Runs after the compiler and lists for each package the declarations that are not published.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepPrivateTypes } from "./release/declared.mjs";

const packages = fileURLToPath(new URL("../packages", import.meta.url));
for (const name of ["core", "adapters", "http-hono", "client", "dashboard", "storage-sqlite", "storage-pg"])
  keepPrivateTypes(join(packages, name));
