/** Sends each operation the largest bodies it accepts, as an administrator. */
import { rightMembers } from "../inputs/from-schema.ts";
import { largestOf } from "../inputs/largest.ts";
import { jsonCall } from "../server/http.ts";
import type { Attack, Part } from "../stage/attack.ts";
import { describeOperations } from "../stage/described.ts";

/**
 * Operations that change keys or sessions that all others need, or wait on purpose; and those for strangers, who may send at most
 * 64 KB and whose longer bodies are cut off unread.
 */
const LEFT_OUT =
  /^(?:admin_rotate_secret_key|admin_logout_all|update_api_key|delete_api_key|echo|test_web_hook|error|login|logout|create|resume_session|forgot_password|reset_password|fire_job_web_hook|magic|ping)$/;
/** Operations whose answers contain facts about the machine, such as command lines with paths. */
const OF_SYSTEM = /snapshot|_server|_group|_job|admin_get_config/;
/** Bound on a piece of work in milliseconds of processor time, for a body of any allowed size. */
const PIECE_MS = 25;

const everyMember: Attack = {
  name: "an administrator sends the largest value in each member of each operation",
  by: "callers",
  short: false,
  async run(stage) {
    const operations = (await describeOperations(stage)).filter(
      ({ name, methods }) => methods.includes("post") && !LEFT_OUT.test(name),
    );
    for (const operation of operations) {
      const right = rightMembers(operation, stage.seed, stage.ids);
      for (const member of [...Object.keys(right), "unknown"])
        for (const [what, value] of largestOf(member === "unknown" ? {} : right[member])) {
          await stage.server.figures({ reset: true });
          await stage.ask(jsonCall(operation.path, { ...right, [member]: value }, stage.callers.admin), {
            ofSystem: OF_SYSTEM.test(operation.name),
          });
          const { longestPieceMs = 0, longestPauseMs = 0 } = (await stage.server.figures()) ?? {};
          const ms = longestPieceMs.toFixed(1);
          const piece = `a piece of ${ms} ms (collection ${longestPauseMs.toFixed(1)}) for ${operation.name} with ${what}`;
          stage.must(longestPieceMs <= PIECE_MS, `${piece} in ${member}`);
        }
    }
  },
};

export const largest: Part = {
  id: "largest",
  title: "The largest body of each operation",
  attacks: [everyMember],
};
