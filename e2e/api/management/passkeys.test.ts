import { cookiesOf } from "@tollgate/demo/api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode } from "../../authenticator";
import { PasskeyDevice, type SignedOtherwise } from "../../passkey-device";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, PASSWORD, type Person, startManagementWorld } from "./management-world";

/* Passkeys, with a device in software. */

const ORIGIN = "https://gate.example";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
  await saveOptions(world.root, { ServerAddress: `${ORIGIN}/`, PasskeyLoginEnabled: "true" });
});

afterAll(() => world?.stop());

const RIGHT = { success: true };
const REFUSED = { success: false };
const refusedFor = (words: string) => ({ ...REFUSED, message: expect.stringContaining(words) });

interface Begun<Options> {
  options: { publicKey: Options };
}
interface Creation {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string };
  excludeCredentials?: { id: string }[];
}
interface Request {
  challenge: string;
  rpId: string;
  allowCredentials?: { id: string }[];
  userVerification?: string;
}

/** A browser: it keeps its cookies. */
class Browser {
  constructor(private cookie = "") {}

  async post(path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await callApi(world.url, "POST", path, body, { cookie: this.cookie }, headers);
    const set = cookiesOf(answer).split("; ").filter(Boolean);
    const names = set.map((each) => each.split("=")[0]);
    const kept = this.cookie.split("; ").filter((each) => each && !names.includes(each.split("=")[0]));
    this.cookie = [...kept, ...set.filter((each) => !each.endsWith("="))].join("; ");
    return answer;
  }

  async begin<Options>(path: string): Promise<Options> {
    const { options } = await succeed<Begun<Options>>(this.post(path));
    return options.publicKey;
  }

  /** The same browser at this moment, for a second request of the same state. */
  copy(): Browser {
    return new Browser(this.cookie);
  }

  async isSignedIn(): Promise<boolean> {
    const self = await callApi(world.url, "GET", "/api/user/self", undefined, { cookie: this.cookie });
    return self.body.success === true;
  }
}

const OWN = "/api/user/passkey";
const FACTOR = "/api/user/login/2fa/passkey";

const register = async (person: Pick<Person, "cookie">, device = new PasskeyDevice(ORIGIN)) => {
  const browser = new Browser(person.cookie);
  const options = await browser.begin<Creation>(`${OWN}/register/begin`);
  const added = await succeed<{ id: number; name: string }>(
    browser.post(`${OWN}/register/finish`, { ...device.create(options), name: "laptop" }),
  );
  return { device, options, ...added };
};

const newOwner = async () => {
  const person = await world.newUser();
  return { person, ...(await register(person)) };
};

const listOf = (person: Pick<Person, "api">) =>
  succeed<{ enabled: boolean; passkeys: { id: number; name: string; last_used_time: number }[] }>(
    person.api("GET", OWN),
  );

/** A sign-in by password in a new browser. */
const enter = async (username: string) => {
  const browser = new Browser();
  const { body } = await browser.post("/api/user/login", { username, password: PASSWORD });
  return { browser, data: body.data };
};

/** A sign-in by passkey alone, in a new browser. */
const enterAlone = async (device: PasskeyDevice, otherwise?: SignedOtherwise) => {
  const browser = new Browser();
  const options = await browser.begin<Request>(`${OWN}/login/begin`);
  const { body } = await browser.post(`${OWN}/login/finish`, device.sign(options, otherwise));
  return { browser, options, body };
};

describe("a passkey", () => {
  it("is made for the site's own address, is listed, renamed and removed", async () => {
    const { person, device, options, id } = await newOwner();
    expect(options).toMatchObject({ rp: { id: "gate.example" }, user: { name: person.username } });
    expect(Buffer.from(options.user.id, "base64url").toString()).not.toContain(person.username);
    expect(await listOf(person)).toEqual({
      enabled: true,
      passkeys: [{ id, name: "laptop", created_time: expect.any(Number), last_used_time: 0 }],
    });
    const again = await new Browser(person.cookie).begin<Creation>(`${OWN}/register/begin`);
    expect(again.excludeCredentials).toMatchObject([{ id: device.id }]);
    expect(again.user.id).toBe(options.user.id);
    await succeed(person.api("PUT", `${OWN}/${id}`, { name: " 笔记本 " }));
    expect((await listOf(person)).passkeys).toMatchObject([{ name: "笔记本" }]);
    for (const name of ["", "   ", "x".repeat(51)])
      expect((await person.api("PUT", `${OWN}/${id}`, { name })).body).toMatchObject(REFUSED);
    const other = await world.newUser();
    for (const [method, body] of [["PUT", { name: "mine" }], ["DELETE"]] as const)
      expect((await other.api(method, `${OWN}/${id}`, body)).body).toMatchObject(REFUSED);
    await succeed(person.api("DELETE", `${OWN}/${id}`));
    expect(await listOf(person)).toEqual({ enabled: false, passkeys: [] });
    expect((await enterAlone(device)).body).toMatchObject(REFUSED);
  });

  it("is added in a fresh session alone, for its own challenge, once, and up to a number", async () => {
    const person = await world.newUser();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const byToken = await callApi(world.url, "POST", `${OWN}/register/begin`, undefined, { token });
    expect(byToken.body).toMatchObject(refusedFor("请先重新登录"));
    const device = new PasskeyDevice(ORIGIN);
    const browser = new Browser(person.cookie);
    const options = await browser.begin<Creation>(`${OWN}/register/begin`);
    const attempt = (body: unknown) => browser.copy().post(`${OWN}/register/finish`, body);
    const wrong: SignedOtherwise[] = [
      { origin: "https://evil.example" },
      { rpId: "evil.example" },
      { challenge: Buffer.alloc(32).toString("base64url") },
      { type: "webauthn.get" },
    ];
    for (const otherwise of wrong)
      expect((await attempt(device.create(options, otherwise))).body).toMatchObject(
        refusedFor("通行密钥未通过验证"),
      );
    const made = device.create(options);
    for (const response of [
      { ...made.response, attestationObject: "oA" },
      { ...made.response, attestationObject: "" },
      { ...made.response, attestationObject: "a".repeat(40_000) },
      { ...made.response, clientDataJSON: "e30" },
    ])
      expect((await attempt({ ...made, response })).body).toMatchObject(REFUSED);
    // Another session has another challenge.
    const elsewhere = await enter(person.username);
    expect((await elsewhere.browser.post(`${OWN}/register/finish`, made)).body).toMatchObject(REFUSED);
    const both = await Promise.all(
      [device, new PasskeyDevice(ORIGIN)].map((each) => attempt(each.create(options))),
    );
    expect(both.filter(({ body }) => body.success)).toHaveLength(1);
    expect((await attempt(new PasskeyDevice(ORIGIN).create(options))).body).toMatchObject(
      refusedFor("重新开始"),
    );
    // The sign-in of before has shown no passkey.
    expect(await elsewhere.browser.isSignedIn()).toBe(false);
    for (let more = 1; more < 10; more += 1) await register(person);
    expect((await browser.post(`${OWN}/register/begin`)).body).toMatchObject(refusedFor("最多 10 个"));
  });

  it("belongs to one user", async () => {
    const { device } = await newOwner();
    const thief = new Browser((await world.newUser()).cookie);
    const options = await thief.begin<Creation>(`${OWN}/register/begin`);
    const taken = await thief.post(`${OWN}/register/finish`, device.create(options));
    expect(taken.body).toMatchObject(refusedFor("已添加过"));
    expect((await enterAlone(device)).body).toMatchObject(RIGHT);
  });

  it("is offered at the site's own address alone, and only over HTTPS", async () => {
    const person = await world.newUser();
    const begin = (headers: Record<string, string>) =>
      new Browser(person.cookie).post(`${OWN}/register/begin`, undefined, headers);
    expect((await begin({ "x-forwarded-host": "evil.example", host: "evil.example" })).body).toMatchObject({
      data: { options: { publicKey: { rp: { id: "gate.example" } } } },
    });
    for (const [address, isUsable] of [
      ["http://gate.example", false],
      ["https://192.0.2.1", false],
      ["https://[2001:db8::1]", false],
      ["http://localhost:3000", true],
    ] as const) {
      await saveOptions(world.root, { ServerAddress: address });
      expect((await begin({})).body.success).toBe(isUsable);
      const status = await succeed<{ passkey_login?: boolean }>(callApi(world.url, "GET", "/api/status"));
      expect(status.passkey_login === true).toBe(isUsable);
    }
    await saveOptions(world.root, { ServerAddress: ORIGIN });
    const page = new URL(world.url).origin;
    expect((await begin({ origin: page })).body).toMatchObject(refusedFor(ORIGIN));
  });
});

describe("a sign-in by passkey alone", () => {
  it("needs no password and no code, and is over with its session", async () => {
    const { person, device, id } = await newOwner();
    const secret = await succeed<{ secret: string }>(person.api("POST", "/api/user/2fa/setup"));
    await succeed(person.api("POST", "/api/user/2fa/enable", { code: appCode(secret.secret) }));
    const { browser, options, body } = await enterAlone(device);
    expect(options).toMatchObject({ rpId: "gate.example", userVerification: "required" });
    expect(options.allowCredentials ?? []).toEqual([]);
    expect(body).toMatchObject({ ...RIGHT, data: { username: person.username } });
    expect(await browser.isSignedIn()).toBe(true);
    expect((await listOf(person)).passkeys).toMatchObject([{ id, last_used_time: expect.any(Number) }]);
    expect((await listOf(person)).passkeys[0]?.last_used_time).toBeGreaterThan(0);
  });

  it("is refused for a wrong origin, site, challenge, type or signature, and for an unverified user", async () => {
    const { device } = await newOwner();
    const wrong: [SignedOtherwise, string][] = [
      [{ origin: "https://evil.example" }, "通行密钥未通过验证"],
      [{ origin: "http://gate.example" }, "通行密钥未通过验证"],
      [{ rpId: "evil.example" }, "通行密钥未通过验证"],
      [{ challenge: Buffer.alloc(32, 1).toString("base64url") }, "通行密钥未通过验证"],
      [{ type: "webauthn.create" }, "通行密钥未通过验证"],
      [{ isVerified: false }, "设备未验证使用者身份"],
    ];
    for (const [otherwise, words] of wrong)
      expect((await enterAlone(device, otherwise)).body).toMatchObject(refusedFor(words));
    const forger = new PasskeyDevice(ORIGIN);
    const browser = new Browser();
    const forged = forger.sign(await browser.begin<Request>(`${OWN}/login/begin`));
    const claimed = { ...forged, id: device.id, rawId: device.id };
    expect((await browser.post(`${OWN}/login/finish`, claimed)).body).toMatchObject(
      refusedFor("通行密钥未通过验证"),
    );
    expect((await enterAlone(forger)).body).toMatchObject(refusedFor("不属于此账户"));
  });

  it("takes each challenge once, from the browser that it was made for", async () => {
    const { device } = await newOwner();
    const browser = new Browser();
    const signed = device.sign(await browser.begin<Request>(`${OWN}/login/begin`));
    const stranger = await new Browser().post(`${OWN}/login/finish`, signed);
    expect(stranger.body).toMatchObject(refusedFor("重新开始"));
    const other = new Browser();
    await other.begin<Request>(`${OWN}/login/begin`);
    expect((await other.post(`${OWN}/login/finish`, signed)).body).toMatchObject(REFUSED);
    const copies = [browser.copy(), browser.copy(), browser.copy()];
    const all = await Promise.all(copies.map((each) => each.post(`${OWN}/login/finish`, signed)));
    expect(all.filter(({ body }) => body.success)).toHaveLength(1);
    expect((await copies[0]?.post(`${OWN}/login/finish`, signed))?.body).toMatchObject(REFUSED);
    expect((await browser.copy().post(`${OWN}/login/finish`, signed)).body).toMatchObject(
      refusedFor("重新开始"),
    );
    // The same challenge, signed again.
    expect((await enterAlone(device)).body).toMatchObject(RIGHT);
  });

  it("is refused where the device has counted more uses before, with an audit line", async () => {
    const { person, device } = await newOwner();
    expect((await enterAlone(device, { counter: 9 })).body).toMatchObject(RIGHT);
    for (const counter of [9, 8, 0])
      expect((await enterAlone(device, { counter })).body).toMatchObject(refusedFor("可能已被复制"));
    expect((await enterAlone(device, { counter: 10 })).body).toMatchObject(RIGHT);
    const lines = await succeed<{ action: string }[]>(
      world.root.api("GET", `/api/audit?action=user.refuse-passkey&username=${person.username}`),
    );
    expect(lines).toHaveLength(3);
    // A device that does not count.
    const silent = await world.newUser();
    const options = await new Browser(silent.cookie).begin<Creation>(`${OWN}/register/begin`);
    expect(options.challenge).not.toBe("");
    const browser = new Browser(silent.cookie);
    const synced = new PasskeyDevice(ORIGIN);
    const made = synced.create(await browser.begin<Creation>(`${OWN}/register/begin`), { counter: 0 });
    await succeed(browser.post(`${OWN}/register/finish`, made));
    for (let use = 0; use < 2; use += 1)
      expect((await enterAlone(synced, { counter: 0 })).body).toMatchObject(RIGHT);
  });

  it("is refused to a banned user, where the site has it off, and after its user was deleted", async () => {
    const { person, device } = await newOwner();
    const manage = (action: string) =>
      succeed(world.root.api("POST", "/api/user/manage", { username: person.username, action }));
    await manage("disable");
    expect((await enterAlone(device)).body).toMatchObject(REFUSED);
    await manage("enable");
    const browser = new Browser();
    const signed = device.sign(await browser.begin<Request>(`${OWN}/login/begin`));
    await saveOptions(world.root, { PasskeyLoginEnabled: "false" });
    expect((await browser.post(`${OWN}/login/finish`, signed)).body).toMatchObject(
      refusedFor("管理员未启用"),
    );
    expect((await browser.post(`${OWN}/login/begin`)).body).toMatchObject(refusedFor("管理员未启用"));
    await saveOptions(world.root, { PasskeyLoginEnabled: "true" });
    await manage("delete");
    expect((await enterAlone(device)).body).toMatchObject(refusedFor("不属于此账户"));
  });

  it("keeps nothing of challenges that are not answered, and counts wrong answers", async () => {
    const { device } = await newOwner();
    const before = await world.snapshot();
    for (let group = 0; group < 100; group += 1)
      await Promise.all(Array.from({ length: 10 }, () => new Browser().post(`${OWN}/login/begin`)));
    expect(await world.snapshot()).toEqual(before);
    expect((await enterAlone(device)).body).toMatchObject(RIGHT);
  });
});

describe("a passkey as the second factor", () => {
  it("is asked for after the password, and completes the sign-in without a verified user as well", async () => {
    const { person, device } = await newOwner();
    const { browser, data } = await enter(person.username);
    expect(data).toEqual({ require_2fa: true, needs_setup: false, passkey: true, code: false });
    expect(await browser.isSignedIn()).toBe(false);
    expect((await browser.post("/api/user/login/2fa", { code: "000000" })).body).toMatchObject(REFUSED);
    const options = await browser.begin<Request>(`${FACTOR}/begin`);
    expect(options.allowCredentials).toMatchObject([{ id: device.id }]);
    const done = await browser.post(`${FACTOR}/finish`, device.sign(options, { isVerified: false }));
    expect(done.body).toMatchObject({ ...RIGHT, data: { username: person.username } });
    expect(await browser.isSignedIn()).toBe(true);
  });

  it("is refused to a stranger, with another user's, and with a challenge for something else", async () => {
    const { person, device } = await newOwner();
    const { device: foreign } = await newOwner();
    expect((await new Browser().post(`${FACTOR}/begin`)).body).toMatchObject(refusedFor("请重新登录"));
    const { browser } = await enter(person.username);
    const options = await browser.begin<Request>(`${FACTOR}/begin`);
    const withForeign = await browser.copy().post(`${FACTOR}/finish`, foreign.sign(options));
    expect(withForeign.body).toMatchObject(refusedFor("不属于此账户"));
    const alone = await browser.copy().begin<Request>(`${OWN}/login/begin`);
    expect((await browser.copy().post(`${FACTOR}/finish`, device.sign(alone))).body).toMatchObject(REFUSED);
    const unverified = device.sign(options, { isVerified: false });
    expect((await browser.copy().post(`${OWN}/login/finish`, unverified)).body).toMatchObject(
      refusedFor("重新开始"),
    );
    expect((await browser.post(`${FACTOR}/finish`, device.sign(options))).body).toMatchObject(RIGHT);
  });

  it("stands beside an app, of which either is enough", async () => {
    const { person, device } = await newOwner();
    const { secret } = await succeed<{ secret: string }>(person.api("POST", "/api/user/2fa/setup"));
    await succeed(person.api("POST", "/api/user/2fa/enable", { code: appCode(secret, -1) }));
    const { browser, data } = await enter(person.username);
    expect(data).toMatchObject({ passkey: true, code: true });
    const options = await browser.begin<Request>(`${FACTOR}/begin`);
    expect((await browser.copy().post(`${FACTOR}/finish`, device.sign(options))).body).toMatchObject(RIGHT);
    const code = await browser.post("/api/user/login/2fa", { code: appCode(secret) });
    expect(code.body).toMatchObject(RIGHT);
  });

  it("is not undercut by an app that was begun before it", async () => {
    await saveOptions(world.root, { SecondFactorRequired: "off" });
    const person = await world.newUser();
    const begun = await succeed<{ secret: string }>(person.api("POST", "/api/user/2fa/setup"));
    await register(person);
    const { browser } = await enter(person.username);
    const code = await browser.post("/api/user/login/2fa", { code: appCode(begun.secret) });
    expect(code.body).toMatchObject(REFUSED);
    expect(await browser.isSignedIn()).toBe(false);
    expect((await browser.post(`${FACTOR}/register/begin`)).body).toMatchObject(REFUSED);
  });

  it("is enough where the site requires one, and is set up at the sign-in", async () => {
    const { person: safe } = await newOwner();
    const user = await world.newUser();
    const { id: ofRoot } = await register(world.root);
    await saveOptions(world.root, { SecondFactorRequired: "everyone" });
    expect(await new Browser(safe.cookie).isSignedIn()).toBe(true);
    expect(await new Browser(user.cookie).isSignedIn()).toBe(false);
    const { browser, data } = await enter(user.username);
    expect(data).toEqual({ require_2fa: true, needs_setup: true });
    const device = new PasskeyDevice(ORIGIN);
    const options = await browser.begin<Creation>(`${FACTOR}/register/begin`);
    const other = browser.copy();
    expect((await browser.post(`${FACTOR}/register/finish`, device.create(options))).body).toMatchObject(
      RIGHT,
    );
    expect(await browser.isSignedIn()).toBe(true);
    // A second one would need the first.
    const second = await other.post(`${FACTOR}/register/finish`, new PasskeyDevice(ORIGIN).create(options));
    expect(second.body).toMatchObject(REFUSED);
    expect((await enter(user.username)).data).toMatchObject({ passkey: true });
    await saveOptions(world.root, { SecondFactorRequired: "off" });
    await succeed(world.root.api("DELETE", `${OWN}/${ofRoot}`));
  });

  it("leaves the site's requirement in force when it is removed", async () => {
    const { person, id } = await newOwner();
    const { id: ofRoot } = await register(world.root);
    await saveOptions(world.root, { SecondFactorRequired: "everyone" });
    await succeed(person.api("DELETE", `${OWN}/${id}`));
    expect(await new Browser(person.cookie).isSignedIn()).toBe(false);
    expect((await enter(person.username)).data).toMatchObject({ needs_setup: true });
    await saveOptions(world.root, { SecondFactorRequired: "off" });
    await succeed(world.root.api("DELETE", `${OWN}/${ofRoot}`));
  });
});

describe("root", () => {
  it("resets the passkeys of a user, or all second factors, after which all sessions are over", async () => {
    for (const path of ["reset_passkey", "2fa"]) {
      const { person, device } = await newOwner();
      const admin = await world.newAdmin();
      for (const caller of [person, admin])
        expect((await caller.api("DELETE", `/api/user/${person.id}/${path}`)).body).toMatchObject(REFUSED);
      await succeed(world.root.api("DELETE", `/api/user/${person.id}/${path}`));
      expect(await new Browser(person.cookie).isSignedIn()).toBe(false);
      expect((await enterAlone(device)).body).toMatchObject(REFUSED);
      expect(await (await enter(person.username)).browser.isSignedIn()).toBe(true);
      const again = await world.root.api("DELETE", `/api/user/${person.id}/${path}`);
      expect(again.body).toMatchObject(REFUSED);
    }
  });
});

it("leaves a line in the audit for each change", async () => {
  const { person } = await newOwner();
  await register(person);
  await succeed(person.api("DELETE", OWN));
  expect((await person.api("DELETE", OWN)).body).toMatchObject(REFUSED);
  const lines = await succeed<{ action: string }[]>(
    world.root.api("GET", `/api/audit?action=user&username=${person.username}`),
  );
  expect(lines.map(({ action }) => action).reverse()).toEqual([
    "user.add-passkey",
    "user.add-passkey",
    "user.remove-passkey",
  ]);
});
