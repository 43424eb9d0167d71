import type { Cradle } from "../../../kernel/container.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import { onlyText } from "../../../lib/text/text-of.ts";
import type { HookData } from "./sending/prepare.ts";

/** Fires a saved hook; the action's text is appended to the hook text (docs/contract/actions.md#web-hooks). */
export const webHookAction: ActionType = {
  applies: ["job", "alert"],
  target: (action) => onlyText(action["web_hook"]),
  run: runWebHook,
};

/** Seconds by which a firing ends before the action's deadline, so that it can still report and store its outcome. */
const MARGIN_SEC = 2;

type Deps = Pick<Cradle, "expressions" | "webHooks">;

function runWebHook(run: ActionRun, { expressions, webHooks }: Deps): Promise<ActionOutcome> {
  const { action, idempotencyKey, side, signal, timeoutSec } = run;
  const sent = onlyText(action["text"]);
  const custom = side === "alert" ? sent.trim() : sent;
  // Expanded separately, before any secrets are available to it.
  const added = /\S/.test(custom) ? expressions.compileTemplate(custom).expand(run.data, { undefinedText: "n/a" }) : "";
  const patienceSec = timeoutSec - Math.min(MARGIN_SEC, timeoutSec / 2);
  return webHooks.fire(onlyText(action["web_hook"]), withText(run.data, added), {
    idempotencyKey,
    signal,
    patienceSec,
  });
}

/** Sets all three members that common chat services read to the same text (docs/contract/alerts.md#template-data). */
function withText(data: HookData, added: string): HookData {
  const text = [onlyText(data["text"]), added].filter((part) => part !== "").join(" ");
  return { ...data, text, content: text, message: text };
}
