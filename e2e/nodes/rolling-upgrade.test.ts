import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, type Session, signIn } from "../api/relay/stage";
import { buildNextVersion } from "./build-next-version";
import { answerAsAsked, ClientBook, type Load, send, startLoad } from "./client-book";
import { findFaults } from "./database-book";
import { ROOT_PASSWORD, type Site, startSite } from "./site";

/*
 * Nodes are brought to the next version one after another: for a while both run on one database, which has the schema of the new
 * one.
 */

const QUOTA = 10_000_000;
const ASK = { input: 5, output: 7 };

let site: Site;
let account: Account;
let next: string;
let book: ClientBook;
let load: Load;

beforeAll(async () => {
  [site, next] = await Promise.all([startSite({ nodes: 2 }), buildNextVersion()]);
  answerAsAsked(site.upstream, 3);
  account = await addAccount(site.balancer.url, site.root, "alice", QUOTA, { unlimited_quota: true });
  book = new ClientBook();
  let turn = 0;
  load = startLoad(site.balancer.url, book, 6, () => {
    turn += 1;
    return { key: account.key, ...ASK, isStream: turn % 2 === 0 };
  });
});

afterAll(async () => {
  await load?.stop();
  await site?.close();
});

const served = async (count: number): Promise<void> => {
  const target = book.of("whole").length + count;
  await expect.poll(() => book.of("whole").length, { timeout: 30_000, interval: 20 }).toBeGreaterThan(target);
};

/** What one node is told to, both do; and each gives an answer. */
const expectBothToAgree = async (): Promise<void> => {
  const [first, second] = (await Promise.all(
    site.nodes.map(({ url }) => signIn(url, "root", ROOT_PASSWORD)),
  )) as [Session, Session];
  for (const [root, status] of [
    [first, 2],
    [second, 1],
    [second, 2],
    [first, 1],
  ] as const) {
    const user = await addAccount(site.balancer.url, root, `told-${root === first}-${status}`, QUOTA);
    for (const { url } of site.nodes)
      await expect.poll(async () => (await send(url, { key: user.key, ...ASK })).kind).toBe("whole");
    await root.data("POST", "/api/user/manage", { username: user.username, action: "disable" });
    for (const { url } of site.nodes)
      await expect
        .poll(() => send(url, { key: user.key, ...ASK }), { timeout: 2000 })
        .toMatchObject({ code: "user_disabled" });
  }
};

describe("two versions on one database", () => {
  it("serve beside each other from the moment at which the new one is there", async () => {
    await served(50);
    expect(await site.nodes[1]?.stop()).toBe(0);
    await served(20);
    await site.startNode(1, next);
    expect(await site.ask("SELECT * FROM next_version")).toEqual([]);
    await served(100);
  });

  it("hear of each other's changes", expectBothToAgree);

  it("refuse to start an old program, which goes on where it runs", async () => {
    await site.nodes[1]?.stop();
    await expect(site.startNode(1)).rejects.toThrow(/newer/);
    await served(50);
    await site.startNode(1, next);
  });

  it("leave nothing of the old one when the last node was changed, and every answer is charged once", async () => {
    expect(await site.nodes[0]?.stop()).toBe(0);
    await site.startNode(0, next);
    await served(50);
    await load.stop();
    // Only what goes through the balancer is in the book.
    await expect
      .poll(
        async () => (await findFaults(site, book)).filter((fault) => !fault.includes("no client knows")),
        {
          timeout: 20_000,
        },
      )
      .toEqual([]);
    expect(new Set(book.outcomes.map(({ kind }) => kind))).toEqual(new Set(["whole"]));
  });
});
