import type { SchemaPart } from "../../../sql/schema-part";

export const KEY_NETWORKS = {
  tables: {
    /** Networks from which a key was used lately; their names cannot be read from here. */
    key_networks: {
      columns: {
        token_id: "INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE",
        /** Keyed hash of the key's number and the network, so that no two keys can be compared. */
        network_hash: "TEXT NOT NULL",
        /** Begin of the first and of the last hour in which it was used, unix seconds. */
        first_hour: "INTEGER NOT NULL",
        last_hour: "INTEGER NOT NULL",
        /** Requests in the last hour. */
        requests: "INTEGER NOT NULL",
      },
      constraints: ["PRIMARY KEY (token_id, network_hash)"],
      indexes: { key_networks_first: "(first_hour)", key_networks_last: "(last_hour)" },
      isWithoutRowId: true,
    },
  },
} as const satisfies SchemaPart;
