import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Connection } from "../dialects/sqlite";

/** One settled request: what is taken from whom, and the log line that explains it. */
export interface Charge {
  requestId: string;
  userId: number;
  tokenId: number;
  channelId: number;
  /** Quota taken from the user, and from the token unless it is unlimited. */
  quota: number;
  isTokenUnlimited: boolean;
  /** Unix seconds. */
  createdAt: number;
  username: string;
  tokenName: string;
  modelName: string;
  promptTokens: number;
  completionTokens: number;
  content: string;
  /** False while the option LogConsumeEnabled is off. */
  isLogged: boolean;
}

/**
 * Charges as one text for the way to the storage thread: a thread's messages are copied value by value, and one text is
 * copied several times as fast as many objects.
 */
export const encodeCharges = (charges: Charge[]): string => JSON.stringify(charges);

interface Sum {
  quota: number;
  limitedQuota: number;
  count: number;
  lastAt: number;
}

const addTo = (sums: Map<number, Sum>, id: number, charge: Charge): void => {
  let sum = sums.get(id);
  if (!sum) {
    sum = { quota: 0, limitedQuota: 0, count: 0, lastAt: 0 };
    sums.set(id, sum);
  }
  sum.quota += charge.quota;
  if (!charge.isTokenUnlimited) sum.limitedQuota += charge.quota;
  sum.count += 1;
  sum.lastAt = Math.max(sum.lastAt, charge.createdAt);
};

/** The group commit of the relay: prepared by hand, because it runs for every request. */
export const chargeWrites = (connection: Connection) => {
  const takeFromUser = connection.prepare(
    "UPDATE users SET quota = quota - ?, used_quota = used_quota + ?, request_count = request_count + ? WHERE id = ?",
  );
  const takeFromToken = connection.prepare(
    "UPDATE tokens SET remain_quota = remain_quota - ?, used_quota = used_quota + ?, accessed_time = ? WHERE id = ?",
  );
  const addToChannel = connection.prepare("UPDATE channels SET used_quota = used_quota + ? WHERE id = ?");
  const insertLog = connection.prepare(
    `INSERT INTO logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
       completion_tokens, channel_id, request_id) VALUES (?, ?, ${LOG_CONSUME}, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    /**
     * Stores charges in one transaction, all or none. Balances are changed once per user, token and channel, however
     * many charges there are.
     * @param encoded as encodeCharges gives them.
     */
    commit(encoded: string): void {
      const charges = JSON.parse(encoded) as Charge[];
      const users = new Map<number, Sum>();
      const tokens = new Map<number, Sum>();
      const channels = new Map<number, Sum>();
      connection.exec("BEGIN IMMEDIATE");
      try {
        for (const charge of charges) {
          addTo(users, charge.userId, charge);
          addTo(tokens, charge.tokenId, charge);
          addTo(channels, charge.channelId, charge);
          if (charge.isLogged) {
            insertLog.run(
              charge.userId,
              charge.createdAt,
              charge.content,
              charge.username,
              charge.tokenName,
              charge.modelName,
              charge.quota,
              charge.promptTokens,
              charge.completionTokens,
              charge.channelId,
              charge.requestId,
            );
          }
        }
        for (const [id, sum] of users) takeFromUser.run(sum.quota, sum.quota, sum.count, id);
        for (const [id, sum] of tokens) takeFromToken.run(sum.limitedQuota, sum.quota, sum.lastAt, id);
        for (const [id, sum] of channels) addToChannel.run(sum.quota, id);
        connection.exec("COMMIT");
      } catch (error) {
        connection.exec("ROLLBACK");
        throw error;
      }
    },
  };
};
