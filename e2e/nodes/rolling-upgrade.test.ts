import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, signIn } from "../api/relay/stage";
import { buildNextVersion } from "./build-next-version";
import { answerAsAsked, ClientBook, type Load, type Outcome, send, startLoad } from "./client-book";
import { findBookFaults } from "./database-book";
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
  await expect.poll(() => book.of("whole").length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(target);
};

/** Asks one node, and keeps in the book what came of it. */
const ask = async (url: string, key: string): Promise<Outcome> => {
  const outcome = await send(url, { key, ...ASK });
  book.outcomes.push(outcome);
  return outcome;
};

/** A user is made and banned on one node: both serve it, and neither does any more. */
const expectBothToHear = async (teller: string, username: string): Promise<void> => {
  const root = await signIn(teller, "root", ROOT_PASSWORD);
  const user = await addAccount(teller, root, username, QUOTA);
  for (const { url } of site.nodes) expect((await ask(url, user.key)).kind).toBe("whole");
  await root.data("POST", "/api/user/manage", { username, action: "disable" });
  for (const { url } of site.nodes)
    await expect.poll(() => ask(url, user.key), { interval: 50 }).toMatchObject({ code: "user_disabled" });
};

describe("two versions on one database", () => {
  it("serve beside each other from the moment at which the new one is there", async () => {
    await served(50);
    expect(await site.nodes[1]?.stop()).toBe(0);
    await served(20);
    await site.startNode(1, next);
    expect(await site.ask("SELECT * FROM next_version")).toEqual([]);
    await served(50);
  });

  it("hear of each other's changes", async () => {
    const [old, fresh] = site.nodes;
    await expectBothToHear(old?.url ?? "", "of-old");
    await expectBothToHear(fresh?.url ?? "", "of-new");
  });

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
    await expect.poll(() => findBookFaults(site, book).catch(String)).toEqual([]);
    // Clients noticed nothing but the bans.
    const codes = book.of("refused").map(({ code }) => code);
    expect(codes.filter((code) => code !== "user_disabled")).toEqual([]);
    expect([...book.of("broken"), ...book.of("lost")]).toEqual([]);
  });
});
