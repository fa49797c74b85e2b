import type { AccountId, BookedCharge, LeaseRecall } from "@tollgate/contract/records/lease";
import pg from "pg";
import { decodeEntries, type RequestEntry } from "../../outbox/log-entry";
import { createSecrets } from "../../secrets";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { MASTER_KEY, newCharge, newToken, newUser } from "../../testing/sample-records";
import type { ChargeEntry } from "../node-ports";
import { openAccounts } from "../postgres/open-accounts";
import { type OpenLeases, openLeases } from "../postgres/open-leases";

/** Longer than a test: no node's time is over by itself. */
const NODE_LIFE_MS = 1_000_000;

/**
 * At the end of each transaction, over what it changed: all that was granted is in the balance, leased or settled. Its accounts
 * are locked then, so no other transaction changes the rows that are added up.
 */
const CHECK_AT_COMMIT = `
CREATE FUNCTION check_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE who BIGINT := CASE TG_TABLE_NAME WHEN 'users' THEN (to_jsonb(NEW) ->> 'id')::bigint
  ELSE (to_jsonb(coalesce(NEW, OLD)) ->> 'user_id')::bigint END;
BEGIN
  IF EXISTS (SELECT 1 FROM users WHERE id = who AND granted_quota <> quota + used_quota
      + (SELECT coalesce(sum(quota), 0) FROM user_leases WHERE user_id = who))
  THEN RAISE EXCEPTION 'user % is not what was granted', who; END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION check_token() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE which BIGINT := CASE TG_TABLE_NAME WHEN 'tokens' THEN (to_jsonb(NEW) ->> 'id')::bigint
  ELSE (to_jsonb(coalesce(NEW, OLD)) ->> 'token_id')::bigint END;
BEGIN
  IF EXISTS (SELECT 1 FROM tokens WHERE id = which AND granted_quota <> remain_quota + taken_quota
      + (SELECT coalesce(sum(quota), 0) FROM token_leases WHERE token_id = which))
  THEN RAISE EXCEPTION 'key % is not what was granted', which; END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER check_users AFTER INSERT OR UPDATE ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_user();
CREATE CONSTRAINT TRIGGER check_user_leases AFTER INSERT OR UPDATE OR DELETE ON user_leases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_user();
CREATE CONSTRAINT TRIGGER check_tokens AFTER INSERT OR UPDATE ON tokens
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_token();
CREATE CONSTRAINT TRIGGER check_token_leases AFTER INSERT OR UPDATE OR DELETE ON token_leases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_token();
`;

/** What an account has, and what nodes lease of it, by epoch. */
export interface Balance {
  quota: number;
  granted: number;
  settled: number;
  leases: { epoch: number; quota: number }[];
}

/** A database with accounts, which refuses to commit what does not add up. */
export interface LeasesUnderTest extends Omit<OpenLeases, "connections"> {
  readonly address: string;
  /** Recalls that were committed, or would have been. */
  readonly recalls: LeaseRecall[];
  balances(): Promise<Map<AccountId, Balance>>;
  /** What the log was told of, oldest first. */
  lines(): Promise<RequestEntry[]>;
  /** As if a node had been silent for too long. */
  silence(epoch: number): Promise<void>;
}

/** What the log says of a charge; channel 1 and key 1 unless said. */
export const entryOf = ({ charged: _ }: Pick<BookedCharge, "charged">): ChargeEntry => {
  const { requestId, userId, quota, count, tokenQuota, ...entry } = newCharge();
  return entry;
};

/** @param balances of users 1, 2 … and keys 1, 2 …, in that order. */
export const newLeaseDatabase = async (
  balances: readonly (readonly [AccountId, number])[],
): Promise<LeasesUnderTest> => {
  const address = await newDatabase();
  const accounts = await openAccounts(address, createSecrets(MASTER_KEY));
  for (const [id, quota] of balances)
    await (id.startsWith("user")
      ? accounts.changes.users.create(newUser({ username: id, affCode: id, quota }), 0, [])
      : accounts.changes.tokens.create(newToken(1, { key: id, remainQuota: quota })));
  await accounts.close();
  await askDatabase(address, CHECK_AT_COMMIT);
  // One connection, because it is asked after each step.
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const ask = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  const recalls: LeaseRecall[] = [];
  const { leases, nodes, close } = openLeases(address, NODE_LIFE_MS, async (_, recall) => {
    recalls.push(recall);
  });
  return {
    address,
    recalls,
    leases,
    nodes,
    async close() {
      await client.end();
      await close();
    },
    async balances() {
      const rows = await ask(
        `SELECT 'user:' || id AS id, quota::int, granted_quota::int AS granted, used_quota::int AS settled,
           (SELECT coalesce(json_agg(json_build_object('epoch', epoch, 'quota', quota) ORDER BY epoch), '[]'::json)
            FROM user_leases WHERE user_id = users.id AND quota > 0) AS leases FROM users
         UNION ALL SELECT 'key:' || id, remain_quota::int, granted_quota::int, taken_quota::int,
           (SELECT coalesce(json_agg(json_build_object('epoch', epoch, 'quota', quota) ORDER BY epoch), '[]'::json)
            FROM token_leases WHERE token_id = tokens.id AND quota > 0) FROM tokens`,
      );
      return new Map(rows.map(({ id, ...balance }) => [id as AccountId, balance as unknown as Balance]));
    },
    async lines() {
      const lines: RequestEntry[] = [];
      for (const { batch } of await ask("SELECT batch FROM outbox ORDER BY id"))
        decodeEntries(
          String(batch),
          (entry) => lines.push(entry),
          () => {},
        );
      return lines;
    },
    async silence(epoch) {
      await askDatabase(
        address,
        `UPDATE nodes SET expires_at = now() - interval '1 second',
           heard_at = heard_at - (expires_at - now()) - interval '1 second' WHERE epoch = ${epoch}`,
      );
    },
  };
};
