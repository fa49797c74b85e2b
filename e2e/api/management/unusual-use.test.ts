import type { AuditEntry } from "@tollgate/contract/api/audit";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, addAccount, addChannel, addKey, type IssuedKey, signIn } from "../relay/stage";
import { saveOptions } from "./client";
import { changeStoredData, openStoredData } from "./database";

/* A key that is used from new networks is reported, and switched off where the site wants that (docs/guides/notices.md). */

const ROOT_PASSWORD = "root-password";
const REQUESTS = 3;
const DAY_SECONDS = 86_400;

let server: ServerProcess;
let upstream: FakeUpstream;
let account: Account;

const start = (dataDir?: string): Promise<ServerProcess> =>
  startServer({
    ...(dataDir === undefined ? {} : { dataDir }),
    // The well-known password does not work through a proxy.
    env: { TRUSTED_PROXIES: "127.0.0.1", INITIAL_ROOT_PASSWORD: ROOT_PASSWORD },
  });

beforeAll(async () => {
  [server, upstream] = await Promise.all([start(), startFakeUpstream()]);
  const root = await signIn(server.url, "root", ROOT_PASSWORD);
  await keepContractRatio(root);
  await addChannel(root, { base_url: upstream.url });
  await saveOptions(root, { UnusualNetworkRequests: String(REQUESTS) });
  account = await addAccount(server.url, root, "traveller", 1_000_000, { unlimited_quota: true });
  await account.owner.data("POST", "/api/user/notice/way", {
    ...{ kind: "bark", events: ["networks-unusual", "key-frozen-networks"] },
    fields: { key: "bark-device-key" },
  });
});

afterAll(async () => {
  await server?.stop();
  await upstream?.close();
});

const ask = async ({ key }: IssuedKey, address: string) => {
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${key}`, "content-type": "application/json", "accept-language": "en" },
      "x-forwarded-for": address,
    },
    body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
  });
  return { status: answer.status, text: await answer.text() };
};

/** Uses a key from a network, and waits until the gateway has stored that. */
const useFrom = async (key: IssuedKey, address: string): Promise<void> => {
  for (let i = 0; i < REQUESTS; i += 1) expect((await ask(key, address)).status).toBe(200);
  const stored = openStoredData(server.dataDir);
  const networks = () => stored.all("SELECT 1 AS one FROM key_networks WHERE token_id = ?", key.id).length;
  await expect.poll(networks, { timeout: 120_000, interval: 500 }).toBe(1);
  stored.close();
};

/** Restarts the gateway, which looks at once for unusual use: the key has a usual network since some days. */
const restartWithPast = async ({ id }: IssuedKey): Promise<void> => {
  const { dataDir } = server;
  // The folder outlives a server that is killed.
  await server.kill();
  const past = Math.floor(Date.now() / 1000) - 3 * DAY_SECONDS;
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  changeStoredData(
    dataDir,
    "UPDATE key_networks SET first_hour = ?, last_hour = ? WHERE network_hash <> 'home'",
    hour,
    hour,
  );
  changeStoredData(
    dataDir,
    "INSERT INTO key_networks (token_id, network_hash, first_hour, last_hour, requests) VALUES (?, 'home', ?, ?, 9)",
    ...[id, past, past],
  );
  server = await start(dataDir);
};

const signInAgain = async () => ({
  root: await signIn(server.url, "root", ROOT_PASSWORD),
  owner: await signIn(server.url, account.username, "password-1"),
});

it("is reported, then frozen by the option with lines of the audit, and its owner thaws it", async () => {
  await useFrom(account, "203.0.113.7");
  await restartWithPast(account);
  const first = await signInAgain();
  const eventsOf = async (owner = first.owner) =>
    (await owner.data<{ event: string }[]>("GET", "/api/user/notice/log")).map(({ event }) => event);
  await expect.poll(() => eventsOf()).toEqual(["networks-unusual"]);
  expect((await ask(account, "203.0.113.7")).status).toBe(200);

  await saveOptions(first.root, { FreezeUnusualKeys: "true" });
  const other = await addKey(first.owner, { name: "other", unlimited_quota: true });
  await useFrom(other, "198.51.100.7");
  await restartWithPast(other);
  const { root, owner } = await signInAgain();
  await expect.poll(() => eventsOf(owner)).toEqual(["key-frozen-networks", "networks-unusual"]);
  const refused = await ask(other, "198.51.100.7");
  expect(refused.status).toBe(401);
  expect(refused.text).toContain("This API key is disabled: enable it in the console");
  // The other key was reported before, and stays on.
  expect((await ask(account, "203.0.113.7")).status).toBe(200);

  await owner.data("PUT", "/api/token/?status_only=true", { id: other.id, status: 1 });
  expect((await ask(other, "198.51.100.7")).status).toBe(200);
  const lines = await root.data<AuditEntry[]>("GET", `/api/audit?action=token&target=${other.id}`);
  expect(lines).toMatchObject([
    { action: "token.enable", username: account.username, beneficiary: account.username },
    { action: "token.disable", user_id: 0, username: "", beneficiary: account.username },
    { action: "token.create", username: account.username },
  ]);
  expect(JSON.parse(lines[1]?.detail ?? "")).toEqual({
    ...{ reason: "networks-unusual", quota: 0, networks: 1, requests: REQUESTS },
  });
  const changes = await owner.data<AuditEntry[]>("GET", `/api/token/${other.id}/changes`);
  expect(changes.map(({ action }) => action)).toEqual(["token.enable", "token.disable", "token.create"]);
});
