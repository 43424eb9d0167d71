/**
 * Loaded before a program that a test starts: hashes of passwords take a sixty-fourth of the work. An engine of a test
 * is handed cheap ones as a plugin; a program has no way to be told so, and none must be published. Keys of secrets are
 * derived in one lane where passwords take several, and stay what they are: they must open elsewhere, and a kill must
 * find them at work. Plain JavaScript, since Node takes 60 ms of processor time to learn how types are taken away.
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
