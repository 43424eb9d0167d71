import { isObject } from "../../../../lib/json/is-object.ts";
import { isNumber } from "../../../../wire/fields/checks.ts";
import type { Receiver } from "../../model.ts";
import { SERVICES, type Service } from "./names.ts";

export const isService = (type: Receiver["type"]): type is Service => SERVICES.some((each) => each === type);

interface Setting {
  /** Stored sealed, and shown as a mask. */
  readonly isSecret?: true;
  isGood(value: string): boolean;
}

const MAX_TEXT = 500;
const MAX_URL = 2000;

const isText = (value: string): boolean => value !== "" && value.length <= MAX_TEXT && !/[\p{Cc}]/u.test(value);
const text: Setting = { isGood: isText };
const key: Setting = { isSecret: true, isGood: isText };
const number: Setting = { isGood: (value) => /^\d{1,15}$/.test(value) };
const oneOf = (...words: readonly string[]): Setting => ({ isGood: (value) => words.includes(value) });

function isUrl(value: string): boolean {
  const url = value.length <= MAX_URL ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
const address: Setting = { isGood: isUrl };
/** Secret, because the address alone is enough to write to the channel. */
const secretAddress: Setting = { isSecret: true, isGood: isUrl };
const region = oneOf("us", "eu");

const SETTINGS: Readonly<Record<Service | "sms", Readonly<Record<string, Setting>>>> = {
  slack: { url: secretAddress, token: key, channel: text },
  teams: { url: secretAddress },
  discord: { url: secretAddress },
  telegram: { token: key, chat: text, thread: number },
  pagerduty: { routing_key: key, region },
  opsgenie: { key, region, base_url: address },
  ntfy: { url: address, topic: text, token: key },
  matrix: { url: address, room: text, token: key },
  sms: { to: text },
};

/** Required settings: every member of at least one of the lists. */
const NEEDED: Readonly<Record<Service | "sms", readonly (readonly string[])[]>> = {
  slack: [["url"], ["token", "channel"]],
  teams: [["url"]],
  discord: [["url"]],
  telegram: [["token", "chat"]],
  pagerduty: [["routing_key"]],
  opsgenie: [["key"]],
  ntfy: [["topic"]],
  matrix: [["url", "room", "token"]],
  sms: [["to"]],
};

export type Settings = Readonly<Record<string, string>>;

/** Settings from a request as texts, with numbers such as chat ids converted; undefined if they contain anything else. */
export function settingTexts(sent: unknown): Settings | undefined {
  if (!isObject(sent)) return undefined;
  const texts = Object.entries(sent).map(([name, value]) => [name, isNumber(value) ? String(value) : value] as const);
  return texts.every(([, value]) => typeof value === "string")
    ? Object.fromEntries(texts as [string, string][])
    : undefined;
}

/** Shown instead of a sealed value. */
export const MASK = "********";

const isSecret = (type: Receiver["type"], name: string): boolean =>
  type in SETTINGS && SETTINGS[type as Service][name]?.isSecret === true;

/** Whether masks may be replaced with stored secrets. They may not if the secrets would go to a different address than before. */
export function mayMask(type: Service, sent: Settings, stored: Settings): boolean {
  const known = SETTINGS[type];
  const isSame = (name: string): boolean => known[name] !== address || (sent[name] ?? "") === (stored[name] ?? "");
  return !Object.values(sent).includes(MASK) || Object.keys(known).every(isSame);
}

/** Whether the settings, which may contain masks, are valid for a service. */
export function areSettingsGood(type: Service | "sms", settings: Settings): boolean {
  const known = SETTINGS[type];
  const isGood = ([name, value]: [string, string]): boolean =>
    Object.hasOwn(known, name) &&
    (value === "" || (value === MASK && isSecret(type, name)) || known[name]?.isGood(value) === true);
  const isThere = (name: string): boolean => Boolean(settings[name]);
  return Object.entries(settings).every(isGood) && NEEDED[type].some((list) => list.every(isThere));
}

interface Split {
  /** Settings as stored for everybody to read, with masks instead of secrets. */
  readonly shown: Settings;
  /** Secret settings to be sealed; a mask keeps the value that is already sealed. */
  readonly secrets: Settings;
}

/** Separates the secrets from settings in a request. Empty values, and masks without a stored value, are left out. */
export function splitSettings(type: Receiver["type"], sent: Settings, sealed: Settings): Split {
  const shown: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value === "") continue;
    if (!isSecret(type, name)) shown[name] = value;
    else {
      const actual = value === MASK ? sealed[name] : value;
      if (actual === undefined) continue;
      secrets[name] = actual;
      shown[name] = MASK;
    }
  }
  return { shown, secrets };
}
