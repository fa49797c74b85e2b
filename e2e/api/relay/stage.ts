import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import type { LogWire } from "@tollgate/contract/api/logs";
import type { UserWire } from "@tollgate/contract/api/user";
import { type SignedIn, signIn as signInOnServer } from "@tollgate/demo/api-client";
import { addApiKey, addChannel as addChannelOfServer, addUser, demand } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";

/** The management API as a person who is signed in. */
export interface Session extends SignedIn {
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

const LOG_TYPE_CONSUME = 2;

const sessionOf = (person: SignedIn): Session => ({
  ...person,
  data: async <T>(method: string, path: string, body?: Record<string, unknown>): Promise<T> =>
    (await demand(person.api(method, path, body))) as T,
});

/** @throws Error when the name or the password is refused. */
export const signIn = async (url: string, username: string, password: string): Promise<Session> =>
  sessionOf(await signInOnServer(url, username, password));

export const signInAsRoot = (url: string): Promise<Session> => signIn(url, "root", "123456");

/** Adds a channel with one model unless it says otherwise. @returns its id. */
export const addChannel = (root: Session, channel: Record<string, unknown>): Promise<number> =>
  addChannelOfServer(root, { models: "gpt-3.5-turbo", ...channel });

/** Makes a key. */
export const addKey = async (owner: Session, token: Record<string, unknown>): Promise<IssuedKey> => {
  const { id, key } = await addApiKey(owner, { name: "laptop", ...token });
  return { id, key: `sk-${key}` };
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
    owner.data<ApiKeyWire>("GET", `/api/token/${tokenId}`),
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
  const person = await addUser(root, (name, password) => signIn(url, name, password), username, { quota });
  const owner = sessionOf(person);
  const userId = person.id;
  const issued = await addKey(owner, { remain_quota: quota, ...token });
  return {
    ...issued,
    username,
    userId,
    owner,
    figures: () => readFigures(root, owner, userId, issued.id),
    usage: () => readUsage(root, `username=${username}`),
    async topUp(to) {
      await root.data("PUT", "/api/user/", { id: userId, quota: to });
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
