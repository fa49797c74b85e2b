import type { SignedIn } from "@tollgate/demo/api-client";
import { addApiKey, addUser } from "@tollgate/demo/build-world";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { type Credentials, callApi, signIn, succeed } from "./client";
import { openStoredData, type StoredData } from "./database";
import type { OpenApiDocument } from "./openapi-check";
import type { RowWorld } from "./row-runner";

/** All users' but root's. */
export const PASSWORD = "password-1";

/** A person with an account. */
export type Person = SignedIn & { id: number; username: string };

/** A server with people in every role, and everything that rows need. */
export interface ManagementWorld extends RowWorld {
  server: ServerProcess;
  stored: StoredData;
  root: SignedIn;
  admin: Person;
  user: Person;
  other: Person;
  secrets: string[];
  /** Adds an ordinary user who is signed in. */
  newUser(more?: Record<string, unknown>): Promise<Person>;
  /** Adds an administrator who is signed in. */
  newAdmin(): Promise<Person>;
  stop(): Promise<void>;
}

/**
 * Starts a server and fills it: `admin`, `user`, `other` (another ordinary user), `banned`, and a key of each of the two
 * users (`{userApiKey}`, `{otherApiKey}`). "fresh …" is the same person with a sign-in of its own, "passing …" a new
 * account each time.
 */
export const startManagementWorld = async (env: Record<string, string> = {}): Promise<ManagementWorld> => {
  const server = await startServer({ env: { LOG_LEVEL: "error", ...env } });
  const { url } = server;
  const root = await signIn(url, "root", "123456");
  // The invite code is made when it is first asked for.
  await succeed(root.api("GET", "/api/user/aff"));
  await keepContractRatio(root);
  const stored = openStoredData(server.dataDir);
  let serial = 0;

  const named = (username: string, more: Record<string, unknown> = {}): Promise<Person> =>
    addUser(root, (name, password) => signIn(url, name, password), username, { ...more, password: PASSWORD });
  const newUser = (more?: Record<string, unknown>): Promise<Person> => {
    serial += 1;
    return named(`person-${serial}`, more);
  };
  const manage = (username: string, action: string): Promise<unknown> =>
    succeed(root.api("POST", "/api/user/manage", { username, action }));
  const newAdmin = async (): Promise<Person> => {
    const person = await newUser();
    await manage(person.username, "promote");
    return person;
  };

  const admin = await named("admin");
  await manage("admin", "promote");
  const user = await named("user");
  const other = await named("other");
  const banned = await named("banned");
  await manage("banned", "disable");
  const userApiKey = await addApiKey(user, { name: "mine" });
  const otherApiKey = await addApiKey(other, { name: "theirs" });

  const cookieOf =
    ({ cookie }: SignedIn) =>
    (): Credentials => ({ cookie });
  const freshly = (username: string, password: string) => (): Promise<Credentials> =>
    signIn(url, username, password);

  return {
    url,
    server,
    stored,
    root,
    admin,
    user,
    other,
    callers: {
      guest: () => ({}),
      user: cookieOf(user),
      other: cookieOf(other),
      admin: cookieOf(admin),
      root: cookieOf(root),
      banned: cookieOf(banned),
      "fresh user": freshly("user", PASSWORD),
      "fresh admin": freshly("admin", PASSWORD),
      "fresh root": freshly("root", "123456"),
      "passing user": async () => ({ cookie: (await newUser()).cookie }),
      "passing admin": async () => ({ cookie: (await newAdmin()).cookie }),
    },
    names: {
      rootId: 1,
      adminId: admin.id,
      userId: user.id,
      otherId: other.id,
      bannedId: banned.id,
      userApiKey: userApiKey.id,
      otherApiKey: otherApiKey.id,
      nobody: 999_999,
    },
    document: (await callApi(url, "GET", "/api/openapi.json")).body as unknown as OpenApiDocument,
    snapshot: stored.snapshot,
    secrets: [],
    newUser,
    newAdmin,
    async stop() {
      stored.close();
      await server.stop();
    },
  };
};
