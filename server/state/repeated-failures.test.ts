import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import type { RequestRecord } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { decodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { RepeatedFailures } from "./repeated-failures";

const account = { id: 1, quota: 0, held: 0, isUnlimited: false };
const keyOf = (id: number): ApiKey => ({
  id,
  name: `key ${id}`,
  status: 1,
  expiredTime: -1,
  account,
  user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account },
});

let requests = 0;
const refusalOf = (
  refusal: GatewayErrorCode,
  keyId = 2,
  more: Partial<RequestRecord> = {},
): RequestRecord => {
  requests += 1;
  return {
    ...chargeRecordOf(keyOf(keyId), { requestId: `r${requests}`, end: "failed", attempts: [] }),
    refusal,
    ...more,
  };
};

const MINUTE = 60_000_000 * 60;

describe("the same failure of a key within a minute (S19)", () => {
  it("is one row with a count, however often it is stored meanwhile", () => {
    const failures = new RepeatedFailures();
    for (let second = 0; second < 60; second += 1)
      for (let time = 0; time < 100; time += 1)
        failures.add(refusalOf("user-quota-exceeded"), MINUTE + second);
    const [row, ...others] = failures.take();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ createdAt: MINUTE + 59, failure: { firstAt: MINUTE, count: 6000 } });
    failures.add(refusalOf("user-quota-exceeded"), MINUTE + 59);
    expect(failures.take()).toMatchObject([
      { requestId: row?.requestId, receipt: "", failure: { count: 1, firstAt: MINUTE, isRepeat: true } },
    ]);
  });

  it("is one row for models of any name that are not offered", () => {
    const failures = new RepeatedFailures();
    for (let index = 0; index < 10_000; index += 1)
      failures.add(refusalOf("model-unknown", 2, { requestedModel: `m${index}`, model: "" }), MINUTE);
    expect(failures.take()).toMatchObject([{ failure: { count: 10_000 } }]);
  });

  it("keeps the error that the client got, within a limit, and no text that a parser quotes of its body", () => {
    const failures = new RepeatedFailures();
    const reasons = [
      `Unexpected token 'm', "{"a": my secret}" is not valid JSON`,
      `Unexpected token 'm', "{"a": my sec`,
    ];
    for (const [index, reason] of reasons.entries())
      failures.add(
        refusalOf("body-not-json", index, { told: { code: "body-not-json", params: { reason } } }),
        MINUTE,
      );
    const upstream = { status: 400, message: "no ".repeat(10_000), code: "c" };
    failures.add(refusalOf("upstream-refused", 9, { told: { code: "upstream-refused", upstream } }), MINUTE);
    const told = failures.take().map(({ receipt }) => decodeReceiptDetail(receipt).told);
    expect(told.slice(0, 2).map((each) => each?.params?.reason)).toEqual([
      "Unexpected token 'm', …",
      "Unexpected token 'm', …",
    ]);
    expect(told[2]?.upstream?.message.length).toBeLessThan(600);
  });

  it("begins again with the next minute, so that a row stays in one hour of the sums", () => {
    const failures = new RepeatedFailures();
    failures.add(refusalOf("user-quota-exceeded"), MINUTE + 59);
    failures.add(refusalOf("user-quota-exceeded"), MINUTE + 60);
    expect(failures.take().map(({ failure }) => failure?.firstAt)).toEqual([MINUTE + 59, MINUTE + 60]);
  });

  it("is a bounded number of rows for a user who has many keys, with the count of all", () => {
    const failures = new RepeatedFailures();
    const rows = new Map<string, number>();
    const store = (): void => {
      for (const { requestId, failure } of failures.take())
        rows.set(requestId, (rows.get(requestId) ?? 0) + (failure?.count ?? 0));
    };
    const codes: GatewayErrorCode[] = ["user-quota-exceeded", "model-unknown", "body-not-json"];
    for (let turn = 0; turn < 2; turn += 1)
      for (let keyId = 1; keyId <= 5000; keyId += 1) {
        for (const code of codes) failures.add(refusalOf(code, keyId), MINUTE);
        if (keyId % 100 === 0) store();
      }
    store();
    expect(rows.size).toBeLessThan(150);
    expect([...rows.values()].reduce((sum, count) => sum + count, 0)).toBe(2 * 5000 * codes.length);
  });

  it.each(seeds(40))("loses and doubles none, and mixes no keys and causes (seed %i)", (seed) => {
    const random = createRandom(seed);
    const codes: GatewayErrorCode[] = ["user-quota-exceeded", "model-unknown", "internal"];
    const failures = new RepeatedFailures();
    const told = new Map<string, number>();
    const stored = new Map<string, number>();
    const rows = new Map<string, string>();
    const store = (isFailing: boolean): void => {
      const charges = failures.take();
      if (isFailing) {
        failures.putBack(charges);
        return;
      }
      for (const { tokenId, requestId, createdAt, failure } of charges) {
        const name = `${tokenId} ${failure?.code} ${Math.floor(createdAt / 60)}`;
        stored.set(name, (stored.get(name) ?? 0) + (failure?.count ?? 0));
        expect(rows.get(name) ?? requestId).toBe(requestId);
        rows.set(name, requestId);
      }
    };
    for (let step = 0, now = MINUTE; step < 300; step += 1) {
      now += Math.floor(random() * 4);
      const keyId = 1 + Math.floor(random() * 3);
      const code = codes[Math.floor(random() * codes.length)] as GatewayErrorCode;
      failures.add(refusalOf(code, keyId), now);
      const name = `${keyId} ${code} ${Math.floor(now / 60)}`;
      told.set(name, (told.get(name) ?? 0) + 1);
      if (random() < 0.1) store(random() < 0.3);
    }
    store(false);
    expect(stored).toEqual(told);
  });

  it("waits in bounded memory while nothing can be stored", () => {
    const failures = new RepeatedFailures();
    for (let index = 0; index < 30_000; index += 1) failures.add(refusalOf("internal", index), MINUTE);
    expect(failures.size).toBeLessThanOrEqual(1000);
    failures.putBack(failures.take());
    expect(failures.size).toBeLessThanOrEqual(1000);
  });
});
