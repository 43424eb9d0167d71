import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { adminRotateSecretKey } from "./operations.ts";
import { createKeyRotation, type KeyRotation } from "./service.ts";

declare module "../../kernel/plugins/services.ts" {
  interface Services {
    readonly keyRotation: KeyRotation;
  }
}

export const keyRotation = definePlugin({
  id: "key-rotation",
  after: ["auth", "secrets", "internal-jobs", "transfer"],
  operations: [adminRotateSecretKey],
  services: { keyRotation: createKeyRotation },
});
