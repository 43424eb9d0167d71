/**
 * `node:http` without Node's `fetch`: an `import` reads all exports of a module, and one of this module loads all of
 * `fetch`, 37 ms and 13 MB of each process.
 */
export const nodeHttp = process.getBuiltinModule("node:http");
