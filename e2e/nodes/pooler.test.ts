import { createRandom } from "@tollgate/testkit/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount } from "../api/relay/stage";
import { answerAsAsked, ClientBook, send, startLoad } from "./client-book";
import { findFaults } from "./database-book";
import { type Site, startSite } from "./site";

/*
 * Three nodes behind PgBouncer, with the settings of the guide (docs/guides/several-nodes.md), in both kinds of pooling.
 */

const CLIENTS = 8;
const QUOTA = 50_000_000;

describe.each(["transaction", "session"] as const)("nodes behind a pooler of %ss", (pooling) => {
  const random = createRandom(1);
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

  it("serve and charge what costs something, each of them", async () => {
    for (const { url } of site.nodes)
      for (let i = 0; i < 3; i += 1) {
        const outcome = await send(url, { key: account.key, input: 2, output: 3, isStream: i === 1 });
        book.outcomes.push(outcome);
        expect(outcome).toMatchObject({ kind: "whole" });
      }
    await expect.poll(() => findFaults(site, book)).toEqual([]);
  });
});
