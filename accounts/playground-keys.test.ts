import { describe, expect, it } from "vitest";
import { createMemoryMoney } from "./account-money";
import { PlaygroundKeys } from "./playground-keys";
import type { User } from "./users";

const userOf = (id: number): User => ({ id, username: "alice", role: 1, status: 1 }) as User;

describe("the key of a playground", () => {
  it("is its user's, has no limit of quota, and goes by the chosen group", () => {
    const keys = new PlaygroundKeys(createMemoryMoney(() => {}));
    const alice = userOf(5);
    const key = keys.of(alice, "vip");
    expect(key).toMatchObject({ id: -6, name: "Playground", status: 1, expiredTime: -1, group: "vip" });
    expect(key.user).toBe(alice);
    expect(key.account).toMatchObject({ isUnlimited: true, held: 0 });
    expect(keys.of(alice, undefined).group).toBeUndefined();
  });

  it("has one account for all requests of a user, and another one for the next user", () => {
    const keys = new PlaygroundKeys(createMemoryMoney(() => {}));
    const [alice, bob] = [userOf(1), userOf(2)];
    expect(keys.of(alice, "vip").account).toBe(keys.of(alice, undefined).account);
    expect(keys.of(bob, undefined).account).not.toBe(keys.of(alice, undefined).account);
    // -1 stands in the log for lines about accounts.
    expect([keys.of(alice, undefined).id, keys.of(bob, undefined).id]).toEqual([-2, -3]);
  });
});
