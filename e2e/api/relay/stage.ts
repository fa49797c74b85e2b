import type { LogWire } from "@tollgate/contract/control/log";
import type { TokenWire } from "@tollgate/contract/control/token";
import type { UserWire } from "@tollgate/contract/control/user";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";

/** The management API as somebody who is signed in. */
export interface Session {
  /**
   * The `data` of a call that must succeed; the caller says what it is.
   * @throws Error with the answer when it is refused.
   */
  data<T>(method: string, path: string, body?: Record<string, unknown>): Promise<T>;
}

/** What a user and one of its keys have and have used, as the management API tells it. */
export interface Figures {
  user: { quota: number; used: number; requests: number };
  token: { remain: number; used: number };
}

/** A key as a program uses it. */
export interface IssuedKey {
  id: number;
  /** "sk-…" */
  key: string;
}

/** A user with one key. */
export interface Account extends IssuedKey {
  username: string;
  userId: number;
  /** The session of the owner. */
  owner: Session;
  figures(): Promise<Figures>;
  /** Lines of the usage log, newest first. */
  usage(): Promise<LogWire[]>;
  /** Sets both balances. */
  topUp(quota: number): Promise<void>;
}

/** A product, an upstream and the administrator: what every relay test needs. */
export interface Stage {
  server: ServerProcess;
  upstream: FakeUpstream;
  root: Session;
  /** A user with `quota` and a key with `token` (by default the same quota). */
  addAccount(username: string, quota: number, token?: Record<string, unknown>): Promise<Account>;
  setOption(key: string, value: string): Promise<void>;
  close(): Promise<void>;
}

const PASSWORD = "password-1";
const LOG_TYPE_CONSUME = 2;

interface Envelope {
  success?: unknown;
  data?: unknown;
}

/** @throws Error when the name or the password is refused. */
export const signIn = async (url: string, username: string, password: string): Promise<Session> => {
  const call = (method: string, path: string, body: unknown, cookie: string): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const answer = await call("POST", "/api/user/login", { username, password }, "");
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  const text = await answer.text();
  if (cookie === undefined) throw new Error(`signing in as ${username} was refused: ${text}`);
  return {
    async data<T>(method: string, path: string, body?: Record<string, unknown>): Promise<T> {
      const response = await call(method, path, body, cookie);
      const said = await response.text();
      const envelope = JSON.parse(said) as Envelope;
      if (envelope.success !== true) throw new Error(`${method} ${path} was refused: ${said}`);
      return envelope.data as T;
    },
  };
};

/**
 * Saves the ratio that the contract's worked examples charge gpt-3.5-turbo by (section 3.6): 13 and 5 tokens cost 18. All
 * other models keep their list prices.
 */
export const keepContractRatio = async (root: Session): Promise<void> => {
  const options = await root.data<{ key: string; value: string }[]>("GET", "/api/option/");
  const ratios = JSON.parse(options.find(({ key }) => key === "ModelRatio")?.value ?? "{}") as object;
  const value = JSON.stringify({ ...ratios, "gpt-3.5-turbo": 0.75 });
  await root.data("PUT", "/api/option/", { key: "ModelRatio", value });
};

export const signInAsRoot = (url: string): Promise<Session> => signIn(url, "root", "123456");

/** Adds a channel. @returns its id. */
export const addChannel = async (root: Session, channel: Record<string, unknown>): Promise<number> => {
  await root.data("POST", "/api/channel/", {
    type: 8,
    name: "upstream",
    key: "upstream-key",
    models: "gpt-3.5-turbo",
    ...channel,
  });
  const [newest] = await root.data<{ id: number }[]>("GET", "/api/channel/?p=0");
  if (!newest) throw new Error("the new channel is not in the list");
  return newest.id;
};

/** Makes a key. */
export const addKey = async (owner: Session, token: Record<string, unknown>): Promise<IssuedKey> => {
  await owner.data("POST", "/api/token/", { name: "laptop", ...token });
  const [newest] = await owner.data<TokenWire[]>("GET", "/api/token/?p=0");
  if (!newest) throw new Error("the new key is not in the list");
  return { id: newest.id, key: `sk-${newest.key}` };
};

/** Both balances of a user and one of its keys; a key is shown to its owner only. */
export const readFigures = async (
  root: Session,
  owner: Session,
  userId: number,
  tokenId: number,
): Promise<Figures> => {
  const [user, token] = await Promise.all([
    root.data<UserWire>("GET", `/api/user/${userId}`),
    owner.data<TokenWire>("GET", `/api/token/${tokenId}`),
  ]);
  return {
    user: { quota: user.quota, used: user.used_quota, requests: user.request_count },
    token: { remain: token.remain_quota, used: token.used_quota },
  };
};

/** The newest consume lines of the log that a query finds, newest first. */
export const readUsage = (root: Session, query: string): Promise<LogWire[]> =>
  root.data("GET", `/api/log/?p=0&type=${LOG_TYPE_CONSUME}&${query}`);

/** The sum of the consume lines that a query finds. */
export const readUsageSum = async (root: Session, query: string): Promise<number> =>
  (await root.data<{ quota: number }>("GET", `/api/log/stat?type=${LOG_TYPE_CONSUME}&${query}`)).quota;

/** Adds an ordinary user with a balance and a key. */
export const addAccount = async (
  url: string,
  root: Session,
  username: string,
  quota: number,
  token: Record<string, unknown> = {},
): Promise<Account> => {
  await root.data("POST", "/api/user/", { username, password: PASSWORD, display_name: username });
  const found = await root.data<UserWire[]>("GET", `/api/user/search?keyword=${username}`);
  const userId = found.find((user) => user.username === username)?.id;
  if (userId === undefined) throw new Error("the new user is not found");
  const setQuota = (to: number) => root.data("PUT", "/api/user/", { id: userId, quota: to });
  await setQuota(quota);
  const owner = await signIn(url, username, PASSWORD);
  const issued = await addKey(owner, { remain_quota: quota, ...token });
  return {
    ...issued,
    username,
    userId,
    owner,
    figures: () => readFigures(root, owner, userId, issued.id),
    usage: () => readUsage(root, `username=${username}`),
    async topUp(to) {
      await setQuota(to);
      await owner.data("PUT", "/api/token/", { id: issued.id, remain_quota: to });
    },
  };
};

/** Starts the product and a fake upstream. */
export const startStage = async (env: Record<string, string> = {}): Promise<Stage> => {
  const [server, upstream] = await Promise.all([startServer({ env }), startFakeUpstream()]);
  const root = await signInAsRoot(server.url);
  await keepContractRatio(root);
  return {
    server,
    upstream,
    root,
    addAccount: (username, quota, token) => addAccount(server.url, root, username, quota, token),
    async setOption(key, value) {
      await root.data("PUT", "/api/option/", { key, value });
    },
    async close() {
      await server.stop();
      await upstream.close();
    },
  };
};
