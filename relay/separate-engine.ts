import { TOKEN_ENABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { hold } from "@tollgate/metering/ledger";
import type { Pricing } from "./ports/charges";
import type { ApiKey, UpstreamTarget } from "./ports/directory";
import type { RequestMemory } from "./ports/limits";
import type { RelayPorts } from "./ports/relay-ports";

/* Parts of an engine beside the customers' one, which changes neither circuits nor limits nor balances. */

/** Its payer, whose quota stays as it is. @param quota enough for the holds of priced requests. */
export const separatePayer = (quota = 0): ApiKey => {
  const account = { id: 0, quota, held: 0, isUnlimited: true };
  return {
    id: 0,
    name: "",
    status: TOKEN_ENABLED,
    expiredTime: -1,
    account,
    user: { id: 0, username: "", role: 1, status: USER_ENABLED, groups: [""], account },
  };
};

/** Memory that is not counted. */
export const FREE_MEMORY: RequestMemory = { take: () => undefined, hold: () => true, keep: () => () => {} };

/** Pricing without waits and retries. */
export const freePricing = (find: Pricing["find"]): Pricing => ({
  find,
  defaultHoldTokens: () => 0,
  drainMs: () => 0,
  countsDrainMs: () => 0,
  retryTimes: () => 0,
});

/** The ports of an engine that knows one channel. */
export const separatePorts = <Tools>(
  tools: Tools,
  entry: UpstreamTarget,
): Tools & Pick<RelayPorts, "directory" | "holds"> => ({
  ...tools,
  directory: {
    findKey: () => undefined,
    keysOfChannel: () => [entry],
    candidates: () => [entry],
    isListed: () => true,
    groupsOf: ({ user }) => user.groups,
    markKey() {},
    reportDeadKey() {},
  },
  holds: { place: hold },
});
