import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

interface ShownRedemption {
  id: number;
  key: string;
  name: string;
  status: number;
  quota: number;
  redeemed_time: number;
  user_id: number;
}

let world: ManagementWorld;

const make = async (quota: number, count = 1, name = "gift"): Promise<ShownRedemption[]> => {
  const keys = await succeed<string[]>(world.admin.api("POST", "/api/redemption/", { name, quota, count }));
  const listed = await succeed<ShownRedemption[]>(
    world.admin.api("GET", `/api/redemption/search?keyword=${name}`),
  );
  return keys.map((key) => listed.find((each) => each.key === key)!);
};

beforeAll(async () => {
  world = await startManagementWorld();
  const [open] = await make(5000, 1, "open");
  const [used] = await make(5000, 1, "used");
  const [off] = await make(5000, 1, "off");
  await succeed(world.other.api("POST", "/api/user/topup", { key: used!.key }));
  await succeed(world.admin.api("PUT", "/api/redemption/?status_only=true", { id: off!.id, status: 2 }));
  Object.assign(world.names, {
    open: open!.id,
    used: used!.id,
    off: off!.id,
    usedKey: used!.key,
    offKey: off!.key,
  });
});

afterAll(() => world?.stop());

const refused = (method: string, body: unknown, says: string, query = ""): Row => ({
  who: "admin",
  method,
  path: `/api/redemption/${query}`,
  body,
  success: false,
  says,
});

describeRows("making codes is refused", () => world, [
  refused("POST", { name: "", quota: 1, count: 1 }, "兑换码名称长度必须在1-20之间"),
  refused("POST", { name: "x".repeat(21), quota: 1, count: 1 }, "兑换码名称长度必须在1-20之间"),
  refused("POST", { name: 7, quota: 1, count: 1 }, "无效的参数"),
  refused("POST", { name: "a\u0000", quota: 1, count: 1 }, "无效的参数"),
  ...[0, -1].map((count) => refused("POST", { name: "n", quota: 1, count }, "兑换码个数必须大于0")),
  refused("POST", { name: "n", quota: 1, count: 1001 }, "一次兑换码批量生成的个数不能大于 1000"),
  refused("POST", { name: "n", quota: 1, count: 1e9 }, "一次兑换码批量生成的个数不能大于 100"),
  ...[1.5, "1", [], 1e300, null].map((count) =>
    refused("POST", { name: "n", quota: 1, count }, "无效的参数"),
  ),
  ...["0", "-1", "1.5", '"1"', "1e300", "9007199254740993", "[]"].map((quota) =>
    refused("POST", `{"name":"n","count":1,"quota":${quota}}`, "无效的参数"),
  ),
  refused("POST", { name: "n", count: 1 }, "无效的参数"),
]);

describeRows("changing a code is refused", () => world, [
  ...['"1"', "0", "-1", "1.5", "null"].map((id) => refused("PUT", `{"id":${id},"name":"n"}`, "无效的参数")),
  refused("PUT", { id: "{open}", name: "" }, "兑换码名称长度"),
  refused("PUT", { id: "{open}", name: "x".repeat(21) }, "兑换码名称长度"),
  ...[0, -5, 1.5, "5"].map((quota) => refused("PUT", { id: "{open}", quota }, "无效的参数")),
  refused("PUT", { id: "{open}", name: "half", quota: -5 }, "无效的参数"),
  // What was paid out cannot be made unpaid.
  refused("PUT", { id: "{used}", status: 1 }, "该兑换码已被使用", "?status_only=true"),
  refused("PUT", { id: "{used}", status: 2 }, "该兑换码已被使用", "?status_only=true"),
  refused("PUT", { id: "{used}", quota: 9 }, "该兑换码已被使用"),
  ...[0, 3, 4, -1].map((status) =>
    refused("PUT", { id: "{open}", status }, "无效的状态", "?status_only=true"),
  ),
  refused("PUT", { id: "{open}", status: "1" }, "无效的参数", "?status_only=true"),
  refused("PUT", { id: "{open}" }, "无效的状态", "?status_only=true"),
  ...["abc", "0", "-1", "1.5", "99999999999999999999"].flatMap((id): Row[] => [
    { who: "admin", method: "GET", path: `/api/redemption/${id}`, success: false, says: "记录不存在" },
    { who: "admin", method: "DELETE", path: `/api/redemption/${id}`, success: false, says: "记录不存在" },
  ]),
]);

describeRows("a code is changed", () => world, [
  {
    title: "null and absent stay; count, key, times and owner are ignored",
    who: "admin",
    method: "PUT",
    path: "/api/redemption/",
    body: {
      id: "{open}",
      name: null,
      quota: null,
      count: null,
      key: "chosen",
      user_id: 3,
      redeemed_time: 5,
      status: 3,
    },
    success: true,
    data: { name: "open", quota: 5000, status: 1, redeemed_time: 0, user_id: "{adminId}", count: 0 },
    hides: ["chosen"],
    changes: ["audit"],
  },
  {
    title: "names count characters",
    who: "admin",
    method: "PUT",
    path: "/api/redemption/",
    body: { id: "{open}", name: "兑".repeat(20), quota: 7000 },
    success: true,
    data: { name: "兑".repeat(20), quota: 7000 },
    changes: ["redemptions", "audit"],
  },
  {
    who: "admin",
    method: "PUT",
    path: "/api/redemption?status_only=true",
    body: { id: "{open}", status: 2, name: "x" },
    success: true,
    data: { status: 2, name: "兑".repeat(20) },
    changes: ["redemptions", "audit"],
  },
  {
    who: "admin",
    method: "PUT",
    path: "/api/redemption/?status_only=true",
    body: { id: "{open}", status: 1 },
    success: true,
    data: { status: 1 },
    changes: ["redemptions", "audit"],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/redemption/search?keyword={open}",
    success: true,
    data: [{ id: "{open}" }],
  },
  { who: "admin", method: "GET", path: "/api/redemption/search?keyword=%25", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/redemption/?p=9007199254740991", success: true, data: [] },
]);

const topUp = (key: unknown, says: string): Row => ({
  who: "user",
  method: "POST",
  path: "/api/user/topup",
  body: { key },
  success: false,
  says,
});

describeRows("redeeming is refused", () => world, [
  topUp("", "未提供兑换码"),
  topUp("   ", "未提供兑换码"),
  topUp(7, "无效的参数"),
  topUp(null, "无效的参数"),
  topUp("x".repeat(100_000), "无效的兑换码"),
  topUp("%", "无效的兑换码"),
  topUp("' OR 1=1 --", "无效的兑换码"),
  topUp("{usedKey}", "该兑换码已被使用"),
  topUp("{offKey}", "该兑换码已被禁用"),
]);

describe("an invitation", () => {
  it("lists invited users without their names, and pays out no missing commission", async () => {
    const inviter = await world.newUser();
    const code = await succeed<string>(inviter.api("GET", "/api/user/aff"));
    expect(code).not.toBe("");
    expect(await succeed(inviter.api("GET", "/api/invitation/self"))).toEqual({
      invited: 0,
      earned: 0,
      gifts: 0,
      commission: 0,
      payout: 0,
      missing: 0,
      basis_points: 0,
      is_of_each: false,
      minimum: 0,
    });
    for (const quota of [0, -1, 1.5, "5", Number.MAX_SAFE_INTEGER, 1])
      for (const way of ["transfer", "payout"])
        expect((await inviter.api("POST", `/api/invitation/self/${way}`, { quota })).body.success).toBe(
          false,
        );
    const long = { quota: 1, note: "x".repeat(501) };
    expect((await inviter.api("POST", "/api/invitation/self/payout", long)).body.success).toBe(false);
    expect((await inviter.api("GET", "/api/invitation/payouts")).body.success).toBe(false);
    await succeed(world.root.api("PUT", "/api/option/", { key: "CommissionMinimum", value: "700" }));
    const refused = await inviter.api("POST", "/api/invitation/self/transfer", { quota: 699 });
    expect(refused.body.message).toContain("700");
    await succeed(world.root.api("PUT", "/api/option/", { key: "CommissionMinimum", value: "0" }));
    for (const value of ["101", "-1", "x"])
      expect(
        (await world.root.api("PUT", "/api/option/", { key: "CommissionPercent", value })).body.success,
      ).toBe(false);
  });
});

describe("a code", () => {
  const quotaOf = async (person: Person): Promise<number> =>
    (await succeed<{ quota: number }>(person.api("GET", "/api/user/self"))).quota;
  const redeem = (person: Person, key: string) => person.api("POST", "/api/user/topup", { key });

  it("is 32 hex characters, and made in one go of a hundred", async () => {
    const keys = await succeed<string[]>(
      world.root.api("POST", "/api/redemption/", { name: "hundred", quota: 1, count: 100 }),
    );
    expect(new Set(keys).size).toBe(100);
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
    const page = await succeed<ShownRedemption[]>(world.root.api("GET", "/api/redemption/?p=0"));
    expect(page).toHaveLength(10);
    expect(page.map(({ id }) => id)).toEqual(page.map(({ id }) => id).sort((a, b) => b - a));
  });

  it("adds its quota, says how much, and leaves one line in the log", async () => {
    const person = await world.newUser();
    const [code] = await make(250_000, 1, "worth");
    expect((await redeem(person, ` ${code!.key} `)).body).toEqual({
      success: true,
      message: "",
      data: 250_000,
    });
    expect(await quotaOf(person)).toBe(250_000);
    const logs = await succeed<object[]>(person.api("GET", "/api/log/self?type=1"));
    expect(logs).toMatchObject([{ content: "通过兑换码充值 ＄0.500000 额度", quota: 0, type: 1 }]);
    const shown = await succeed<ShownRedemption>(world.admin.api("GET", `/api/redemption/${code!.id}`));
    expect(shown).toMatchObject({ status: 3, user_id: world.admin.id });
    expect(shown.redeemed_time).toBeGreaterThan(0);
  });

  it("appears in the ledger of the user who redeemed it, and administrators see the actor", async () => {
    const person = await world.newUser({ quota: 100 });
    const [code] = await make(250_000, 1, "entered");
    await redeem(person, code!.key);
    await succeed(world.admin.api("PUT", "/api/user/", { id: person.id, quota: 7 }));
    const own = await succeed<object[]>(person.api("GET", "/api/ledger/self"));
    expect(own.slice(0, 2)).toMatchObject([
      { cause: "quota-changed", amount: 7 - 250_100, actor_id: 0, actor_name: "", account: "balance" },
      { cause: "redeemed", amount: 250_000, reference: `${code!.id}/1`, actor_id: person.id },
    ]);
    const of = `username=${person.username}`;
    const seen = await succeed<object[]>(world.admin.api("GET", `/api/ledger?${of}&cause=quota-changed`));
    expect(seen[0]).toMatchObject({ user_id: person.id, actor_id: world.admin.id });
    const redeemed = await succeed<object[]>(world.admin.api("GET", `/api/ledger?${of}&cause=redeemed`));
    expect(redeemed[0]).toMatchObject({
      user_id: person.id,
      actor_id: world.admin.id,
      actor_name: "admin",
    });
    expect(await succeed(world.admin.api("GET", "/api/ledger?username=nobody-at-all"))).toEqual([]);
    expect((await world.admin.api("GET", "/api/ledger?cause=whim")).body.success).toBe(false);
    const file = await world.admin.api("GET", `/api/ledger/export?${of}&format=jsonl`);
    expect(file.text).toContain(`"cause":"redeemed","reference":"${code!.id}/1"`);
    const others = await succeed<object[]>(world.other.api("GET", "/api/ledger/self"));
    expect(others.every((entry) => !JSON.stringify(entry).includes(`"user_id":${person.id},`))).toBe(true);
  });

  it("is redeemed exactly once in a race of twelve", async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => world.newUser()));
    const [code] = await make(1000, 1, "race");
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => redeem(people[i % people.length]!, code!.key)),
    );
    const won = answers.filter(({ body }) => body.success);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ body }) => body.message?.includes("该兑换码已被使用"))).toHaveLength(11);
    const quotas = await Promise.all(people.map(quotaOf));
    expect(quotas.reduce((sum, quota) => sum + quota, 0)).toBe(1000);
    const lines = await succeed<object[]>(world.admin.api("GET", "/api/log/?type=1&p=0"));
    expect(lines.filter((line) => JSON.stringify(line).includes("＄0.002000"))).toHaveLength(1);
  });

  it("is never worth more than a balance can hold", async () => {
    const person = await world.newUser({ quota: Number.MAX_SAFE_INTEGER });
    const [code] = await make(5000, 1, "too-much");
    const answer = await redeem(person, code!.key);
    expect(answer.body).toMatchObject({ success: false });
    expect(await quotaOf(person)).toBe(Number.MAX_SAFE_INTEGER);
    expect(
      (await succeed<ShownRedemption>(world.admin.api("GET", `/api/redemption/${code!.id}`))).status,
    ).toBe(1);
  });

  it("of several uses is used once by each user, and lists its users", async () => {
    const ends = Math.floor(Date.now() / 1000) + 3600;
    const body = { name: "several", quota: 70, count: 1, max_uses: 2, expired_time: ends };
    const [key] = await succeed<string[]>(world.admin.api("POST", "/api/redemption/", body));
    const [code] = await succeed<ShownRedemption[]>(
      world.admin.api("GET", "/api/redemption/search?keyword=several"),
    );
    const people = await Promise.all([1, 2, 3].map(() => world.newUser()));
    const [first] = people;
    await succeed(redeem(first!, key!));
    expect((await redeem(first!, key!)).body.message).toContain("你已使用过该兑换码");
    expect(await succeed(world.admin.api("GET", `/api/redemption/${code!.id}`))).toMatchObject({
      status: 1,
      max_uses: 2,
      used_count: 1,
      used_user_id: first!.id,
      expired_time: ends,
    });
    const rest = await Promise.all(people.slice(1).map((person) => redeem(person, key!)));
    expect(rest.filter(({ body: { success } }) => success)).toHaveLength(1);
    const uses = await succeed<object[]>(world.admin.api("GET", `/api/redemption/${code!.id}/uses`));
    expect(uses).toHaveLength(2);
    expect(uses[1]).toMatchObject({ user_id: first!.id, username: first!.username, quota: 70 });
    expect((await first!.api("GET", `/api/redemption/${code!.id}/uses`)).body.success).toBe(false);
  });

  it("has no bounds that are none", async () => {
    const bounds = [{ max_uses: 0 }, { max_uses: 1.5 }, { max_uses: 1e7 }, { expired_time: -1 }];
    for (const bound of [...bounds, { expired_time: 1000 }]) {
      const body = { name: "n", quota: 1, count: 1, ...bound };
      expect((await world.admin.api("POST", "/api/redemption/", body)).body.success).toBe(false);
    }
  });

  it("that is dead is cleared away with all others", async () => {
    const [, off] = await make(1000, 2, "dead");
    await succeed(world.admin.api("PUT", "/api/redemption/?status_only=true", { id: off!.id, status: 2 }));
    expect(await succeed(world.admin.api("DELETE", "/api/redemption/invalid"))).toBeGreaterThan(0);
    const left = await succeed<ShownRedemption[]>(
      world.admin.api("GET", "/api/redemption/search?keyword=dead"),
    );
    expect(left.map(({ status }) => status)).toEqual([1]);
    expect(await succeed(world.admin.api("DELETE", "/api/redemption/invalid"))).toBe(0);
  });

  it("that is deleted is worth nothing", async () => {
    const [code] = await make(1000, 1, "gone");
    expect((await world.admin.api("DELETE", `/api/redemption/${code!.id}/`)).body).toEqual({
      success: true,
      message: "",
    });
    expect((await redeem(await world.newUser(), code!.key)).body.message).toContain("无效的兑换码");
  });
});
