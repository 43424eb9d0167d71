import { defineCollection } from "../../ports/storage/collection.ts";
import type { Secret, SecretCanary, SecretPayload } from "./model.ts";

export const secretCollection = defineCollection<Secret>({ name: "secrets", noun: "Secret", resident: true });

/** Sealed variables. The fingerprint is the only column: it shows which records a rotation still has to re-seal. */
export const payloadCollection = defineCollection<SecretPayload>({
  name: "secret_payloads",
  noun: "Sealed Secret",
  columns: { fp: { type: "text", read: ({ fp }) => fp ?? "" } },
});

/** A single record, sealed with the current key: a start with a wrong key is detected by it. */
export const canaryCollection = defineCollection<SecretCanary>({ name: "secret_canary", noun: "Secret Canary" });
export const CANARY_ID = "canary";
