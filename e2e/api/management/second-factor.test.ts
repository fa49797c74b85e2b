import { cookiesOf } from "@tollgate/demo/api-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appCode, waitForFreshCode } from "../../authenticator";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, PASSWORD, type Person, startManagementWorld } from "./management-world";

/* The second factor, with the codes that an authenticator app shows. */

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

// A code is taken in its half minute, so what a test asks for must not fall into two.
beforeEach(() => waitForFreshCode());

interface Begun {
  secret: string;
  qr_code_data: string;
  backup_codes: string[];
}

const RIGHT = { success: true };
const REFUSED = { success: false };

/** A sign-in by password, without earlier cookies. */
const enter = async (username: string, cookie?: string) => {
  const answer = await callApi(
    world.url,
    "POST",
    "/api/user/login",
    { username, password: PASSWORD },
    cookie === undefined ? {} : { cookie },
  );
  return { data: answer.body.data, cookie: cookiesOf(answer) };
};

const complete = (cookie: string, code: string) =>
  callApi(world.url, "POST", "/api/user/login/2fa", { code }, { cookie });

const isOpen = async (cookie: string): Promise<boolean> =>
  (await callApi(world.url, "GET", "/api/user/self", undefined, { cookie })).body.success === true;

/** Sets up a person's app; the code of the step before the current one is used up then. */
const setUp = async (person: Pick<Person, "api">): Promise<Begun> => {
  const begun = await succeed<Begun>(person.api("POST", "/api/user/2fa/setup"));
  await succeed(person.api("POST", "/api/user/2fa/enable", { code: appCode(begun.secret, -1) }));
  return begun;
};

const newSafe = async () => {
  const person = await world.newUser();
  return { person, ...(await setUp(person)) };
};

const stateOf = (person: Pick<Person, "api">) => succeed(person.api("GET", "/api/user/2fa/status"));

describe("a second factor", () => {
  it("counts once its app has shown a code, and ends the sessions of before", async () => {
    const person = await world.newUser();
    const elsewhere = await enter(person.username);
    expect(await stateOf(person)).toEqual({ enabled: false, required: false, backup_codes_remaining: 0 });
    const { secret, qr_code_data, backup_codes } = await succeed<Begun>(
      person.api("POST", "/api/user/2fa/setup"),
    );
    expect(qr_code_data).toMatch(/^otpauth:\/\/totp\//);
    expect(new URL(qr_code_data).searchParams.get("secret")).toBe(secret);
    expect(new Set(backup_codes).size).toBe(8);
    expect(await isOpen((await enter(person.username)).cookie)).toBe(true);
    for (const code of [appCode(secret, 5), backup_codes[0], "", "abc"])
      expect((await person.api("POST", "/api/user/2fa/enable", { code })).body).toMatchObject(REFUSED);
    expect(await stateOf(person)).toMatchObject({ enabled: false });
    await succeed(person.api("POST", "/api/user/2fa/enable", { code: appCode(secret) }));
    expect(await stateOf(person)).toEqual({ enabled: true, required: false, backup_codes_remaining: 8 });
    expect([await isOpen(person.cookie), await isOpen(elsewhere.cookie)]).toEqual([true, false]);
    for (const path of ["setup", "enable"])
      expect(
        (await person.api("POST", `/api/user/2fa/${path}`, { code: appCode(secret, 1) })).body,
      ).toMatchObject(REFUSED);
  });

  it("is asked for at a sign-in, which is no session before", async () => {
    const { person, secret } = await newSafe();
    const begun = await enter(person.username);
    expect(begun.data).toEqual({ require_2fa: true, needs_setup: false });
    expect(begun.cookie).not.toContain("session=");
    expect(await isOpen(begun.cookie)).toBe(false);
    expect((await complete(begun.cookie, appCode(secret, 5))).body).toMatchObject(REFUSED);
    const done = await complete(begun.cookie, ` ${appCode(secret).replace(/^.../, "$& ")} `);
    expect(done.body).toMatchObject({ ...RIGHT, data: { username: person.username } });
    expect(await isOpen(cookiesOf(done))).toBe(true);
  });

  it("takes each code of the app once, and none from before it", async () => {
    const { person, secret } = await newSafe();
    const begun = await enter(person.username);
    // The set-up took the one before.
    expect((await complete(begun.cookie, appCode(secret, -1))).body).toMatchObject(REFUSED);
    const code = appCode(secret);
    const all = await Promise.all(Array.from({ length: 3 }, () => complete(begun.cookie, code)));
    expect(all.filter(({ body }) => body.success)).toHaveLength(1);
    expect((await complete((await enter(person.username)).cookie, code)).body).toMatchObject(REFUSED);
    expect((await complete(begun.cookie, appCode(secret, 1))).body).toMatchObject(RIGHT);
  });

  it("takes each backup code once, in any writing, and new ones end the old", async () => {
    const { person, secret, backup_codes: codes } = await newSafe();
    const [first = "", second = "", third = ""] = codes;
    const begun = await enter(person.username);
    const all = await Promise.all(Array.from({ length: 4 }, () => complete(begun.cookie, first)));
    expect(all.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await stateOf(person)).toMatchObject({ backup_codes_remaining: 7 });
    expect((await complete(begun.cookie, second.toLowerCase().replace("-", " "))).body).toMatchObject(RIGHT);
    const { backup_codes: next } = await succeed<Begun>(
      person.api("POST", "/api/user/2fa/backup_codes", { code: appCode(secret) }),
    );
    expect(next.filter((code) => codes.includes(code))).toEqual([]);
    expect((await complete(begun.cookie, third)).body).toMatchObject(REFUSED);
    expect((await complete(begun.cookie, next[7] ?? "")).body).toMatchObject(RIGHT);
  });

  it("goes with a code, and never with a password or an access token alone", async () => {
    const { person, secret } = await newSafe();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const call = (path: string, code = "000000") =>
      callApi(world.url, "POST", `/api/user/2fa/${path}`, { code }, { token });
    for (const path of ["setup", "enable", "disable", "backup_codes"])
      expect((await call(path)).body).toMatchObject(REFUSED);
    expect(await stateOf(person)).toMatchObject({ enabled: true });
    await succeed(call("disable", appCode(secret)));
    expect(await stateOf(person)).toMatchObject({ enabled: false, backup_codes_remaining: 0 });
    expect(await isOpen((await enter(person.username)).cookie)).toBe(true);
    // Another secret, and the former one counts no longer.
    const { secret: next } = await setUp(person);
    expect((await complete((await enter(person.username)).cookie, appCode(secret))).body).toMatchObject(
      REFUSED,
    );
    expect((await complete((await enter(person.username)).cookie, appCode(next))).body).toMatchObject(RIGHT);
  });

  it("is not set up by an access token, or long after the sign-in", async () => {
    const person = await world.newUser();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const setup = await callApi(world.url, "POST", "/api/user/2fa/setup", undefined, { token });
    expect(setup.body).toMatchObject({ ...REFUSED, message: expect.stringContaining("请先重新登录") });
  });
});

describe("a sign-in that waits for a code", () => {
  it("is over with another password, for a banned user, and with a cookie of another or of no one", async () => {
    const { person, secret, backup_codes: codes } = await newSafe();
    const { person: other } = await newSafe();
    const begun = await enter(person.username);
    const [, id = "", rest = ""] = /^pending_sign_in=(\d+)\.(.*)$/.exec(begun.cookie) ?? [];
    expect(id).toBe(String(person.id));
    for (const forged of [
      `pending_sign_in=${other.id}.${rest}`,
      `pending_sign_in=${id}.${rest.replace(/^\d+/, (time) => String(Number(time) + 1))}`,
      `pending_sign_in=${id}.9999999999.`,
      "pending_sign_in=",
      "",
    ])
      expect((await complete(forged, codes[0] ?? "")).body).toMatchObject({
        ...REFUSED,
        message: expect.stringContaining("请重新登录"),
      });
    await succeed(
      world.root.api("POST", "/api/user/manage", { username: person.username, action: "disable" }),
    );
    expect((await complete(begun.cookie, codes[0] ?? "")).body).toMatchObject(REFUSED);
    await succeed(
      world.root.api("POST", "/api/user/manage", { username: person.username, action: "enable" }),
    );
    await succeed(world.root.api("PUT", "/api/user/", { id: person.id, password: "another-password" }));
    expect((await complete(begun.cookie, appCode(secret))).body).toMatchObject(REFUSED);
  });

  it("sets up no other app in the place of one", async () => {
    const { person } = await newSafe();
    const { cookie } = await enter(person.username);
    const setup = await callApi(world.url, "POST", "/api/user/login/2fa/setup", undefined, { cookie });
    expect(setup.body).toMatchObject(REFUSED);
    const stranger = await callApi(world.url, "POST", "/api/user/login/2fa/setup");
    expect(stranger.body).toMatchObject(REFUSED);
  });

  it("lets strangers guess a few times only, and the owner in on a known device all the same", async () => {
    const { person, secret, backup_codes: codes } = await newSafe();
    const [backup = ""] = codes;
    const { cookie } = await enter(person.username);
    const entered = await complete(cookie, appCode(secret));
    const answers = [];
    for (let guess = 0; guess < 7; guess += 1) answers.push(await complete(cookie, "not-a-code"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(Number(answers[6]?.headers.get("retry-after"))).toBeGreaterThan(60);
    // Right, and refused: a guesser would come to it. A browser that has shown the password alone is no better.
    const device = person.cookie.split("; ").find((each) => each.startsWith("device="));
    for (const more of ["", `; ${device}`, `; code_${device}`])
      expect((await complete(cookie + more, appCode(secret, 1))).status).toBe(429);
    const known = cookiesOf(entered)
      .split("; ")
      .find((each) => each.startsWith("code_device="));
    expect((await complete(`${cookie}; ${known}`, appCode(secret, 1))).body).toMatchObject(RIGHT);
    // So is one who is signed in.
    await succeed(person.api("POST", "/api/user/2fa/disable", { code: backup }));
  });
});

it("leaves a line in the audit for each change, and for each refused code after a right password", async () => {
  const { person, secret } = await newSafe();
  const { cookie } = await enter(person.username);
  await complete(cookie, "000000");
  await complete(cookie, appCode(secret, -1));
  await complete(cookie, appCode(secret));
  await succeed(person.api("POST", "/api/user/2fa/disable", { code: appCode(secret, 1) }));
  const lines = await succeed<{ action: string; username: string; address: string }[]>(
    world.root.api("GET", `/api/audit?action=user&username=${person.username}`),
  );
  expect(lines.map(({ action }) => action).reverse()).toEqual([
    "user.confirm-second-factor",
    "user.refuse-code",
    "user.refuse-code",
    "user.remove-second-factor",
  ]);
  expect(new Set(lines.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
});

describe("root", () => {
  it("removes a lost one, with an audit line, after which all sessions are over", async () => {
    const { person } = await newSafe();
    const admin = await world.newAdmin();
    const path = `/api/user/${person.id}/2fa`;
    for (const caller of [person, admin])
      expect((await caller.api("DELETE", path)).body).toMatchObject(REFUSED);
    await succeed(world.root.api("DELETE", path));
    expect(await isOpen(person.cookie)).toBe(false);
    // A second factor without a confirmed code does not count.
    const begun = await world.newUser();
    await succeed(begun.api("POST", "/api/user/2fa/setup"));
    expect((await world.root.api("DELETE", `/api/user/${begun.id}/2fa`)).body).toMatchObject(REFUSED);
    expect(await isOpen(begun.cookie)).toBe(true);
    expect(await isOpen((await enter(person.username)).cookie)).toBe(true);
    const audit = await succeed<{ target: string }[]>(
      world.root.api("GET", `/api/audit?action=user.reset-second-factor&target=${person.id}`),
    );
    expect(audit).toHaveLength(1);
    expect((await world.root.api("DELETE", path)).body).toMatchObject(REFUSED);
  });

  it("does not remove its own that way", async () => {
    const { secret } = await setUp(world.root);
    expect((await world.root.api("DELETE", "/api/user/1/2fa")).body).toMatchObject(REFUSED);
    expect(await stateOf(world.root)).toMatchObject({ enabled: true });
    await succeed(world.root.api("POST", "/api/user/2fa/disable", { code: appCode(secret) }));
  });

  it("requires one of administrators or of all users, who set it up at their next sign-in", async () => {
    const admin = await world.newAdmin();
    const user = await world.newUser();
    const promoted = await world.newUser();
    const requireOf = (value: string) => saveOptions(world.root, { SecondFactorRequired: value });
    const refused = await world.root.api("PUT", "/api/option/", {
      key: "SecondFactorRequired",
      value: "admins",
    });
    expect(refused.body).toMatchObject({ ...REFUSED, message: expect.stringContaining("请先为自己的账户") });
    const { secret: ofRoot } = await setUp(world.root);
    await requireOf("admins");
    expect(await Promise.all([admin, user, world.root].map(({ cookie }) => isOpen(cookie)))).toEqual([
      ...[false, true, true],
    ]);
    await succeed(
      world.root.api("POST", "/api/user/manage", { username: promoted.username, action: "promote" }),
    );
    expect(await isOpen(promoted.cookie)).toBe(false);
    const begun = await enter(admin.username);
    expect(begun.data).toEqual({ require_2fa: true, needs_setup: true });
    expect((await complete(begun.cookie, "000000")).body).toMatchObject(REFUSED);
    const setup = await callApi(world.url, "POST", "/api/user/login/2fa/setup", undefined, begun);
    const { secret } = setup.body.data as Begun;
    const done = await complete(begun.cookie, appCode(secret, -1));
    expect(done.body).toMatchObject(RIGHT);
    expect(await isOpen(cookiesOf(done))).toBe(true);
    expect((await enter(admin.username)).data).toMatchObject({ needs_setup: false });
    const asAdmin = (path: string) =>
      callApi(world.url, "POST", path, { code: appCode(secret) }, { cookie: cookiesOf(done) });
    // Another app takes its place at the next sign-in.
    await succeed(asAdmin("/api/user/2fa/disable"));
    expect(await isOpen(cookiesOf(done))).toBe(false);
    expect((await enter(admin.username)).data).toMatchObject({ needs_setup: true });
    await requireOf("everyone");
    expect(await isOpen(user.cookie)).toBe(false);
    expect((await enter(user.username)).data).toMatchObject({ needs_setup: true });
    await requireOf("off");
    expect(await isOpen((await enter(user.username)).cookie)).toBe(true);
    await succeed(world.root.api("POST", "/api/user/2fa/disable", { code: appCode(ofRoot) }));
  });
});

it("no secret or backup code is stored in clear, or told again", async () => {
  const { person, secret, backup_codes: codes } = await newSafe();
  const shown = [
    await stateOf(person),
    await succeed(world.root.api("GET", "/api/user/?p=0")),
    await succeed(world.root.api("GET", "/api/audit?p=0")),
    world.stored.all("SELECT * FROM second_factors"),
  ];
  for (const each of [secret, ...codes]) expect(JSON.stringify(shown)).not.toContain(each);
});
