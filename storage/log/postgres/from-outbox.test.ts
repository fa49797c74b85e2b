import { expect, it } from "vitest";
import { encodeCharges } from "../../accounts/charges";
import { openAccounts } from "../../accounts/postgres/open-accounts";
import { takeOutboxRows } from "../../accounts/postgres/outbox.repository";
import type { Tables } from "../../accounts/sql/tables";
import { createSecrets } from "../../secrets";
import { newDatabase } from "../../testing/new-database";
import { MASTER_KEY, newCharge, newToken, newUser } from "../../testing/sample-records";
import { openLog } from "./open-log";

it("each charge has its line once, whichever nodes charge, take over, and fail at it", async () => {
  const address = await newDatabase();
  const accounts = await Promise.all([1, 2].map(() => openAccounts(address, createSecrets(MASTER_KEY))));
  const logs = await Promise.all([1, 2].map(() => openLog(address, { all: () => [] })));
  const { changes } = accounts[0] as (typeof accounts)[0];
  const { user } = await changes.users.create(newUser({ quota: 100_000 }), 0, []);
  const { token } = await changes.tokens.create(newToken(user.id, { remainQuota: 100_000 }));
  let isCharging = true;
  const charging = Promise.all(
    accounts.map(async ({ charges }, node) => {
      for (let index = 0; index < 40; index += 1)
        await charges.commit(
          ...encodeCharges([
            newCharge({ requestId: `${node}-${index}`, userId: user.id, tokenId: token.id, quota: index }),
          ]),
        );
    }),
  ).finally(() => {
    isCharging = false;
  });
  let turns = 0;
  const taking = logs.map(async (log) => {
    for (let taken = 1; isCharging || taken > 0; ) {
      turns += 1;
      const fails = turns % 5 === 0;
      taken = await log
        .takeOver(async (transaction) => {
          const rows = await takeOutboxRows(transaction.withTables<Pick<Tables, keyof Tables>>(), 3);
          if (fails) throw new Error("the node ends here");
          return rows;
        })
        .catch(() => 1);
    }
  });
  await Promise.all([charging, ...taking]);
  const lines = await logs[0]?.queries.logs.page({}, 0, 1000);
  expect(new Set(lines?.map(({ requestId }) => requestId)).size).toBe(80);
  expect(lines).toHaveLength(80);
  const used = await accounts[0]?.queries.users.find(user.id);
  expect(used).toMatchObject({ usedQuota: 2 * 780, quota: 100_000 - 2 * 780 });
  expect(await logs[1]?.queries.usage.consumedQuota({}, 10 ** 10)).toBe(2 * 780);
  for (const { close } of [...accounts, ...logs]) await close();
});
