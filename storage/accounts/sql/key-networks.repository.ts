import type { NewNetworkUse } from "@tollgate/contract/records/key-network";
import { type Kysely, sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { KeyNetworkChanges, KeyNetworkQueries } from "../site-ports";
import type { Tables } from "./tables";

/** Networks of one key. A key with more of them has no usual ones: further ones are not kept, so it is not reported. */
const MAX_NETWORKS = 200;

const HOUR_SECONDS = 3600;

export const keyNetworkReads = (db: Kysely<Tables>): KeyNetworkQueries => ({
  async newUse(hour, knownSince, leastRequests) {
    // A network may have been used first at the end of the hour before.
    const { rows } = await sql<NewNetworkUse>`
      SELECT fresh.token_id AS "keyId", count(*) AS "networks", sum(fresh.requests) AS "requests"
      FROM key_networks AS fresh
      WHERE fresh.first_hour >= ${hour - HOUR_SECONDS} AND fresh.last_hour = ${hour} AND EXISTS (
        SELECT 1 FROM key_networks AS known
        WHERE known.token_id = fresh.token_id AND known.first_hour <= ${knownSince})
      GROUP BY fresh.token_id HAVING sum(fresh.requests) >= ${leastRequests}`.execute(db);
    return rows.map(({ keyId, networks, requests }) => ({
      keyId: Number(keyId),
      networks: Number(networks),
      requests: Number(requests),
    }));
  },
});

export const keyNetworkWrites = (db: Kysely<Tables>, secrets: Secrets): KeyNetworkChanges => ({
  async note(used, hour) {
    await db.transaction().execute(async (transaction) => {
      for (const { keyId, network, requests } of used) {
        const hash = secrets.hash(`network ${keyId} ${network}`);
        // A key that was deleted meanwhile has no row.
        await sql`
          INSERT INTO key_networks (token_id, network_hash, first_hour, last_hour, requests)
          SELECT tokens.id, CAST(${hash} AS TEXT), CAST(${hour} AS BIGINT), CAST(${hour} AS BIGINT),
            CAST(${requests} AS BIGINT)
          FROM tokens WHERE tokens.id = ${keyId} AND (
            (SELECT count(*) FROM key_networks AS kept WHERE kept.token_id = tokens.id) < ${sql.lit(MAX_NETWORKS)}
            OR EXISTS (SELECT 1 FROM key_networks AS kept
              WHERE kept.token_id = tokens.id AND kept.network_hash = ${hash}))
          ON CONFLICT (token_id, network_hash) DO UPDATE SET
            requests = CASE WHEN key_networks.last_hour = excluded.last_hour
              THEN key_networks.requests + excluded.requests ELSE excluded.requests END,
            last_hour = excluded.last_hour`.execute(transaction);
      }
    });
  },

  async removeUnused(before) {
    await db.deleteFrom("key_networks").where("last_hour", "<", before).execute();
  },
});
