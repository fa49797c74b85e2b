import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount } from "../api/relay/stage";
import { runTollgate } from "../run-tollgate";
import { answerAsAsked, ClientBook, send, startLoad } from "./client-book";
import { findFaults } from "./database-book";
import { type Site, startSite } from "./site";

/*
 * Three nodes behind PgBouncer, with the settings of the guide (docs/guides/several-nodes.md), in both kinds of pooling.
 */

const CLIENTS = 8;
const QUOTA = 50_000_000;

describe.each(["transaction", "session"] as const)("nodes behind a pooler of %ss", (pooling) => {
  let site: Site;
  let book: ClientBook;
  let account: Account;

  beforeAll(async () => {
    site = await startSite({ nodes: 3, pooling });
    answerAsAsked(site.upstream, 3);
    account = await addAccount(site.balancer.url, site.root, "behind", QUOTA, { unlimited_quota: true });
    book = new ClientBook();
  });
  afterAll(() => site?.close());

  const areReady = (): Promise<boolean[]> =>
    Promise.all(site.nodes.map(async ({ url }) => (await fetch(`${url}/readyz`)).ok));

  const agree = () => expect.poll(() => findFaults(site, book).catch(String), { interval: 200 }).toEqual([]);

  /** Waits until clients have got so many more whole answers. */
  const served = async (count: number): Promise<void> => {
    const target = book.of("whole").length + count;
    await expect
      .poll(() => book.of("whole").length, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(target);
  };

  it("serve and charge priced requests, each of them", async () => {
    for (const { url } of site.nodes)
      for (const isStream of [false, true]) {
        const outcome = await send(url, { key: account.key, input: 2, output: 3, isStream });
        book.outcomes.push(outcome);
        expect(outcome).toMatchObject({ kind: "whole" });
      }
    await agree();
  });

  it("give a user all of a balance, whichever node is asked, and take it back from each other", async () => {
    const user = await addAccount(site.balancer.url, site.root, "few", 400, { unlimited_quota: true });
    for (const { url } of site.nodes) {
      const outcome = await send(url, { key: user.key, input: 3, output: 60 });
      book.outcomes.push(outcome);
      expect(outcome).toMatchObject({ kind: "whole" });
    }
    const { quota } = await site.root.data<{ quota: number }>("GET", `/api/user/${user.userId}`);
    expect(quota).toBe(400 - 3 * 93);
    for (const { stderr } of site.nodes) expect(stderr).not.toContain("swallows");
    await agree();
  });

  it("hear of each other's changes", async () => {
    const banned = await addAccount(site.balancer.url, site.root, "banned", QUOTA);
    const ask = { key: banned.key, input: 1, output: 1 };
    for (const { url } of site.nodes) {
      const outcome = await send(url, ask);
      book.outcomes.push(outcome);
      expect(outcome).toMatchObject({ kind: "whole" });
    }
    await site.root.data("POST", "/api/user/manage", { username: "banned", action: "disable" });
    for (const { url } of site.nodes)
      await expect
        .poll(async () => {
          const outcome = await send(url, ask);
          book.outcomes.push(outcome);
          return outcome.kind;
        })
        .toBe("refused");
  });

  it("go on after a node was killed, and after the pooler was killed and came back, under load", async () => {
    const load = startLoad(site.balancer.url, book, CLIENTS, () => ({
      key: account.key,
      input: 3,
      output: 9,
    }));
    try {
      await served(40);
      await site.nodes[0]?.kill();
      await served(40);
      await site.startNode(0);
      await site.pooler?.stop();
      await expect.poll(areReady, { interval: 200 }).toEqual([false, false, false]);
      await site.pooler?.start();
      await expect.poll(areReady, { interval: 200 }).toEqual([true, true, true]);
      await served(40);
    } finally {
      await load.stop();
    }
    await agree();
  });

  it("end in good order, are copied by a backup and passed by the doctor", async () => {
    expect(await Promise.all(site.nodes.map((node) => node.stop()))).toEqual([0, 0, 0]);
    const file = `${site.nodes[0]?.dataDir}/backup.tar`;
    expect(await runTollgate(["backup", file], site.env)).toMatchObject({ status: 0 });
    await agree();
  });
});
