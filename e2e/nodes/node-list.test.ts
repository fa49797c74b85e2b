import type { Node } from "@tollgate/contract/api/nodes";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, addAccount, type Session, signIn } from "../api/relay/stage";
import { answerAsAsked, send } from "./client-book";
import { continueProcess, ROOT_PASSWORD, type Site, startSite } from "./site";

/* What real nodes tell of themselves, and what the others say of one that says nothing more. */

let site: Site;
let account: Account;
/** Root's sessions, each at a node of its own. */
let roots: Session[];

beforeAll(async () => {
  site = await startSite({ nodes: 2 });
  answerAsAsked(site.upstream, 0);
  account = await addAccount(site.balancer.url, site.root, "somebody", 1_000_000, { remain_quota: 500_000 });
  roots = await Promise.all(site.nodes.map(({ url }) => signIn(url, "root", ROOT_PASSWORD)));
});

afterAll(() => site?.close());

/** The nodes, as one of them says. */
const nodesOf = (answering: number): Promise<Node[]> => {
  const root = roots[answering];
  if (!root) throw new Error(`there is no node ${answering}`);
  return root.data<Node[]>("GET", "/api/node");
};

/** A node as the other one says. */
const other = async (name: string): Promise<Node | undefined> =>
  (await nodesOf(name === "node-0" ? 1 : 0)).find((node) => node.name === name);

const ask = (index: number) =>
  send(site.nodes[index]?.url ?? "", { key: account.key, input: 10, output: 10 });

it("each node says who they are, and which of them answers", async () => {
  for (const answering of [0, 1]) {
    const namesSeen = async () => (await nodesOf(answering)).map(({ name }) => name).sort();
    // On a busy machine a node may miss its lease while it starts, and be listed twice until the first one is over.
    await expect.poll(namesSeen).toEqual(["node-0", "node-1"]);
    const nodes = await nodesOf(answering);
    expect(nodes.find((node) => node.is_this)?.name).toBe(`node-${answering}`);
    for (const [index, { url }] of site.nodes.entries()) {
      const node = nodes.find(({ name }) => name === `node-${index}`);
      expect(node).toMatchObject({ state: "live", version: PRODUCT_VERSION, redis_connections: 1 });
      expect(node?.database_connections).toBeGreaterThan(0);
      // One that has just joined told its address with the next renewal.
      await expect.poll(async () => (await other(`node-${index}`))?.address).toBe(new URL(url).host);
    }
  }
});

it("a node that starts, and runs its periodic jobs, reports no failure", () => {
  for (const { stderr } of site.nodes)
    expect(stderr.split("\n").filter((line) => /"level":(?:40|50|60)/.test(line))).toEqual([]);
});

it("the work and leases of a node are visible on the other one within two renewals", async () => {
  for (let time = 0; time < 3; time += 1) expect(await ask(1)).toMatchObject({ kind: "whole" });
  await expect
    .poll(() => other("node-1"))
    .toMatchObject({ recent_requests: 3, active_requests: 0, leased_users: 1, leased_keys: 1 });
  expect((await other("node-1"))?.leased_quota).toBeGreaterThan(0);
  expect((await other("node-0"))?.leased_users).toBe(0);
  expect((await other("node-1"))?.feed_lag_ms).toBeLessThan(1000);
});

it("a node that says nothing more is silent, is gone when its time is over, and comes back as another one", async () => {
  const { pid = 0 } = site.nodes[1] ?? {};
  const before = await other("node-1");
  process.kill(pid, "SIGSTOP");
  try {
    let seen: Node | undefined;
    const state = async () => {
      seen = await other("node-1");
      return seen?.state;
    };
    await expect.poll(state).toBe("silent");
    expect(seen?.silent_ms).toBeGreaterThan(6000);
    await expect.poll(() => other("node-1")).toBeUndefined();
  } finally {
    continueProcess(pid);
  }
  await expect.poll(async () => (await other("node-1"))?.state).toBe("live");
  expect((await other("node-1"))?.id).toBeGreaterThan(before?.id ?? 0);
});

it("a node that stops is leaving until its requests have ended, and then gone", async () => {
  // Longer than until it tells of itself again.
  answerAsAsked(site.upstream, 4000);
  const asked = ask(1);
  await expect.poll(async () => (await nodesOf(1)).find((node) => node.is_this)?.active_requests).toBe(1);
  const stopped = site.nodes[1]?.stop();
  await expect.poll(async () => (await other("node-1"))?.state).toBe("leaving");
  expect(await asked).toMatchObject({ kind: "whole" });
  expect(await stopped).toBe(0);
  expect(await other("node-1")).toBeUndefined();
});

it("a call says that the database does not answer, and is answered when it is back", async () => {
  const ask = async () => {
    const { cookie } = roots[0] as Session;
    const answer = await fetch(`${site.nodes[0]?.url}/api/node`, {
      headers: { cookie, "accept-language": "en" },
    });
    const { success, message } = (await answer.json()) as { success: boolean; message: string };
    return { status: answer.status, wait: answer.headers.get("retry-after"), success, message };
  };
  await site.postgres.stop();
  await expect.poll(ask).toEqual({
    status: 503,
    wait: "2",
    success: false,
    message: expect.stringMatching(
      /^The database does not answer; try again in a moment \(request id: \w+\)$/,
    ),
  });
  await site.postgres.start();
  await expect.poll(ask).toMatchObject({ status: 200, success: true });
});
