/**
 * Loaded before a program that a test starts, and before the tests of the engine: password hashes take a sixty-fourth of the
 * work. A program has no option for that, and none must be published. Keys of secrets, which are derived in one
 * lane where passwords take several, stay unchanged: they must open elsewhere, and a kill must find them at work. Plain
 * JavaScript, since Node takes 60 ms of processor time to load its type stripping.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const LESS = 64;
const { scrypt } = crypto;

function quick(password, salt, length, costs, done) {
  const { N = LESS, p = 1 } = costs;
  scrypt(password, salt, length, p > 1 ? { ...costs, N: Math.max(2, N / LESS) } : costs, done);
}

crypto.scrypt = quick;
syncBuiltinESMExports();
