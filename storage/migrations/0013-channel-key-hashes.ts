import { hashKeys } from "../repositories/channels.repository";
import type { Migration } from "./migration";

/** Channels are found by an exact key, through its keyed hash. */
export const channelKeyHashes: Migration = {
  name: "0013-channel-key-hashes",
  sql: "ALTER TABLE channels ADD COLUMN key_hashes TEXT NOT NULL DEFAULT ''",
  fill(connection, secrets) {
    const rows = connection.prepare("SELECT id, key_sealed FROM channels").all() as {
      id: number;
      key_sealed: string;
    }[];
    const save = connection.prepare("UPDATE channels SET key_hashes = ? WHERE id = ?");
    for (const row of rows) save.run(hashKeys(secrets.open(row.key_sealed), secrets), row.id);
  },
};
