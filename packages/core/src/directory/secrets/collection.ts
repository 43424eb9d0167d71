import { defineCollection } from "../../ports/storage/collection.ts";
import type { Secret, SecretCanary, SecretPayload } from "./model.ts";

export const secretCollection = defineCollection<Secret>({ name: "secrets", noun: "Secret", resident: true });

/** Sealed variables. The fingerprint is the only column: it tells which records a rotation has still to do. */
export const payloadCollection = defineCollection<SecretPayload>({
  name: "secret_payloads",
  noun: "Sealed Secret",
  columns: { fp: { type: "text", read: ({ fp }) => fp ?? "" } },
});

/** One record, made with the current key: a start with a wrong key is noticed by it. */
export const canaryCollection = defineCollection<SecretCanary>({ name: "secret_canary", noun: "Secret Canary" });
export const CANARY_ID = "canary";
