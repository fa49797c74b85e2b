import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { storableText } from "../../postgres/storable-text";
import { insertRows } from "./insert-rows";
import { takeLock } from "./log-locks";

/** Leaves rows alone that are there already. */
const KEEP_KNOWN = "DO NOTHING";

export interface Payer {
  userId: number;
  username: string;
  tokenId: number;
  tokenName: string;
}

/** A payer under the names that it will be found by. */
export const payerOf = ({ userId, username, tokenId, tokenName }: Payer): Payer => ({
  userId,
  username: storableText(username),
  tokenId,
  tokenName: storableText(tokenName),
});

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/**
 * Numbers under which things are stored, by their keys; those that have none yet are given one.
 * @param find gives the numbers of those that have one. @param add gives one to the others, also while another node does so.
 */
const numbersOf = async <Thing>(
  transaction: Kysely<unknown>,
  things: ReadonlyMap<string, Thing>,
  find: (wanted: readonly (readonly [string, Thing])[]) => Promise<Map<string, number>>,
  add: (missing: readonly (readonly [string, Thing])[]) => Promise<void>,
): Promise<Map<string, number>> => {
  const known = await find([...things]);
  const missing = [...things].filter(([key]) => !known.has(key));
  if (missing.length === 0) return known;
  // Otherwise two nodes that add the same things in another order would wait for each other.
  await takeLock(transaction, "numbers");
  await add(missing);
  return new Map([...known, ...(await find(missing))]);
};

/** The numbers of texts, by the texts. */
export const textNumbers = async (
  transaction: Kysely<unknown>,
  table: "models" | "contents" | "price_shapes",
  texts: readonly string[],
): Promise<Map<string, number>> => {
  const byHash = new Map(texts.map((text) => [hashOf(text), text]));
  const numbers = await numbersOf(
    transaction,
    byHash,
    async (wanted) => {
      const { rows } = await sql<{ id: number; hash: string }>`
        SELECT id, hash FROM ${sql.table(table)} WHERE hash = ANY(${wanted.map(([hash]) => hash)}::text[])`.execute(
        transaction,
      );
      return new Map(rows.map(({ id, hash }) => [hash, id]));
    },
    (missing) => {
      const types = { hash: "text", [table === "models" ? "name" : "text"]: "text" };
      return insertRows(transaction, table, types, missing, KEEP_KNOWN);
    },
  );
  return new Map([...numbers].map(([hash, id]) => [byHash.get(hash) ?? "", id]));
};

export const keyOf = ({ userId, tokenId, username, tokenName }: Payer): string =>
  JSON.stringify([userId, tokenId, username, tokenName]);

interface PayerRow {
  id: number;
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
}

/** The numbers of payers, by their keys. */
export const payerNumbers = (
  transaction: Kysely<unknown>,
  payers: readonly Payer[],
): Promise<Map<string, number>> =>
  numbersOf(
    transaction,
    new Map(payers.map((payer) => [keyOf(payer), payer])),
    async (wanted) => {
      const { rows } = await sql<PayerRow>`
        SELECT payers.id, payers.user_id, payers.username, payers.token_id, payers.token_name FROM payers
        JOIN unnest(${wanted.map(([, { userId }]) => userId)}::bigint[],
          ${wanted.map(([, { tokenId }]) => tokenId)}::bigint[], ${wanted.map(([, { username }]) => username)}::text[],
          ${wanted.map(([, { tokenName }]) => tokenName)}::text[])
          AS wanted (user_id, token_id, username, token_name)
        USING (user_id, token_id, username, token_name)`.execute(transaction);
      return new Map(
        rows.map(({ id, user_id, username, token_id, token_name }) => [
          keyOf({ userId: user_id, username, tokenId: token_id, tokenName: token_name }),
          id,
        ]),
      );
    },
    (missing) =>
      insertRows(
        transaction,
        "payers",
        { user_id: "bigint", token_id: "bigint", username: "text", token_name: "text" },
        missing.map(([, { userId, tokenId, username, tokenName }]) => [userId, tokenId, username, tokenName]),
        KEEP_KNOWN,
      ),
  );

/** So many numbers of a sequence, in their order. */
export const nextNumbers = async (
  transaction: Kysely<unknown>,
  sequence: "log_ids" | "receipt_ids",
  count: number,
): Promise<number[]> => {
  if (count === 0) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(${sequence}::regclass) AS id FROM generate_series(1, ${count}::int)`.execute(transaction);
  return rows.map(({ id }) => id);
};
