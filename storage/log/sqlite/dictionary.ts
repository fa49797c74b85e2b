import type { Connection } from "../../sqlite/connection";

/** Who pays: a user with a key, under the names that they had then; token −1 for lines about the account itself. */
export interface Payer {
  userId: number;
  username: string;
  tokenId: number;
  tokenName: string;
}

/** The numbers under which texts are stored in lines. */
export interface Dictionary {
  payer(payer: Payer): number;
  model(name: string): number;
  content(text: string): number;
  shape(text: string): number;
  /** Clears the cache, after a transaction that was rolled back or texts that were deleted. */
  forget(): void;
}

/** How many entries of each kind are remembered. */
const REMEMBERED = 50_000;

/** Finds the number of each text, and adds missing texts. */
export const createDictionary = (connection: Connection): Dictionary => {
  const createLookUp = (select: string, insert: string) => {
    const find = connection.prepare(select);
    const add = connection.prepare(insert);
    const known = new Map<string, number>();
    const lookUp = (key: string, values: (string | number)[]): number => {
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const row = find.get(...values) as { id: number } | undefined;
      const id = row?.id ?? Number(add.run(...values).lastInsertRowid);
      if (known.size >= REMEMBERED) known.clear();
      known.set(key, id);
      return id;
    };
    return { lookUp, forget: () => known.clear() };
  };
  const payers = createLookUp(
    "SELECT id FROM payers WHERE user_id = ? AND token_id = ? AND username = ? AND token_name = ?",
    "INSERT INTO payers (user_id, token_id, username, token_name) VALUES (?, ?, ?, ?)",
  );
  const models = createLookUp("SELECT id FROM models WHERE name = ?", "INSERT INTO models (name) VALUES (?)");
  const contents = createLookUp(
    "SELECT id FROM contents WHERE text = ?",
    "INSERT INTO contents (text) VALUES (?)",
  );
  const shapes = createLookUp(
    "SELECT id FROM price_shapes WHERE text = ?",
    "INSERT INTO price_shapes (text) VALUES (?)",
  );
  /** The payer of each key's last line, which hardly ever has other names. */
  const last = new Map<number, Payer & { id: number }>();
  return {
    payer({ userId, username, tokenId, tokenName }) {
      const known = last.get(tokenId);
      if (known?.userId === userId && known.username === username && known.tokenName === tokenName)
        return known.id;
      const id = payers.lookUp(`${userId}\n${tokenId}\n${username}\n${tokenName}`, [
        userId,
        tokenId,
        username,
        tokenName,
      ]);
      if (last.size >= REMEMBERED) last.clear();
      last.set(tokenId, { userId, username, tokenId, tokenName, id });
      return id;
    },
    model: (name) => models.lookUp(name, [name]),
    content: (text) => contents.lookUp(text, [text]),
    shape: (text) => shapes.lookUp(text, [text]),
    forget() {
      last.clear();
      payers.forget();
      models.forget();
      contents.forget();
      shapes.forget();
    },
  };
};
