import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import type {
  AttemptRecord,
  ChargeRecord,
  ReplacedModel,
  RequestRecord,
} from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { describe, expect, it } from "vitest";
import { chargeOf, failureOf, takenBackEntryOf } from "./log-entry";

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

  it("counts under the name that was asked for where no upstream was and the model is offered", () => {
    const nameOf = (refusal: GatewayErrorCode): string =>
      failureOf({ ...chargeRecordOf(KEY, { end: "failed", model: "", requestedModel: "m" }), refusal }, 1)
        .modelName;
    expect(nameOf("channel-unavailable")).toBe("m");
    expect(nameOf("upstream-rate-limited")).toBe("m");
    expect(nameOf("model-unknown")).toBe("");
    expect(nameOf("shutting-down")).toBe("");
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

describe("a model that failed before another one was asked in its place", () => {
  const M: ReplacedModel = { model: "up-m", refusal: "upstream-failed", attempts: 2, by: "a" };
  const A: ReplacedModel = { model: "up-a", refusal: "upstream-timeout", attempts: 3, by: "b" };

  const recordOf = (outcomes: readonly string[], more: Partial<ChargeRecord>): ChargeRecord =>
    chargeRecordOf(KEY, {
      requestedModel: "m",
      attempts: outcomes.map((outcome, index) => ({ ...attemptOf(outcome), channelId: index + 1 })),
      ...more,
    });

  const faultsIn = (outcomes: readonly string[], more: Partial<ChargeRecord>) => {
    const { modelName, count, replaced } = chargeOf(recordOf(outcomes, { model: "up-a", ...more }), 1, true);
    return [modelName, count, replaced];
  };

  const failedIn = (outcomes: readonly string[], more: Partial<ChargeRecord>) => {
    const { modelName, count, replaced } = failureOf(
      recordOf(outcomes, { end: "failed", model: "up-a", ...more }),
      1,
    );
    return [modelName, count, replaced];
  };

  it("has its fault, once, and the request is the success of the one that answered", () => {
    expect(faultsIn(["network", "overloaded", "ok"], { replaced: [M] })).toEqual([
      "up-a",
      "answered",
      [{ modelName: "up-m", channelId: 2 }],
    ]);
    expect(faultsIn(["network", "overloaded", "network", "ok"], { model: "up-b", replaced: [M, A] })).toEqual(
      [
        "up-b",
        "answered",
        [
          { modelName: "up-m", channelId: 2 },
          { modelName: "up-a", channelId: 3 },
        ],
      ],
    );
  });

  it("has no fault when the upstream did not cause it, when no channel offers it, or when the same upstream answered", () => {
    const TOO_LONG: ReplacedModel = { ...M, refusal: "upstream-refused" };
    expect(faultsIn(["network", "caller", "ok"], { replaced: [TOO_LONG] })[2]).toBeUndefined();
    const SMALL: ReplacedModel = { ...M, model: "", refusal: "prompt-beyond-limits" };
    expect(faultsIn(["full", "full", "ok"], { replaced: [SMALL] })[2]).toBeUndefined();
    const GONE: ReplacedModel = { model: "", refusal: "model-unknown", attempts: 0, by: "a" };
    expect(faultsIn(["ok"], { replaced: [GONE] })[2]).toBeUndefined();
    expect(faultsIn(["network", "network", "ok"], { model: "up-m", replaced: [M] })[2]).toBeUndefined();
  });

  it("has its fault where none of its channels works or has room, under the name that clients know", () => {
    const none = { model: "", attempts: 0, by: "a" };
    expect(faultsIn(["ok"], { replaced: [{ ...none, refusal: "channel-unavailable" }] })[2]).toEqual([
      { modelName: "m", channelId: 0 },
    ]);
    const full: ReplacedModel = { ...none, attempts: 1, refusal: "upstream-rate-limited" };
    expect(faultsIn(["full", "ok"], { replaced: [full] })[2]).toEqual([{ modelName: "m", channelId: 0 }]);
  });

  it("has it beside the last one's, where none answers", () => {
    expect(
      failedIn(["network", "network", "overloaded"], { replaced: [M], refusal: "upstream-failed" }),
    ).toEqual(["up-a", "error", [{ modelName: "up-m", channelId: 2 }]]);
    // The last one was refused because of the request.
    expect(
      failedIn(["network", "network", "caller"], { replaced: [M], refusal: "upstream-refused" }),
    ).toEqual(["up-a", "refused", [{ modelName: "up-m", channelId: 2 }]]);
  });

  it("counts as the request's error where the last one was not even asked, once all the same", () => {
    const last = { model: "", replaced: [M] };
    expect(failedIn(["network", "network"], { ...last, refusal: "model-unknown" })).toEqual([
      "up-m",
      "error",
      undefined,
    ]);
    expect(failedIn(["network", "network"], { ...last, refusal: "channel-unavailable" })).toEqual([
      "up-m",
      "error",
      [{ modelName: "a", channelId: 0 }],
    ]);
    expect(
      failedIn(["network", "caller"], {
        ...last,
        replaced: [{ ...M, refusal: "upstream-refused" }],
        refusal: "shutting-down",
      }),
    ).toEqual(["up-m", "refused", undefined]);
  });

  it("has it also where the client left while the next one was asked", () => {
    expect(failedIn(["network", "network", "client-left"], { end: "client-left", replaced: [M] })).toEqual([
      "up-a",
      "left",
      [{ modelName: "up-m", channelId: 2 }],
    ]);
  });

  it("has it once where the charge is taken back", () => {
    const record = recordOf(["network", "network", "ok"], { model: "up-a", replaced: [M], quota: 3 });
    const booked = { requestId: "r", charged: 3, shortfall: 0, takenFromKey: 3, keyShortfall: 0 };
    expect(takenBackEntryOf(record, booked, 1, true).replaced).toBeUndefined();
  });
});

describe("the answer of a charge", () => {
  const usage = { inputTokens: 10, outputTokens: 1, reasoningTokens: undefined };
  const record = chargeRecordOf(KEY, {
    promptTokens: 10,
    usage: { ...usage, cacheReadTokens: 30, cacheWriteTokens: 5 },
    attempts: [{ ...attemptOf("ok"), servedModel: "small", isOtherModel: true }],
  });

  it("has at most the prompt's tokens in its cache, and tells whether it names another model", () => {
    expect(chargeOf(record, 1, true)).toMatchObject({
      ...{ cacheReadTokens: 10, cacheWriteTokens: 0, isOtherModel: true },
    });
    const unknown = chargeOf(chargeRecordOf(KEY), 1, true);
    expect([unknown.cacheReadTokens, unknown.cacheWriteTokens, unknown.isOtherModel]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it("counts once when the charge is taken back", () => {
    const booked = { requestId: "r", charged: 1, shortfall: 0, takenFromKey: 0, keyShortfall: 0 };
    const { cacheReadTokens, cacheWriteTokens, isOtherModel } = takenBackEntryOf(record, booked, 1, true);
    expect([cacheReadTokens, cacheWriteTokens, isOtherModel]).toEqual([undefined, undefined, undefined]);
  });
});
