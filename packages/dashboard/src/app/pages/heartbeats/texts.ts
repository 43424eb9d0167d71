import { catalogue } from "../../texts/catalogue.ts";

export const heartbeatsTexts = {
  title: "Heartbeats",
  create: "New heartbeat",
  empty:
    "There are no heartbeats. Work that runs elsewhere, such as a line of cron, calls the address of one when it is done; rules tell when the call does not come.",
  removal: "Its address is unknown from then on, and its calls are deleted.",
  every: "Heard every",
  everyHelp: "Within this time a success must come.",
  grace: "May be late by",
  graceHelp: "Empty: five minutes.",
  finishWithin: "Ends within",
  finishHelp: "Of a run that tells of its start. Empty: any time.",
  failWords: "Words of a failure",
  failHelp: "A success whose text holds one of these is a failure.",
  address: "Address",
  addressHelp: "It was shown when it was made, and only its hash is kept. Make a new one if it is lost.",
  once: "Keep it now: only its hash is stored, so nobody can show it again. Call it when the work is done; with /start or /fail behind it, it tells of that.",
  rotate: "New address",
  rotateTitle: "Give “{name}” a new address?",
  rotateWhy: "The former one is unknown from then on: what calls it is not heard until it has the new one.",
  calls: "Calls",
  noCalls: "Nothing has called the address yet. Until the first call nothing is late.",
  lastCalls: { one: "The last call", other: "The last {n} calls" },
  exit: "status {n}",
  "kind.success": "Done",
  "kind.fail": "Failed",
  "kind.start": "Began",
  "kind.alive": "Goes on",
  "kind.log": "Said something",
} as const;
export const t = catalogue("heartbeats", heartbeatsTexts);
