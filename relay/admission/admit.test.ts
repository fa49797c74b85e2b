import { describe, expect, it } from "vitest";
import type { Refusal } from "../ports/client";
import type { ApiKey, Directory, UpstreamTarget } from "../ports/directory";
import { admit, enter, splitPresented } from "./admit";

const KEY = "a".repeat(48);

const setUp = (
  more: Partial<ApiKey> = {},
  role = 1,
  userStatus = 1,
  quota = 10,
  chosen: readonly string[] = [],
) => {
  const key: ApiKey = {
    id: 1,
    name: "k",
    status: 1,
    expiredTime: -1,
    account: { id: 1, quota, held: 0, isUnlimited: false },
    user: {
      id: 1,
      username: "alice",
      role,
      status: userStatus,
      groups: ["default"],
      account: { id: 1, quota: 100, held: 0, isUnlimited: false },
    },
    ...more,
  };
  const marked: number[] = [];
  const directory: Directory = {
    findKey: (presented) => (presented === KEY ? key : undefined),
    keysOfChannel: (id) =>
      id === 7 || id === 8 ? [{ channel: { id, status: id === 7 ? 1 : 2 } } as UpstreamTarget] : [],
    groupsOf: () => chosen,
    candidates: () => [],
    isListed: () => false,
    markKey: (_key, status) => marked.push(status),
    reportDeadKey: () => {},
  };
  return {
    directory,
    marked,
    admit: (presented: string | undefined) =>
      admit(directory, splitPresented(presented), 1000, (from) => from, "192.0.2.1"),
  };
};

describe("admit", () => {
  it.each([`sk-${KEY}`, KEY, `sk-${KEY}-`, ` sk-${KEY} `])("accepts %s", (presented) => {
    expect(setUp().admit(presented)).toMatchObject({ key: { id: 1 }, pinned: undefined });
  });

  it.each([
    [undefined, "token-missing"],
    ["", "token-missing"],
    [" ", "token-missing"],
    ["sk-", "token-missing"],
    ["sk-wrong", "token-invalid"],
  ])("refuses %s", (presented, code) => {
    expect(setUp().admit(presented)).toMatchObject({ code });
  });

  it.each([
    [{ status: 2 }, "token-disabled"],
    [{ status: 3 }, "token-expired"],
    [{ status: 4 }, "token-exhausted"],
  ])("refuses a key with %j", (more, code) => {
    expect(setUp(more).admit(KEY)).toMatchObject({ code });
  });

  it("refuses and marks a key whose time is over or whose quota is used up", () => {
    const expired = setUp({ expiredTime: 999 });
    expect(expired.admit(KEY)).toMatchObject({ code: "token-expired" });
    expect(expired.marked).toEqual([3]);
    expect(setUp({ expiredTime: 1000 }).admit(KEY)).toMatchObject({ key: { id: 1 } });
    const exhausted = setUp({}, 1, 1, 0);
    expect(exhausted.admit(KEY)).toMatchObject({ code: "token-exhausted" });
    expect(exhausted.marked).toEqual([4]);
    const unlimited = setUp({ account: { id: 1, quota: 0, held: 0, isUnlimited: true } });
    expect(unlimited.admit(KEY)).toMatchObject({ key: { id: 1 } });
    expect(unlimited.marked).toEqual([]);
  });

  it("refuses a banned user's key", () => {
    expect(setUp({}, 1, 2).admit(KEY)).toMatchObject({ code: "user-disabled" });
  });

  it("lets administrators, and only them, name a channel", () => {
    expect(setUp({}, 1).admit(`sk-${KEY}-7`)).toMatchObject({ code: "channel-pin-forbidden" });
    const admin = setUp({}, 10);
    expect(admin.admit(`sk-${KEY}-7`)).toMatchObject({ pinned: [{ channel: { id: 7 } }] });
    expect(admin.admit(`sk-${KEY}-8`)).toMatchObject({ code: "channel-disabled" });
    expect(admin.admit(`sk-${KEY}-9`)).toMatchObject({ code: "channel-pin-invalid" });
    expect(admin.admit(`sk-${KEY}-7-8`)).toMatchObject({ pinned: [{ channel: { id: 7 } }] });
    for (const unknown of ["x", "0x7", "7.0", "7e0"])
      expect(admin.admit(`sk-${KEY}-${unknown}`), unknown).toMatchObject({ code: "channel-pin-invalid" });
  });
});

describe("the address", () => {
  const networks = (...known: string[]) => ({
    networks: { has: (address: string) => known.includes(address) },
  });

  it("is looked at where the key is bound to some", () => {
    expect(setUp(networks("192.0.2.1")).admit(KEY)).toMatchObject({ key: { id: 1 } });
    expect(setUp(networks("192.0.2.2")).admit(KEY)).toEqual({
      code: "address-not-allowed",
      params: { address: "192.0.2.1" },
    });
  });

  it("comes after the key, its owner and the channel that it names", () => {
    expect(setUp({ ...networks(), status: 2 }).admit(KEY)).toMatchObject({ code: "token-disabled" });
    expect(setUp(networks(), 1, 2).admit(KEY)).toMatchObject({ code: "user-disabled" });
    expect(setUp(networks()).admit(`${KEY}-7`)).toMatchObject({ code: "channel-pin-forbidden" });
    expect(setUp(networks(), 10).admit(`${KEY}-7`)).toMatchObject({ code: "address-not-allowed" });
  });
});

describe("a key with a group of its own", () => {
  const admitIn = (group: string | undefined, chosen: readonly string[]) =>
    setUp(group === undefined ? {} : { group }, 1, 1, 10, chosen).admit(KEY);

  it("is refused, with the group's name, when its user may not use the group any more", () => {
    expect(admitIn("gone", [])).toEqual({ code: "group-not-allowed", params: { group: "gone" } });
    expect(admitIn("auto", [])).toEqual({ code: "group-not-allowed", params: { group: "auto" } });
    expect(admitIn("vip", ["vip"])).toMatchObject({ key: { id: 1 } });
    expect(admitIn(undefined, [])).toMatchObject({ key: { id: 1 } });
  });
});

describe("enter", () => {
  const asked = { model: "m", promptTokens: 1 };
  const limited: Refusal = { code: "requests-limited" };
  const setUpLimiter = (models: string[] | undefined) => {
    const { directory } = setUp(models ? { models: new Set(models) } : {});
    const key = directory.findKey(KEY) as ApiKey;
    return (limiter: { enter(): Refusal } | undefined) =>
      enter({ limiter, directory }, key, asked, () => ({}));
  };

  it("takes the allowed models only, by the name that the client uses, before any limit", () => {
    const refusal = { code: "model-not-allowed", params: { model: "m" } };
    expect(setUpLimiter(["other"])({ enter: () => limited })).toEqual(refusal);
    expect(setUpLimiter(["other"])(undefined)).toEqual(refusal);
    expect(setUpLimiter(["m"])({ enter: () => limited })).toBe(limited);
  });

  it("takes everything where nothing is limited", () => {
    expect(setUpLimiter(undefined)(undefined)).toBeUndefined();
  });
});
