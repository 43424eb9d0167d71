export { type KeyFileOptions, keyFile } from "./key-file.ts";
