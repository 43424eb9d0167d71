import { isSecretName } from "./secret-names.ts";

const MASK = "****";

/** Characters after which a text is cut off: people do not read further, and an agent may send anything. */
const MAX_LENGTH = 32_768;

/** Tokens recognised by their format. Each match must start where a run of its characters starts, so the scan is linear. */
const TOKEN =
  /(?<![\w.-])(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{12,}|AIza[\w-]{20,}|sk[-_][\w-]{20,}|npm_\w{20,}|hv[bs]\.[\w-]{20,}|whsec_[\w+/=-]{10,}|SG\.[\w-]{10,}\.[\w-]{10,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/g;

/**
 * A command line that matches none of these in lower case has nothing to mask. This one test settles most of them; a minute of a
 * fleet runs it a hundred thousand times.
 */
const HINT =
  /pass|pwd|secret|token|key|auth|cred|cookie|sess|jwt|bearer|sig|pat[ =:]|pin[ =:]|psk|otp|:\/\/|eyj|gh[pousr]_|glpat-|xox|akia|aiza|sk[-_]|npm_|hv[bs]\.|sg\.|\s-p\S|login|mysql|maria|redis-cli|ldap|sqlcmd|bcp|7z|zip|rar|curl|mongo|smb|rabbit/;

/** Options of a program that carry a password; each is one character after a dash. */
interface Options {
  /** `-pVALUE` */
  readonly attached?: string;
  /** `-a VALUE` */
  readonly next?: string;
  /** `-u user:VALUE` */
  readonly pair?: string;
}

const both = (option: string): Options => ({ attached: option, next: option });
const entriesOf = (names: string, options: Options): [string, Options][] =>
  names.split(" ").map((name) => [name, options]);

/** Options by the name of the program or of its subcommand: `docker login -p VALUE`. */
const PROGRAMS: ReadonlyMap<string, Options> = new Map([
  ...entriesOf("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlbinlog mysqlslap", { attached: "p" }),
  ...entriesOf("mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import", { attached: "p" }),
  ...entriesOf("7z 7za 7zr 7zz rar unrar", { attached: "p" }),
  ...entriesOf("sshpass login rabbitmqadmin", both("p")),
  ...entriesOf("mongo mongosh mongodump mongorestore mongoexport mongoimport", both("p")),
  ...entriesOf("ldapsearch ldapadd ldapmodify ldapdelete ldappasswd", both("w")),
  ...entriesOf("zip unzip sqlcmd bcp", both("P")),
  ...entriesOf("redis-cli", both("a")),
  ...entriesOf("curl", { pair: "uU" }),
  ...entriesOf("smbclient", { pair: "U" }),
]);

/** How to treat the next word, given the words before it. */
interface Reading {
  options: Options;
  next: "plain" | "value" | "header" | "pair";
}

/**
 * Replaces passwords, tokens and keys in the arguments of a command line with `****`: values of options, variables, members and
 * headers with telling names, passwords in URLs, and tokens recognised by their format. Runs in linear time. Only blanks separate
 * arguments, so of a password with blanks only the first word is masked.
 */
export function maskArguments(command: string): string {
  const text = command.length > MAX_LENGTH ? command.slice(0, MAX_LENGTH) : command;
  if (!HINT.test(text.toLowerCase())) return text;
  const reading: Reading = { options: {}, next: "plain" };
  return text.replace(/\S+/g, (word) => readWord(word, reading)).replace(TOKEN, MASK);
}

function readWord(word: string, reading: Reading): string {
  const { next } = reading;
  reading.next = "plain";
  if (next !== "plain" && !/^--?[A-Za-z]/.test(word)) return readExpected(word, next, reading);
  const options = PROGRAMS.get(programOf(word));
  if (options) reading.options = options;
  return options ? word : (readOption(word, reading) ?? maskAssignments(maskUrls(word), reading));
}

/** The file name of a path, without quotes and `.exe`. */
const programOf = (word: string): string => /([^/\\'"]*?)(?:\.exe)?['"]?$/i.exec(word.slice(-64))?.[1] ?? "";

const SCHEME = /^['"]?(?:bearer|basic|digest|token|apikey|negotiate|aws4-hmac-sha256)$/i;

function readExpected(word: string, next: Exclude<Reading["next"], "plain">, reading: Reading): string {
  if (next === "pair") return maskPair(word);
  if (next === "header" && SCHEME.test(word)) {
    reading.next = "value";
    return word;
  }
  return masked(word);
}

/** `user:VALUE`, or `user%VALUE` for Windows shares. */
function maskPair(word: string): string {
  const at = word.search(/[:%]/);
  return at < 0 ? word : word.slice(0, at + 1) + masked(word.slice(at + 1));
}

/** Undefined for a word that is not an option, and for an option with its value in the same word after `=` or `:`. */
function readOption(word: string, reading: Reading): string | undefined {
  if (SCHEME.test(word)) return expect(reading, "value", word);
  const short = /^-[A-Za-z]/.test(word) ? readShortOption(word, reading) : undefined;
  if (short !== undefined) return short;
  const name = /^['"]?--?([A-Za-z][\w.-]*)$/.exec(word)?.[1];
  return name !== undefined && isSecretName(name) ? expect(reading, "value", word) : undefined;
}

function readShortOption(word: string, reading: Reading): string | undefined {
  const [option, value] = [word.slice(1, 2), word.slice(2)];
  const { attached = "", next = "", pair = "" } = reading.options;
  if (value === "") {
    if (next.includes(option)) return expect(reading, "value", word);
    return pair.includes(option) ? expect(reading, "pair", word) : undefined;
  }
  if (value.includes("=")) return undefined;
  if (attached.includes(option) || LOOKS_RANDOM.test(word)) return `-${option}${MASK}`;
  return pair.includes(option) ? `-${option}${maskPair(value)}` : undefined;
}

/** `-pVALUE` of unknown programs: a port or a word is not a password. */
const LOOKS_RANDOM = /^-p(?=\S*\d)(?=\S*[A-Za-z])[^\s/:,]{8,}$/;

function expect(reading: Reading, next: Reading["next"], word: string): string {
  reading.next = next;
  return word;
}

/** `NAME=VALUE`, `name:VALUE`, `"name":"VALUE"`: on its own, in an option, in a query, or among others. */
function maskAssignments(word: string, reading: Reading): string {
  let result = "";
  let done = 0;
  for (const { index } of word.matchAll(/[=:]/g)) {
    if (index < done || !isSecretName(nameBefore(word, index))) continue;
    const start = index + (/^['"]{1,2}/.exec(word.slice(index + 1, index + 3))?.[0].length ?? 0) + 1;
    if (start === word.length) {
      // `Authorization: Bearer VALUE`, `"password": "VALUE"`
      reading.next = "header";
      break;
    }
    const length = endOfValue(word, start) - start;
    const value = word.slice(start, start + length);
    if (SCHEME.test(value)) reading.next = "value";
    else {
      result += word.slice(done, start) + masked(value);
      done = start + length;
    }
  }
  return result + word.slice(done);
}

/** The name that ends at a position; looks back no further than the longest name. */
function nameBefore(word: string, end: number): string {
  return /([A-Za-z][\w.-]*)['"]?$/.exec(word.slice(Math.max(0, end - 84), end))?.[1] ?? "";
}

/** A value ends at its quote, or where the next member of a list or query begins. */
function endOfValue(word: string, start: number): number {
  const ends = /["'&;,}\])]/g;
  ends.lastIndex = start;
  return ends.exec(word)?.index ?? word.length;
}

/** `scheme://user:VALUE@host` and `https://VALUE@host`. */
function maskUrls(word: string): string {
  if (!word.includes("://")) return word;
  return word
    .split(/(?=:\/\/)/)
    .map((part) => (part.startsWith("://") ? maskAuthority(part) : part))
    .join("");
}

const MIN_TOKEN = 16;

function maskAuthority(part: string): string {
  const credentials = /^:\/\/([^\s@/?#]*)@/.exec(part)?.[1];
  // A password that contains a slash; digits before a slash would be a port, followed by a path.
  const odd = credentials === undefined ? /^:\/\/[^\s:@/?#]*:(?!\d{1,5}[/?#])[^\s@]*@/.exec(part)?.[0] : undefined;
  const text = credentials ?? odd?.slice(3, -1);
  if (text === undefined) return part;
  const colon = text.indexOf(":");
  if (colon < 0 && text.length < MIN_TOKEN) return part;
  const user = colon < 0 ? "" : text.slice(0, colon + 1);
  return `://${user}${masked(text.slice(user.length))}${part.slice(3 + text.length)}`;
}

const HARMLESS = /^(?:true|false|yes|no|on|off|none|null|auto|\$\{?\w+\}?|%\w+%)?$/i;

/** Masks a value, but keeps flags, empty values, names of variables (to show which are set), and quotes and brackets around. */
function masked(value: string): string {
  const start = value.search(/[^'"]/);
  let end = value.length;
  while (end > start && `'",;}])`.includes(value.charAt(end - 1))) end -= 1;
  if (start < 0 || HARMLESS.test(value.slice(start, end))) return value;
  return value.slice(0, start) + MASK + value.slice(end);
}
