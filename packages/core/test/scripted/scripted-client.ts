import type { WebHookClient, WebHookRequest, WebHookResponse } from "../../src/ports/outside/web-hook-client.ts";

export type Step = Partial<WebHookResponse> | Error;

/** Answers requests from a script, repeating its last step, and records the requests. */
export function scriptedClient(...steps: readonly Step[]): WebHookClient & { readonly sent: WebHookRequest[] } {
  const sent: WebHookRequest[] = [];
  return {
    sent,
    async send(request) {
      const step = steps[Math.min(sent.length, steps.length - 1)] ?? {};
      sent.push(request);
      if (step instanceof Error) throw step;
      return { status: 200, statusText: "OK", headers: {}, body: "", elapsedMs: 5, ...step };
    },
  };
}
