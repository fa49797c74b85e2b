import { KEY_SETTINGS } from "@tollgate/contract/api/api-keys";
import { LIMITS } from "@tollgate/contract/management/limits";
import { declaredColumns, setOnce, since } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** Existing databases have these two before the limits, and the others after them. */
const { models, subnet, ...otherSettings } = KEY_SETTINGS;

export const API_KEYS = {
  tables: {
    /** API keys. Limits (docs/reference/limits.md) that are NULL or '' limit nothing. */
    tokens: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        key_hash: "TEXT NOT NULL CONSTRAINT tokens_key_hash_unique UNIQUE",
        key_sealed: "TEXT NOT NULL",
        status: "INTEGER NOT NULL DEFAULT 1",
        name: "SORTED_TEXT NOT NULL DEFAULT ''",
        created_time: "INTEGER NOT NULL",
        accessed_time: "INTEGER NOT NULL DEFAULT 0",
        expired_time: "INTEGER NOT NULL DEFAULT -1",
        remain_quota: "QUOTA NOT NULL DEFAULT 0 CHECK (remain_quota >= 0)",
        unlimited_quota: "INTEGER NOT NULL DEFAULT 0",
        used_quota: "QUOTA NOT NULL DEFAULT 0",
        /** All quota ever granted and not taken back: remain_quota + taken_quota. It is moved as a user's. */
        granted_quota: setOnce("QUOTA NOT NULL DEFAULT 0"),
        /** The part of used_quota that was taken from remain_quota. */
        taken_quota: "QUOTA NOT NULL DEFAULT 0",
        /** The rest of used_quota: use of the key while it had no limit, or beyond its balance. */
        untaken_quota: "QUOTA NOT NULL DEFAULT 0",
        ...declaredColumns({ models, subnet }),
        ...declaredColumns(LIMITS),
        ...declaredColumns(otherSettings),
        /** The secret before the last rotation, and until when it may be used: '' and 0 for none. The migration itself watches both. */
        former_key_hash: since("0022-former-keys", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
        /** Sealed, so that a new master key can find it again. */
        former_key_sealed: since("0022-former-keys", "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
        former_until: since("0022-former-keys", "INTEGER NOT NULL DEFAULT 0", { isWatched: false }),
      },
      indexes: { tokens_user: "(user_id)" },
    },
  },
} as const satisfies SchemaPart;
