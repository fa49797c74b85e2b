import { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import { BALANCE_MOVEMENT_KINDS } from "@tollgate/contract/management/reconciliation";
import { declaredColumns, since, textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

export const CHANNELS = {
  tables: {
    channels: {
      columns: {
        id: "AUTO_ID",
        type: "INTEGER NOT NULL",
        key_sealed: "TEXT NOT NULL",
        /** The keyed hash of each line of key_sealed, each between commas: `,hash,hash,`. */
        key_hashes: "TEXT NOT NULL DEFAULT ''",
        /** How many lines key_sealed has. */
        key_count: "INTEGER NOT NULL DEFAULT 1",
        /** Names of keys that the upstream has called dead, joined by commas. */
        dead_keys: "TEXT NOT NULL DEFAULT ''",
        status: "INTEGER NOT NULL DEFAULT 1",
        name: "SORTED_TEXT NOT NULL DEFAULT ''",
        weight: "INTEGER NOT NULL DEFAULT 0",
        priority: "INTEGER NOT NULL DEFAULT 0",
        created_time: "INTEGER NOT NULL",
        test_time: "INTEGER NOT NULL DEFAULT 0",
        response_time: "INTEGER NOT NULL DEFAULT 0",
        base_url: "TEXT NOT NULL DEFAULT ''",
        /** The proxy's address with its password; '' for none. */
        proxy_sealed: "TEXT NOT NULL DEFAULT ''",
        /** The same without the password, for people. */
        proxy: "TEXT NOT NULL DEFAULT ''",
        other: "TEXT NOT NULL DEFAULT ''",
        /** Read from the upstream. */
        balance: "REAL NOT NULL DEFAULT 0",
        balance_updated_time: "INTEGER NOT NULL DEFAULT 0",
        models: "TEXT NOT NULL DEFAULT ''",
        model_mapping: "TEXT NOT NULL DEFAULT ''",
        group: "TEXT NOT NULL DEFAULT 'default'",
        used_quota: "QUOTA NOT NULL DEFAULT 0",
        /** JSON of the changes made to its requests, sealed because headers hold secrets. '' for none. */
        overrides_sealed: "TEXT NOT NULL DEFAULT ''",
        /** Limits of all keys together, and of each (docs/reference/limits.md); NULL limits nothing. */
        ...declaredColumns(CHANNEL_LIMITS),
        /** JSON of the prices that the upstream charges, and JSON of the list that it publishes (contract/management/buying-price.ts); '' for none. */
        buying_prices: "TEXT NOT NULL DEFAULT ''",
        upstream_prices: "TEXT NOT NULL DEFAULT ''",
        tag: "TEXT NOT NULL DEFAULT ''",
        test_model: "TEXT NOT NULL DEFAULT ''",
        /** 1 for one that has no part in tests of all. */
        skips_tests: "INTEGER NOT NULL DEFAULT 0",
        /** JSON; '' for none. */
        calendar: "TEXT NOT NULL DEFAULT ''",
        /** JSON of where the calendar's windows stand. */
        windows: "TEXT NOT NULL DEFAULT ''",
        /** Unix seconds; 0 for none. */
        closed_until: "INTEGER NOT NULL DEFAULT 0",
        used_requests: "INTEGER NOT NULL DEFAULT 0",
        /** Cost of its answers, in thousandths of quota. */
        spent: "INTEGER NOT NULL DEFAULT 0",
        /** USD; NULL where nothing was typed in. */
        typed_balance: "REAL",
        /** Value of `spent` when the balance was typed in. */
        typed_spent: "INTEGER NOT NULL DEFAULT 0",
        /** What refunds of requests took from used_quota: windows of the calendar count charges. */
        refunded_quota: since("0027-refunded-quota", "QUOTA NOT NULL DEFAULT 0", { isWatched: false }),
      },
    },
    /** Balances read from upstreams, and top-ups there. */
    balance_movements: {
      columns: {
        id: "AUTO_ID",
        channel_id: "INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE",
        at: "INTEGER NOT NULL",
        kind: textIn(BALANCE_MOVEMENT_KINDS, "TEXT NOT NULL"),
        amount: "REAL NOT NULL",
        note: "TEXT NOT NULL",
      },
      indexes: { balance_movements_time: "(channel_id, at)" },
    },
    /** Comparisons with upstreams' bills, which outlive their channel. */
    reconciliations: {
      columns: {
        id: "AUTO_ID",
        channel_id: "INTEGER NOT NULL",
        created_at: "INTEGER NOT NULL",
        created_by: "TEXT NOT NULL",
        /** JSON of ReconciliationContent (contract/management/reconciliation.ts). */
        content: "TEXT NOT NULL",
      },
    },
  },
} as const satisfies SchemaPart;
