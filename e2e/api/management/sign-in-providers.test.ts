import { type ApiAnswer, cookiesOf } from "@tollgate/demo/api-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentAt, type OpenIdProvider, startOpenIdProvider } from "../../open-id-provider";
import { callApi, saveOptions, succeed } from "./client";
import { HONEST, startLyingProvider } from "./lying-provider";
import { type ManagementWorld, PASSWORD, startManagementWorld } from "./management-world";

/* Sign-in with OpenID Connect providers that root adds: a real one, and one that lies. */

let world: ManagementWorld;
let acme: OpenIdProvider;
let liar: Awaited<ReturnType<typeof startLyingProvider>>;
let nonce = "";
let acmeId = 0;

const BACK = "http://gate.example.com/oauth";
const SENTENCE = { state: "state is empty or not same", untrusted: "未通过校验" };

interface Shown {
  id: number;
  slug: string;
  has_secret: boolean;
  bound: number;
}

const addProvider = (more: Record<string, unknown>) =>
  world.root.api("POST", "/api/sign-in-provider/", { name: "Acme", ...more });

const changeAcme = (change: Record<string, unknown>) =>
  succeed(world.root.api("PUT", `/api/sign-in-provider/${acmeId}`, change));

beforeAll(async () => {
  world = await startManagementWorld();
  acme = await startOpenIdProvider([`${BACK}/acme`]);
  liar = await startLyingProvider(() => nonce);
  await saveOptions(world.root, { ServerAddress: "http://gate.example.com" });
  world.secrets.push(acme.clientSecret, "liar-secret", "liar-grant");
});

afterAll(async () => {
  await world?.stop();
  await acme?.close();
  await liar?.close();
});

/** A sign-in that a browser has begun. */
interface Begun {
  cookie: string;
  address: URL;
  state: string;
}

const begin = async (slug: string, cookie = ""): Promise<Begun> => {
  const answer = await callApi(world.url, "POST", `/api/oauth/provider/${slug}`, undefined, { cookie });
  const { address: href } = await succeed<{ address: string }>(Promise.resolve(answer));
  const address = new URL(href);
  nonce = address.searchParams.get("nonce") ?? "";
  return {
    cookie: [cookie, cookiesOf(answer)].filter((each) => each !== "").join("; "),
    address,
    state: address.searchParams.get("state") ?? "",
  };
};

const finish = (slug: string, { cookie, state }: Begun, body: Record<string, unknown>): Promise<ApiAnswer> =>
  callApi(
    world.url,
    "POST",
    `/api/oauth/provider/${slug}/finish`,
    { state, code: "code", ...body },
    { cookie },
  );

/** Signs in at the real provider, or binds an account of it to the session. */
const enter = async (cookie = ""): Promise<ApiAnswer> => {
  const begun = await begin("acme", cookie);
  return finish("acme", begun, Object.fromEntries(await consentAt(begun.address.href, `${BACK}/acme`)));
};

const enterLiar = async (): Promise<ApiAnswer> => finish("liar", await begin("liar"), {});

const usersStored = () => world.stored.all("SELECT id FROM users").length;
const auditOf = (action: string) =>
  world.stored.all<{ target: string; detail: string; user_id: number }>(
    "SELECT target, detail, user_id FROM audit WHERE action = ? ORDER BY id",
    action,
  );

describe("root", () => {
  it("adds a provider whose issuer answers, in a session alone, and its secret is never shown", async () => {
    const acmeBody = {
      ...{ slug: "acme", issuer: acme.url, client_id: acme.clientId, client_secret: acme.clientSecret },
    };
    const token = await succeed<string>(world.root.api("GET", "/api/user/token"));
    const byToken = await callApi(
      world.url,
      "POST",
      "/api/sign-in-provider/",
      { name: "x", ...acmeBody },
      { token },
    );
    expect(byToken.body.message).toContain("不能使用 access token 修改");
    for (const [more, field] of [
      [{ slug: "github" }, "slug"],
      [{ slug: "provider" }, "slug"],
      [{ slug: "A" }, "slug"],
      [{ slug: "../x" }, "slug"],
      [{ name: "" }, "name"],
      [{ name: "x".repeat(31) }, "name"],
      [{ issuer: "http://id.example.com" }, "issuer"],
      [{ issuer: "javascript:alert(1)" }, "issuer"],
      [{ issuer: "https://user:pass@id.example.com" }, "issuer"],
      [{ issuer: "http://127.0.0.1:9" }, "issuer"],
      // Another path than the one that the description names.
      [{ issuer: `${acme.url}/realm` }, "issuer"],
      [{ client_id: " " }, "client_id"],
      [{ scopes: 'a"b' }, "scopes"],
      [{ email_domains: "example.com, not a domain" }, "email_domains"],
      [{ required_groups: "staff" }, "group_claim"],
    ] as const) {
      const refused = await addProvider({ ...acmeBody, ...more });
      expect([more, refused.body.success, refused.body.field]).toEqual([more, false, field]);
    }
    const added = await succeed<Shown>(
      addProvider({ ...acmeBody, issuer: `${acme.url}/.well-known/openid-configuration` }),
    );
    acmeId = added.id;
    expect(added).toMatchObject({
      ...{ slug: "acme", issuer: acme.url, has_secret: true, bound: 0, scopes: "openid profile email" },
      ...{ is_enabled: true, may_register: true },
    });
    expect((await addProvider(acmeBody)).body).toMatchObject({ success: false, field: "slug" });
    await succeed(
      addProvider({
        name: "Liar",
        slug: "liar",
        issuer: liar.url,
        client_id: "liar-client",
        client_secret: "liar-secret",
      }),
    );
    const listed = await world.root.api("GET", "/api/sign-in-provider/");
    expect(JSON.stringify(listed.body)).not.toContain(acme.clientSecret);
    expect(
      world.stored
        .all("SELECT * FROM sign_in_providers")
        .map((row) => JSON.stringify(row))
        .join(),
    ).not.toContain(acme.clientSecret);
    expect(auditOf("sign-in-provider.create").map(({ target }) => target)).toEqual(["acme", "liar"]);
    expect(JSON.stringify(auditOf("sign-in-provider.create"))).not.toContain(acme.clientSecret);
  });

  it("keeps slug, issuer and an empty secret in a change", async () => {
    const changed = await changeAcme({
      slug: "other",
      issuer: liar.url,
      client_secret: "",
      name: "Acme SSO",
    });
    expect(changed).toMatchObject({ slug: "acme", issuer: acme.url, name: "Acme SSO", has_secret: true });
    expect(auditOf("sign-in-provider.update").at(-1)?.detail).toBe(JSON.stringify({ name: "Acme SSO" }));
  });

  it("has the status tell guests of its enabled providers", async () => {
    const { sign_in_providers: offered } = await succeed<Record<string, unknown>>(
      callApi(world.url, "GET", "/api/status"),
    );
    expect(offered).toEqual([
      { slug: "acme", name: "Acme SSO" },
      { slug: "liar", name: "Liar" },
    ]);
  });
});

describe("a real provider", () => {
  beforeEach(() => {
    acme.person = { sub: "ann", name: "Ann", email: "Ann@Example.com", email_verified: true };
  });

  it("is asked with PKCE, state and nonce", async () => {
    const { address } = await begin("acme");
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...{ client_id: "tollgate", response_type: "code", redirect_uri: `${BACK}/acme` },
      ...{ scope: "openid profile email", code_challenge_method: "S256" },
      ...{
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
  });

  it("registers a newcomer, and signs the same person in the next time", async () => {
    const first = await enter();
    expect(first.body).toMatchObject({ success: true, data: { role: 1, display_name: "Ann" } });
    expect(cookiesOf(first)).toContain("session=");
    const { id, username } = first.body.data as { id: number; username: string };
    expect(username).toMatch(/^ac\w*_\w+$/);
    expect(world.stored.all("SELECT email FROM users WHERE id = ?", id)).toEqual([
      { email: "ann@example.com" },
    ]);
    acme.person = { sub: "ann", name: "Renamed" };
    expect((await enter()).body.data).toMatchObject({ id });
    // Another person with the same address is another user, and does not take the account over.
    acme.person = { sub: "eve", name: "Eve", email: "ann@example.com", email_verified: true };
    const eve = (await enter()).body.data as { id: number };
    expect(eve.id).not.toBe(id);
    expect(world.stored.all("SELECT email FROM users WHERE id = ?", eve.id)).toEqual([{ email: "" }]);
  });

  it("takes no address that is not verified", async () => {
    acme.person = { sub: "bob", name: "Bob", email: "bob@example.com", email_verified: false };
    const { id } = (await enter()).body.data as { id: number };
    expect(world.stored.all("SELECT email FROM users WHERE id = ?", id)).toEqual([{ email: "" }]);
  });

  it("signs in once with a state and a code, by one of two at once", async () => {
    const begun = await begin("acme");
    const back = Object.fromEntries(await consentAt(begun.address.href, `${BACK}/acme`));
    const both = await Promise.all([finish("acme", begun, back), finish("acme", begun, back)]);
    // A provider may revoke what it gave for a code that comes twice.
    expect(both.filter(({ body }) => body.success).length).toBeLessThan(2);
    expect((await finish("acme", begun, back)).body.success).toBe(false);
  });

  it("is not believed with the state of another browser, session, provider or method", async () => {
    const begun = await begin("acme");
    const other = await begin("acme");
    const ofLiar = await begin("liar");
    const ofMethod = await callApi(world.url, "GET", "/api/oauth/state");
    const back = Object.fromEntries(await consentAt(begun.address.href, `${BACK}/acme`));
    for (const cookie of [
      "",
      other.cookie,
      ofLiar.cookie,
      cookiesOf(ofMethod),
      `${begun.cookie}; ${world.user.cookie}`,
    ]) {
      const answer = await finish("acme", { ...begun, cookie }, back);
      expect([answer.status, answer.body.message]).toEqual([403, SENTENCE.state]);
    }
    const crossed = await finish("liar", begun, back);
    expect([crossed.status, crossed.body.message]).toEqual([403, SENTENCE.state]);
    expect((await finish("acme", begun, back)).body.success).toBe(true);
  });

  it("admits people with a verified address of the site's domains alone", async () => {
    await changeAcme({ email_domains: " @Corp.example.com ,corp.example.org" });
    const before = usersStored();
    for (const person of [
      { sub: "n1", email: "x@evil-corp.example.com", email_verified: true },
      { sub: "n2", email: "x@corp.example.com", email_verified: false },
      { sub: "n3", email: "x@corp.example.com.evil.com", email_verified: true },
      { sub: "n4" },
      // A known person whose address is another one by now.
      { sub: "ann", email: "ann@example.com", email_verified: true },
    ]) {
      acme.person = person;
      const answer = await enter();
      expect([person.sub, answer.body.message]).toEqual([
        person.sub,
        expect.stringContaining("允许的邮箱地址"),
      ]);
      expect(cookiesOf(answer)).not.toContain("session=");
    }
    expect(usersStored()).toBe(before);
    expect(auditOf("sign-in-provider.refuse").at(-1)).toMatchObject({
      ...{ target: "acme", user_id: 0, detail: JSON.stringify({ reason: "email-domain" }) },
    });
    acme.person = { sub: "ann", email: "ann@CORP.example.com", email_verified: true };
    expect((await enter()).body.success).toBe(true);
    await changeAcme({ email_domains: "" });
  });

  it("admits the groups that root names, and gives those that the site has", async () => {
    const ratios = await succeed<{ key: string; value: string }[]>(world.root.api("GET", "/api/option/"));
    const groups = JSON.parse(ratios.find(({ key }) => key === "GroupRatio")?.value ?? "{}");
    await saveOptions(world.root, { GroupRatio: JSON.stringify({ ...groups, research: 1, staff: 1 }) });
    await changeAcme({ group_claim: "groups", required_groups: "staff,partners" });
    const groupOf = (id: number) => world.stored.all('SELECT "group" FROM users WHERE id = ?', id);
    acme.person = { sub: "cid", groups: ["guests", "staffer"] };
    expect((await enter()).body.message).toContain("分组");
    acme.person = { sub: "cid", groups: ["staff", "unknown here", "research"] };
    const { id } = (await enter()).body.data as { id: number };
    expect(groupOf(id)).toEqual([{ group: expect.stringMatching(/^(research,staff|staff,research)$/) }]);
    acme.person = { sub: "cid", groups: "staff" };
    expect((await enter()).body.success).toBe(true);
    expect(groupOf(id)).toEqual([{ group: "staff" }]);
    // A group that the site does not have changes nothing.
    acme.person = { sub: "cid", groups: ["partners"] };
    expect((await enter()).body.success).toBe(true);
    expect(groupOf(id)).toEqual([{ group: "staff" }]);
    await changeAcme({ group_claim: "", required_groups: "" });
  });

  it("registers no user while registration is off, here or for all", async () => {
    await changeAcme({ may_register: false });
    acme.person = { sub: "late" };
    expect((await enter()).body.message).toContain("仅供已有用户登录");
    await changeAcme({ may_register: true });
    await saveOptions(world.root, { RegisterEnabled: "false" });
    expect((await enter()).body.message).toBe("管理员关闭了新用户注册");
    acme.person = { sub: "ann" };
    expect((await enter()).body.success).toBe(true);
    await saveOptions(world.root, { RegisterEnabled: "true" });
  });

  it("lets no banned user in", async () => {
    acme.person = { sub: "bad" };
    const { id, username } = (await enter()).body.data as { id: number; username: string };
    await succeed(world.root.api("POST", "/api/user/manage", { username, action: "disable" }));
    const answer = await enter();
    expect(answer.body.message).toBe("用户已被封禁");
    expect(cookiesOf(answer)).not.toContain("session=");
    await succeed(world.root.api("DELETE", `/api/user/${id}`));
  });

  it("gives a sentence while it is down, refuses the code or is switched off, and no one is signed in", async () => {
    const before = usersStored();
    acme.person = { sub: "new" };
    const begun = await begin("acme");
    const back = Object.fromEntries(await consentAt(begun.address.href, `${BACK}/acme`));
    acme.isDown = true;
    const down = "无法连接至 Acme SSO 服务器，请稍后重试！";
    expect((await callApi(world.url, "POST", "/api/oauth/provider/acme")).body.message).toBe(down);
    expect((await finish("acme", begun, back)).body.message).toBe(down);
    acme.isDown = false;
    expect((await finish("acme", begun, { ...back, code: "" })).body.message).toBe("无效的参数");
    const refused = await finish("acme", await begin("acme"), { code: "made-up", iss: acme.url });
    expect(refused.body.message).toContain("未接受本次登录");
    const mixed = await finish("acme", await begin("acme"), { code: "made-up", iss: liar.url });
    expect(mixed.body.message).toContain(SENTENCE.untrusted);
    await changeAcme({ is_enabled: false });
    expect((await callApi(world.url, "POST", "/api/oauth/provider/acme")).body.message).toContain(
      "未开启通过 Acme SSO",
    );
    expect((await finish("acme", begun, back)).body.message).toContain("未开启通过 Acme SSO");
    await changeAcme({ is_enabled: true });
    expect(usersStored()).toBe(before);
    // The page tries again with the same state once the provider is back.
    expect((await finish("acme", begun, back)).body.success).toBe(true);
    expect((await callApi(world.url, "POST", "/api/oauth/provider/none")).body.message).toBe("记录不存在");
  });
});

describe("a provider that lies", () => {
  it("signs in by an honest answer", async () => {
    liar.lie = { ...HONEST, claims: { sub: "honest" } };
    const answer = await enterLiar();
    expect(answer.body).toMatchObject({ success: true, data: { display_name: "Liar" } });
  });

  it.each<[string, Partial<typeof HONEST>]>([
    ["without a signature", { signature: "none" }],
    ["signed with its public key as a secret", { signature: "public key" }],
    ["signed with the client's secret", { signature: "secret" }],
    ["signed by another key", { signature: "stranger" }],
    ["for another audience", { claims: { aud: "another-client" } }],
    ["for several audiences, of another party", { claims: { aud: ["liar-client", "x"], azp: "x" } }],
    ["of another issuer", { claims: { iss: "https://accounts.google.com" } }],
    ["that has expired", { claims: { exp: 1_000_000 } }],
    ["of another sign-in", { claims: { nonce: "another" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["with an empty subject", { claims: { sub: "" } }],
    ["whose subject is a number", { claims: { sub: 1 } }],
    ["whose subject ends in a NUL", { claims: { sub: "1\u0000" } }],
    ["with a subject without end", { claims: { sub: "x".repeat(300) } }],
    ["whose user information is of another person", { claims: { name: undefined }, userinfo: { sub: "2" } }],
    ["from a server that names another issuer", { metadata: { issuer: "https://accounts.google.com" } }],
    ["whose keys are elsewhere without TLS", { metadata: { jwks_uri: "http://keys.example.com/" } }],
    ["without an ID token", { tokens: { body: { access_token: "x", token_type: "Bearer" } } }],
    ["that is no JSON", { tokens: { body: "<h1>hello</h1>" } }],
  ])("signs no one in by a token %s", async (_name, lie) => {
    const before = usersStored();
    liar.lie = HONEST;
    const begun = await begin("liar");
    liar.lie = { ...HONEST, ...lie };
    const answer = await finish("liar", begun, {});
    liar.lie = HONEST;
    expect(answer.body.success).toBe(false);
    expect(cookiesOf(answer)).not.toContain("session=");
    expect(JSON.stringify(answer.body)).not.toContain("127.0.0.1");
    expect(usersStored()).toBe(before);
  });

  it("leaves a line in the audit, and its state is used up", async () => {
    liar.lie = HONEST;
    const begun = await begin("liar");
    liar.lie = { ...HONEST, signature: "none" };
    expect((await finish("liar", begun, {})).body.message).toContain(SENTENCE.untrusted);
    expect(auditOf("sign-in-provider.refuse").at(-1)).toMatchObject({
      ...{ target: "liar", detail: JSON.stringify({ reason: "untrusted" }) },
    });
    liar.lie = HONEST;
    const replayed = await finish("liar", begun, {});
    expect([replayed.status, replayed.body.message]).toEqual([403, SENTENCE.state]);
    expect(auditOf("sign-in-provider.refuse").at(-1)?.detail).toBe(JSON.stringify({ reason: "replayed" }));
  });

  it("cannot be asked to take a code twice, where it would", async () => {
    liar.lie = { ...HONEST, claims: { sub: "twice" } };
    const begun = await begin("liar");
    const all = await Promise.all([1, 2, 3].map(() => finish("liar", begun, {})));
    expect(all.map(({ body }) => body.success).sort()).toEqual([false, false, true]);
  });
});

describe("one's own accounts", () => {
  const listOf = (cookie: string) =>
    succeed<{ name: string; slug: string; subject: string; last: boolean }[]>(
      callApi(world.url, "GET", "/api/user/identities", undefined, { cookie }),
    );
  const unbind = (cookie: string, body: unknown = {}, name = `oidc_${acmeId}`) =>
    callApi(world.url, "POST", `/api/user/identities/${name}/unbind`, body, { cookie });

  it("are bound to one user, and let go with the password where there is no other", async () => {
    const person = await world.newUser();
    acme.person = { sub: "own" };
    expect((await enter(person.cookie)).body).toEqual({ success: true, message: "bind" });
    expect(await listOf(person.cookie)).toMatchObject([
      { slug: "acme", subject: "own", last: true },
      { slug: "liar", subject: "" },
    ]);
    expect((await enter(world.other.cookie)).body.message).toBe("该 Acme SSO 账户已被绑定");
    expect((await enter()).body.data).toMatchObject({ id: person.id });
    expect((await unbind(world.other.cookie)).body.message).toBe("记录不存在");
    expect((await unbind(person.cookie)).body).toMatchObject({ success: false, field: "password" });
    expect((await unbind(person.cookie, { password: "wrong-password" })).body.success).toBe(false);
    expect((await unbind(person.cookie, { password: PASSWORD })).body.success).toBe(true);
    expect(auditOf("user.unbind").at(-1)?.detail).toBe(JSON.stringify({ method: "Acme SSO" }));
    expect((await enter()).body.data).not.toMatchObject({ id: person.id });
  });

  it("of a newcomer without a password are not let go, also with two at once", async () => {
    acme.person = { sub: "alone" };
    const [cookie = ""] = /session=[^;]+/.exec(cookiesOf(await enter())) ?? [];
    expect((await unbind(cookie, { password: "guessed-it" })).body.success).toBe(false);
    liar.lie = { ...HONEST, claims: { sub: "alone" } };
    expect((await finish("liar", await begin("liar", cookie), {})).body.message).toBe("bind");
    const liarName = (await listOf(cookie)).find(({ slug }) => slug === "liar")?.name;
    const both = await Promise.all([unbind(cookie), unbind(cookie, {}, liarName)]);
    expect(both.map(({ body }) => body.success).sort()).toEqual([false, true]);
    expect((await listOf(cookie)).filter(({ subject }) => subject !== "")).toHaveLength(1);
  });

  it("are not bound or let go with an access token", async () => {
    const person = await world.newUser();
    acme.person = { sub: "tokened" };
    await enter(person.cookie);
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const path = `/api/user/identities/oidc_${acmeId}/unbind`;
    const answer = await callApi(world.url, "POST", path, { password: PASSWORD }, { token });
    expect(answer.body.message).toContain("15 分钟");
  });
});

it("is removed with the accounts that are bound, whose number is said, and leaves them to no later one", async () => {
  const providers = await succeed<Shown[]>(world.root.api("GET", "/api/sign-in-provider/"));
  const { bound } = providers.find(({ id }) => id === acmeId) ?? { bound: 0 };
  expect(bound).toBeGreaterThan(2);
  expect(await succeed(world.root.api("DELETE", `/api/sign-in-provider/${acmeId}`))).toEqual({ bound });
  expect(JSON.parse(auditOf("sign-in-provider.delete").at(-1)?.detail ?? "{}")).toMatchObject({ bound });
  expect((await callApi(world.url, "POST", "/api/oauth/provider/acme")).body.message).toBe("记录不存在");
  const again = await succeed<Shown>(
    addProvider({
      slug: "acme",
      issuer: acme.url,
      client_id: acme.clientId,
      client_secret: acme.clientSecret,
    }),
  );
  expect(again).toMatchObject({ bound: 0 });
  expect(again.id).toBeGreaterThan(acmeId);
});
