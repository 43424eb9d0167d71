/** Writes the documentation site to `docs/site`: open its `index.html`, or put the folder on any server. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { faultsOf, llmsTextOf, readPages, siteFiles } from "./site/build.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "docs/site");

const read = readPages(root);
const faults = faultsOf(root, read);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

rmSync(folder, { recursive: true, force: true });
const files = siteFiles(root, read);
for (const [name, content] of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}
console.log(`docs/site/index.html: ${read.pages.size} pages`);
writeFileSync(join(root, "docs/llms.txt"), llmsTextOf(read));
