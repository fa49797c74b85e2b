import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import type { ApiKey, AttemptRecord, RequestRecord } from "@tollgate/relay/ports";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { describe, expect, it } from "vitest";
import { failureOf } from "./log-entry";

const account = { id: 1, quota: 0, held: 0, isUnlimited: false };
const KEY: ApiKey = {
  id: 2,
  name: "laptop",
  status: 1,
  expiredTime: -1,
  account,
  user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account },
};

const attemptOf = (outcome: string): AttemptRecord => ({
  channelId: 1,
  outcome,
  status: 0,
  startedMs: 0,
  firstByteMs: undefined,
  durationMs: 0,
});

const countOf = (outcomes: readonly string[], refusal?: GatewayErrorCode): string => {
  const record: RequestRecord = chargeRecordOf(KEY, { end: "failed", attempts: outcomes.map(attemptOf) });
  return failureOf({ ...record, refusal }, 1).count;
};

describe("a request that came to nothing", () => {
  it("is a fault of the model where upstreams failed or all were full, whichever were full besides", () => {
    expect(countOf(["overloaded"], "upstream-failed")).toBe("error");
    expect(countOf(["overloaded", "full"], "upstream-failed")).toBe("error");
    expect(countOf(["full", "full"], "upstream-rate-limited")).toBe("error");
    expect(countOf([], "channel-unavailable")).toBe("error");
  });

  it("is none where it was refused for its own sake, also where a channel was full: it says nothing of the model", () => {
    const own = [
      "user-quota-exceeded",
      "token-quota-exceeded",
      "prompt-beyond-limits",
      "user-quota-held",
    ] as const;
    for (const code of own) {
      expect(countOf([], code)).toBe("refused");
      expect(countOf(["full"], code)).toBe("refused");
    }
    expect(countOf(["full", "caller"], "upstream-refused")).toBe("refused");
    expect(countOf(["caller", "full"], "upstream-refused")).toBe("refused");
  });
});
