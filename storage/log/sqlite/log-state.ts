import type { Connection } from "../../sqlite/connection";
import type { StateKey } from "../sql/log-state";

export const readState = (connection: Connection, key: StateKey): number => {
  const row = connection.prepare("SELECT value FROM state WHERE key = ?").get(key);
  return row === undefined ? 0 : (row as { value: number }).value;
};

export const writeState = (connection: Connection, key: StateKey, value: number): void => {
  connection
    .prepare("INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
    .run(key, value);
};
