/**
 * The script that satellites run each minute. Its shell part finds the Node of the machine, or the one that runs the
 * agent, and pipes the program into it. The order is one line of JSON, so it can never match the line that ends the
 * here-document.
 */
export const scriptOf = (order: string): string => `${FIND_NODE}
exec "$node" - <<'END_OF_PROGRAM'
const ORDER = ${order};
${PROGRAM}
END_OF_PROGRAM
`;

const FIND_NODE = `
for found in node "$(readlink "/proc/$PPID/exe" 2>/dev/null)" "$(ps -o comm= -p "$PPID" 2>/dev/null)"; do
  case "\${found##*/}" in
    node*) if command -v "$found" >/dev/null 2>&1; then node=$found; break; fi ;;
  esac
done
[ -n "$node" ] || { echo "There is no Node on this machine" >&2; exit 1; }`.trim();

/**
 * Runs the checks that are due in this minute, and prints facts by check, which the engine judges. Bodies never leave
 * the machine: only the presence of words is reported. Plain JavaScript for any Node since 18. ORDER has \`checks\`,
 * and as \`open\` and \`airGap\` the engine's rules for targets (docs/contract/monitors.md#from-satellites).
 */
const PROGRAM = String.raw`
const { BlockList, isIP, connect } = require("node:net");
const dns = require("node:dns").promises;
const tls = require("node:tls");
const zlib = require("node:zlib");

const MAX_BODY = 1048576, MAX_HEARD = 4096, MAX_TEXT = 300, MAX_VALUES = 50, MAX_HOPS = 5;

const blocksOf = (entries) => {
  const list = new BlockList();
  for (const entry of entries) {
    const [address, bits] = entry.split("/");
    const type = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
};
/** Kinds of addresses, in the order in which they are asked; addresses of IPv4 inside of IPv6 count as such. */
const KINDS = Object.entries({
  metadata: [
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200", "192.0.0.192",
    "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42",
    "64:ff9b::a83f:8110", "64:ff9b::6464:64c8", "64:ff9b::c000:c0",
  ],
  "link-local": ["169.254.0.0/16", "fe80::/10", "64:ff9b::a9fe:0/112"],
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
}).map(([kind, entries]) => [kind, blocksOf(entries)]);
const CLOSED = ["metadata", "link-local"];
const isBlock = (entry) => isIP(entry.split("/")[0]) !== 0;
const rulesOf = (entries) => ({ words: new Set(entries), blocks: blocksOf(entries.filter(isBlock)) });
const OPEN = rulesOf(ORDER.open);
const GAP = ORDER.airGap && { allow: rulesOf(ORDER.airGap.allow), refuse: rulesOf(ORDER.airGap.refuse) };

const has = (list, { address, family }) => list.check(address, family === 6 ? "ipv6" : "ipv4");
const isNamed = ({ words, blocks }, at) =>
  (at.kind !== undefined && words.has(at.kind)) || has(blocks, at) || words.has(at.name) ||
  [...words].some((word) => word.startsWith("*.") && at.name.endsWith(word.slice(1)));

class Blocked extends Error {}

function judge(found, host) {
  const address = found.address.split("%")[0];
  const at = { address, family: found.family, name: host.toLowerCase().replace(/\.$/, "") };
  const known = KINDS.find(([, list]) => has(list, at));
  at.kind = known && known[0];
  const isClosed = CLOSED.includes(at.kind) && !OPEN.words.has(at.kind) && !has(OPEN.blocks, at);
  const isOutside = GAP && !(isNamed(GAP.allow, at) && !isNamed(GAP.refuse, at));
  if (isClosed || isOutside)
    throw new Blocked("Address is not allowed: " + address + " (" + (isClosed ? at.kind : "outside of the air gap") + ")");
}

async function addressesOf(host) {
  const family = isIP(host);
  const found = family ? [{ address: host, family }] : await dns.lookup(host, { all: true, verbatim: true });
  for (const each of found) judge(each, host);
  return found;
}

const pinned = (addresses) => (_host, options, done) =>
  options.all ? done(null, addresses) : done(null, addresses[0].address, addresses[0].family);

const endOf = (certificate) => {
  const ends = Date.parse(certificate && certificate.valid_to);
  return Number.isNaN(ends) ? undefined : ends / 1000;
};

function unpacked(body, encoding) {
  try {
    const limit = { maxOutputLength: MAX_BODY };
    if (encoding === "br") return zlib.brotliDecompressSync(body, limit);
    return /gzip|deflate/.test(encoding || "") ? zlib.unzipSync(body, limit) : body;
  } catch {
    return body;
  }
}

function exchange(url, { method, headers, body, verify }, addresses, signal) {
  const { request } = require(url.protocol === "https:" ? "node:https" : "node:http");
  const options = { method, headers, lookup: pinned(addresses), agent: false, signal, rejectUnauthorized: verify };
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (answer) => {
      const { socket } = answer;
      const seen = {
        status: answer.statusCode, location: answer.headers.location, address: socket.remoteAddress,
        ends: socket.getPeerCertificate && endOf(socket.getPeerCertificate()),
      };
      const chunks = [];
      let size = 0;
      const done = () => {
        const all = Buffer.concat(chunks).subarray(0, MAX_BODY);
        resolve({ ...seen, text: unpacked(all, answer.headers["content-encoding"]).toString("utf8") });
        asked.destroy();
      };
      answer.on("data", (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= MAX_BODY) done();
      });
      answer.on("end", done).on("error", reject);
    });
    asked.on("error", reject).end(body);
  });
}

async function askHttp(check, signal) {
  let url = new URL(check.url);
  let call = { ...check, headers: { "User-Agent": "Signalbox", "Accept-Encoding": "identity", ...check.headers } };
  for (let hop = 0; ; hop++) {
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) throw new Blocked("Malformed URL of a redirect");
    const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ""));
    const { location, ...answer } = await exchange(url, call, addresses, signal);
    if (!check.follow || !location || ![301, 302, 307, 308].includes(answer.status)) return answer;
    if (hop >= MAX_HOPS) throw new Error("Too many redirects (" + MAX_HOPS + ")");
    const next = new URL(location, url);
    // Headers and body were written for one address.
    if (next.origin !== url.origin) call = { ...call, headers: { "User-Agent": "Signalbox" }, body: undefined };
    url = next;
  }
}

async function open({ host, port }, signal) {
  const addresses = await addressesOf(host);
  signal.throwIfAborted();
  const socket = connect({ host, port, lookup: pinned(addresses) });
  signal.addEventListener("abort", () => socket.destroy(signal.reason), { once: true });
  return heard(socket, "connect");
}

const heard = (socket, event) => new Promise((resolve, reject) => {
  socket.on("error", reject).on("close", () => reject(new Error("The connection was closed")));
  socket.once(event, () => resolve(socket));
});

const listen = (socket, isEnough) => new Promise((resolve, reject) => {
  let text = "";
  const end = () => { socket.off("data", add); resolve(text.slice(0, MAX_HEARD)); };
  const add = (chunk) => {
    text += chunk.toString("utf8");
    if (text.length >= MAX_HEARD || isEnough(text)) end();
  };
  socket.on("data", add).once("end", end).once("error", reject);
});

async function askTcp(check, signal) {
  const socket = await open(check, signal);
  const address = socket.remoteAddress;
  if (check.send) socket.write(check.send);
  const text = check.contains ? await listen(socket, (said) => said.includes(check.contains)) : undefined;
  socket.end();
  return { address, text };
}

const TALKS = {
  none: [],
  smtp: [
    [/^220(?: .*)?\r?\n/m, "EHLO signalbox\r\n"], [/^250(?: .*)?\r?\n/m, "STARTTLS\r\n"],
    [/^220(?: .*)?\r?\n/m, ""],
  ],
  imap: [[/^\* OK.*\r?\n/, "a1 STARTTLS\r\n"], [/^a1 OK.*\r?\n/m, ""]],
};
const LAST = { smtp: /(?:^|\n)(?!\d{3}-)[^\n]+\n/, imap: /(?:^|\n)(?!\* (?!BYE))[^\n]+\n/ };

async function askTls(check, signal) {
  const socket = await open(check, signal);
  for (const [expected, said] of TALKS[check.starttls]) {
    const answer = await listen(socket, (text) => expected.test(text) || LAST[check.starttls].test(text));
    if (!expected.test(answer)) throw new Error("The server does not go over to TLS: " + answer.slice(0, 100).trim());
    if (said) socket.write(said);
  }
  const servername = check.servername || (isIP(check.host) ? undefined : check.host);
  const secure = tls.connect({ socket, host: check.host, servername, rejectUnauthorized: check.verify });
  await heard(secure, "secureConnect");
  const found = { address: socket.remoteAddress, ends: endOf(secure.getPeerCertificate()) };
  socket.destroy();
  return found;
}

async function resolverOf(check, signal) {
  const resolver = new dns.Resolver({ timeout: check.timeout * 1000, tries: 1 });
  signal.addEventListener("abort", () => resolver.cancel(), { once: true });
  if (!check.resolver) return resolver;
  const [, six, name, port = "53"] = /^(?:\[([^\]]+)\]|([^:]+|[\da-f]*:[\da-f:]*:[\da-f:]*))(?::(\d{1,5}))?$/i.exec(check.resolver) || [];
  if (!six && !name) throw new Blocked("Malformed resolver");
  const [{ address, family }] = await addressesOf(six || name);
  resolver.setServers([(family === 6 ? "[" + address + "]" : address) + ":" + port]);
  return resolver;
}

async function askDns(check, signal) {
  const rows = await (await resolverOf(check, signal)).resolve(check.name, check.record);
  const one = (row) => {
    if (check.record === "MX") return row.priority + " " + row.exchange;
    return Array.isArray(row) ? row.join("") : String(row);
  };
  const soa = ({ nsname, hostmaster, serial, refresh, retry, expire, minttl }) =>
    [nsname, hostmaster, serial, refresh, retry, expire, minttl].join(" ");
  const values = (check.record === "SOA" ? [soa(rows)] : rows.map(one)).slice(0, MAX_VALUES);
  return { values, address: /^A{1,4}$/.test(check.record) ? values[0] : undefined };
}

const ASK = { http: askHttp, tcp: askTcp, tls: askTls, dns: askDns };

async function found(check) {
  const begun = process.hrtime.bigint();
  const ms = () => Number(process.hrtime.bigint() - begun) / 1e6;
  const whole = new AbortController();
  const late = new Error("No answer within " + check.timeout * 1000 + " ms");
  const timer = setTimeout(() => whole.abort(late), check.timeout * 1000);
  const ending = new Promise((_done, reject) => whole.signal.addEventListener("abort", () => reject(late)));
  ending.catch(() => {});
  try {
    const { text, ...answer } = await Promise.race([ASK[check.type](check, whole.signal), ending]);
    const words = ["contains", "not_contains"].filter((name) => check[name] && text !== undefined);
    return { ms: ms(), ...answer, words: words.filter((name) => text.includes(check[name])), heard: text !== undefined };
  } catch (caught) {
    const error = whole.signal.aborted ? late : caught;
    const code = error.code || (error.cause && error.cause.code);
    const blocked = error instanceof Blocked || (error instanceof TypeError && !code);
    return { ms: ms(), blocked, code, text: String(error.message).slice(0, MAX_TEXT) };
  } finally {
    clearTimeout(timer);
  }
}

const minute = Math.floor(Date.now() / 60000);
const due = ORDER.checks.filter(({ minutes, turn }) => minute % minutes === turn);
Promise.all(due.map(async (check) => [check.id, await found(check)])).then((rows) => {
  process.stdout.write(JSON.stringify(Object.fromEntries(rows)), () => process.exit(0));
});
`.trim();
