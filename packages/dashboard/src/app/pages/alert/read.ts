import { api } from "../../data/calls/session.ts";
import type { Invocation } from "../../data/records/counts.ts";
import { questionAbout } from "../../data/records/subjects.ts";

export type Explained = Awaited<ReturnType<typeof api.explainAlert>>["rows"][number];

/** Reads an invocation and the current state of its rule on its subject. */
export async function readAlert(id: string, signal: AbortSignal) {
  const { alerts } = await api.getAlertInvocations({ ids: [id] }, { signal });
  const [found] = alerts;
  if (!found || !("alert" in found)) return { invocation: undefined, explained: undefined };
  const invocation = found as Invocation;
  const asked = api.explainAlert({ alert: invocation.alert, ...questionAbout(invocation) }, { signal });
  // The rule or its subject may be deleted by now; the invocation is shown without the explanation.
  const explained = (await asked.catch(() => undefined))?.rows[0];
  return { invocation, explained };
}
