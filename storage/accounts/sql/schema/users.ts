import { LIMITS } from "@tollgate/contract/management/limits";
import { MODEL_ALIASES_SINCE } from "@tollgate/contract/management/model-aliases";
import { PERMISSION_SET_SINCE } from "@tollgate/contract/management/permission-set";
import { declaredColumns, setOnce, since } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";
import { PLAN_LIMITS_SINCE } from "./plans";

export const FORMER_IDENTITIES_SINCE = "0033-former-identities";

export const FORMER_IDENTITIES = {
  tables: {
    /** Accounts elsewhere and addresses that users had, as keyed hashes: nothing of a person can be read from them. */
    former_identities: {
      columns: { identity_hash: "TEXT PRIMARY KEY" },
      isWithoutRowId: true,
    },
  },
} as const satisfies SchemaPart;

export const SECOND_FACTORS = {
  tables: {
    /** Authenticator apps and backup codes (contract/records/second-factor-record.ts). */
    second_factors: {
      columns: {
        user_id: "INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
        /** JSON text of the secret and of the codes. */
        sealed: "TEXT NOT NULL",
        confirmed_time: "INTEGER NOT NULL",
        last_step: "INTEGER NOT NULL",
      },
    },
  },
} as const satisfies SchemaPart;

/** Not unique: an older version may have stored one address twice, in different case. */
export const FOLDED_EMAILS = {
  common: "CREATE INDEX users_email_folded ON users (lower(email)) WHERE email <> '';\n",
} as const satisfies SchemaPart;

export const USERS = {
  tables: {
    /**
     * Ids are never reused. Balances carry a CHECK, so that storage never holds a negative one. Limits
     * (docs/reference/limits.md) that are NULL limit nothing.
     */
    users: {
      columns: {
        id: "AUTO_ID",
        username: "SORTED_TEXT NOT NULL CONSTRAINT users_username_unique UNIQUE",
        password_hash: "TEXT NOT NULL",
        display_name: "SORTED_TEXT NOT NULL DEFAULT ''",
        role: "INTEGER NOT NULL DEFAULT 1",
        status: "INTEGER NOT NULL DEFAULT 1",
        email: "SORTED_TEXT NOT NULL DEFAULT ''",
        access_token_hash: "TEXT CONSTRAINT users_access_token_hash_unique UNIQUE",
        access_token_sealed: "TEXT",
        quota: "QUOTA NOT NULL DEFAULT 0 CHECK (quota >= 0)",
        used_quota: "QUOTA NOT NULL DEFAULT 0",
        /**
         * All quota ever granted and not taken back: quota + used_quota. At most MAX_QUOTA, because numbers beyond it lose units.
         * It is moved with an entry of the ledger (move-balance.ts).
         */
        granted_quota: setOnce("QUOTA NOT NULL DEFAULT 0"),
        /** The part of used_quota that no line of the log accounts for. */
        unlogged_quota: "QUOTA NOT NULL DEFAULT 0",
        request_count: "INTEGER NOT NULL DEFAULT 0",
        group: "TEXT NOT NULL DEFAULT 'default'",
        aff_code: "TEXT CONSTRAINT users_aff_code_unique UNIQUE",
        inviter_id: "INTEGER NOT NULL DEFAULT 0",
        created_time: "INTEGER NOT NULL",
        ...declaredColumns(LIMITS),
        /** The groups of the user's plans, separated by commas; they are tried before the user's own. */
        plan_groups: "TEXT NOT NULL DEFAULT ''",
        /** The limits of the user's plans together (`writeLimits`); '' for none. */
        plan_limits: since(PLAN_LIMITS_SINCE, "TEXT NOT NULL DEFAULT ''", { isWatched: true }),
        /** JSON text of names that stand for models, for all of the user's keys; '' for none. */
        model_aliases: since(MODEL_ALIASES_SINCE, "TEXT NOT NULL DEFAULT ''", { isWatched: true }),
        /** The id of the set that narrows an administrator's rights (contract/management/permission-set.ts); '' for none. */
        permission_set: since(PERMISSION_SET_SINCE, "TEXT NOT NULL DEFAULT ''", { isWatched: true }),
        /** 1 for a person who had an account before: gifts and first purchases are for new ones. */
        is_returning: since(FORMER_IDENTITIES_SINCE, "INTEGER NOT NULL DEFAULT 0", { isWatched: false }),
      },
      indexes: { users_inviter: "(inviter_id, id) WHERE inviter_id <> 0" },
    },
    /** The accounts elsewhere by which users sign in: at most one of each method, and each is one user's. */
    identities: {
      columns: {
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        /** A sign-in method's name. */
        method: "TEXT NOT NULL",
        /** The method's id of the account. */
        subject: "TEXT NOT NULL CHECK (subject <> '')",
      },
      constraints: [
        "PRIMARY KEY (user_id, method)",
        "CONSTRAINT identities_method_unique UNIQUE (method, subject)",
      ],
      isWithoutRowId: true,
    },
    sessions: {
      columns: {
        /** The value of a session's cookie is never stored, only its hash. */
        id_hash: "TEXT PRIMARY KEY",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        created_time: "INTEGER NOT NULL",
        expires_time: "INTEGER NOT NULL",
        address: "TEXT NOT NULL DEFAULT ''",
        user_agent: "TEXT NOT NULL DEFAULT ''",
        /** Unix seconds. */
        last_used_time: since("0035-session-use", "INTEGER NOT NULL DEFAULT 0", { isWatched: false }),
      },
      isWithoutRowId: true,
      indexes: { sessions_user: "(user_id)" },
    },
    /** Codes sent to verify an address. */
    verifications: {
      columns: {
        /** "email" or "password-reset". */
        purpose: "TEXT NOT NULL",
        /** The e-mail address. */
        subject: "TEXT NOT NULL",
        code_hash: "TEXT NOT NULL",
        expires_time: "INTEGER NOT NULL",
        attempts_left: "INTEGER NOT NULL",
      },
      constraints: ["PRIMARY KEY (purpose, subject)"],
      isWithoutRowId: true,
    },
  },
  sqlite: "CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> '';",
  postgres: "CREATE UNIQUE INDEX users_email_unique ON users (email) WHERE email <> '';",
} as const satisfies SchemaPart;
