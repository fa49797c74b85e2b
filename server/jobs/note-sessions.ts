import type { Sessions } from "@tollgate/accounts/sessions";
import type { Job } from "./start-job";

/** Stores when the sessions were last used on this node. */
export const notingSessions = (sessions: Pick<Sessions, "storeUses">): Job => ({
  name: "noting-sessions",
  everyMs: 60_000,
  run: () => sessions.storeUses(),
});
