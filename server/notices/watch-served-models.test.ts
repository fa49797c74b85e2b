import type { ChargeRecord } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { describe, expect, it } from "vitest";
import type { Notice } from "./notices";
import { alsoWatched } from "./watch-served-models";

const account = { id: 1, quota: 0, held: 0, isUnlimited: false };
const KEY: ApiKey = {
  ...{ id: 2, name: "laptop", status: 1, expiredTime: -1, account },
  user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account },
};

const recordOf = (
  model: string,
  served: { servedModel?: string; isOtherModel?: boolean },
  channelId = 1,
): ChargeRecord =>
  chargeRecordOf(KEY, {
    model,
    channelId,
    attempts: [
      { channelId, outcome: "ok", status: 200, startedMs: 0, firstByteMs: 1, durationMs: 2, ...served },
    ],
  });

const setUp = () => {
  const raised: Notice[] = [];
  const counted: string[] = [];
  const watched = alsoWatched(
    {
      charged: (_record, quota) => counted.push(`charged ${quota}`),
      failed: () => counted.push("failed"),
      lost: () => counted.push("lost"),
    },
    { channelName: (id) => `channel ${id}`, notices: { raise: (notice) => raised.push(notice) } },
  );
  return { raised, counted, watched };
};

describe("the watch of served models", () => {
  it("raises one notice for each channel, model and name, and none for answers by the same name", () => {
    const { raised, watched } = setUp();
    for (let times = 0; times < 5; times += 1) {
      watched.charged(recordOf("m", { servedModel: "small", isOtherModel: true }), 1);
      watched.charged(recordOf("m", { servedModel: "m", isOtherModel: false }), 1);
      watched.charged(recordOf("m", { servedModel: "deployed" }), 1);
      watched.charged(recordOf("m", {}), 1);
    }
    watched.charged(recordOf("m", { servedModel: "small", isOtherModel: true }, 2), 1);
    watched.charged(recordOf("other", { servedModel: "small", isOtherModel: true }), 1);
    expect(raised.map(({ event, params }) => [event, params.id, params.model, params.served])).toEqual([
      ["other-model-served", 1, "m", "small"],
      ["other-model-served", 2, "m", "small"],
      ["other-model-served", 1, "other", "small"],
    ]);
    expect(new Set(raised.map(({ subject }) => subject)).size).toBe(3);
  });

  it("gives the same subject again after a restart, so that a stored notice is not repeated", () => {
    const subjects = [setUp(), setUp()].map(({ raised, watched }) => {
      watched.charged(recordOf("m", { servedModel: "small", isOtherModel: true }), 1);
      return raised[0]?.subject;
    });
    expect(subjects[0]).toBe(subjects[1]);
  });

  it("raises few notices when each answer names another model", () => {
    const { raised, watched } = setUp();
    for (let index = 0; index < 1000; index += 1)
      watched.charged(recordOf("m", { servedModel: `name ${index}`, isOtherModel: true }), 1);
    expect(raised).toHaveLength(3);
  });

  it("passes everything on to the counters", () => {
    const { counted, watched } = setUp();
    watched.charged(recordOf("m", {}), 4);
    watched.failed(recordOf("m", {}));
    watched.lost(recordOf("m", {}));
    expect(counted).toEqual(["charged 4", "failed", "lost"]);
  });
});
