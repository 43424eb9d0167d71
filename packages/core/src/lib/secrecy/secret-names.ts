/** Names with these endings describe a secret but do not contain it: `password_file`, `token_ttl`. */
const ABOUT =
  /(?:file|path|dir|name|type|url|uri|host|port|user|env|stdin|prompt|policy|length|size|count|age|ttl|timeout|format|provider|field|algo|algorithm|expiry|expires)s?$/;
const SECRET =
  /passw|passphrase|passcode|pwd|secret|token|credential|creds?$|apikey|authorization|cookie|session[-_.]?id$|jwt|bearer|(?:^|[-_.])(?:pass|passin|passout|key|auth|sig|signature|pat|pin|psk|otp)$|(?:db|root|admin|user|my|pg|smtp|mail|ftp|ssh|redis|http|proxy|key|store)pass$|(?:api|access|account|auth|deploy|encryption|license|master|private|service|shared|signing|storage)[-_.]?key$/;
/** Bounds the work; real names are shorter. */
const MAX_NAME = 80;

/** True for names of options, variables, members and headers that hold a password, key or token. */
export function isSecretName(name: string): boolean {
  if (name.length > MAX_NAME) return false;
  const plain = name.toLowerCase();
  return SECRET.test(plain) && !ABOUT.test(plain);
}
