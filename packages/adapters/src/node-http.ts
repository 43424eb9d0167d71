/**
 * `node:http` without Node's `fetch`: an `import` reads everything that a module exports, and one export of this one brings in
 * all of `fetch`, 37 ms and 13 MB of each process.
 */
export const nodeHttp = process.getBuiltinModule("node:http");
