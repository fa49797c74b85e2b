import { PLAN_BEYONDS, PLAN_RESETS, PLAN_TIMES } from "@tollgate/contract/api/plans";
import { since, textIn } from "../../../sql/column";
import type { SchemaPart } from "../../../sql/schema-part";

/** The migration that adds the limits of plans. */
export const PLAN_LIMITS_SINCE = "0034-plan-limits";

/** Plans, subscriptions, and how subscribers' balances are composed (docs/reference/plans.md). */
export const PLANS = {
  tables: {
    plans: {
      columns: {
        id: "AUTO_ID",
        title: "TEXT NOT NULL",
        description: "TEXT NOT NULL DEFAULT ''",
        price: "QUOTA NOT NULL CHECK (price >= 0)",
        duration_unit: textIn(PLAN_TIMES, "TEXT NOT NULL"),
        duration_count: "INTEGER NOT NULL CHECK (duration_count > 0)",
        quota: "QUOTA NOT NULL CHECK (quota >= 0)",
        reset: textIn(PLAN_RESETS, "TEXT NOT NULL"),
        group: "TEXT NOT NULL DEFAULT ''",
        beyond: textIn(PLAN_BEYONDS, "TEXT NOT NULL"),
        max_per_user: "INTEGER NOT NULL DEFAULT 0",
        is_enabled: "INTEGER NOT NULL DEFAULT 1",
        sort_order: "INTEGER NOT NULL DEFAULT 0",
        created_time: "INTEGER NOT NULL",
        /** The person who saved it last, and so decides its price; 0 where that is not known. */
        saved_by: since("0020-actors", "INTEGER NOT NULL DEFAULT 0", { isWatched: false }),
        /** Limits of its subscribers (`writeLimits`); '' for none. */
        limits: since(PLAN_LIMITS_SINCE, "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
      },
    },
    /** A subscription keeps the terms it was bought on. */
    subscriptions: {
      columns: {
        id: "AUTO_ID",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        /** The plan may be gone. */
        plan_id: "INTEGER NOT NULL",
        title: "TEXT NOT NULL",
        price: "QUOTA NOT NULL CHECK (price >= 0)",
        duration_unit: textIn(PLAN_TIMES, "TEXT NOT NULL"),
        duration_count: "INTEGER NOT NULL",
        quota: "QUOTA NOT NULL CHECK (quota >= 0)",
        reset: textIn(PLAN_RESETS, "TEXT NOT NULL"),
        group: "TEXT NOT NULL DEFAULT ''",
        beyond: textIn(PLAN_BEYONDS, "TEXT NOT NULL"),
        starts_at: "INTEGER NOT NULL",
        ends_at: "INTEGER NOT NULL",
        /** "waiting", "active" or "ended". */
        state: "TEXT NOT NULL",
        source: "TEXT NOT NULL",
        /** Names the purchase for ever. */
        reference: "TEXT NOT NULL CONSTRAINT subscriptions_reference_unique UNIQUE",
        /** The subscription that this one replaces. At most one replaces another. */
        follows: "INTEGER CONSTRAINT subscriptions_follows_unique UNIQUE",
        end_reason: "TEXT NOT NULL DEFAULT ''",
        renews: "INTEGER NOT NULL DEFAULT 0",
        /** Whether the user has had the notice that it ends soon. */
        is_told: "INTEGER NOT NULL DEFAULT 0",
        created_time: "INTEGER NOT NULL",
        limits: since(PLAN_LIMITS_SINCE, "TEXT NOT NULL DEFAULT ''", { isWatched: false }),
      },
      indexes: {
        subscriptions_user: "(user_id)",
        subscriptions_plan: "(plan_id)",
        subscriptions_live: "(ends_at) WHERE state <> 'ended'",
      },
    },
    /** Uses of the quota that a period includes. */
    plan_periods: {
      columns: {
        subscription_id: "INTEGER NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE",
        number: "INTEGER NOT NULL",
        user_id: "INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE",
        starts_at: "INTEGER NOT NULL",
        ends_at: "INTEGER NOT NULL",
        /** "open", "over" while requests under way hold some of it, or "closed". */
        state: "TEXT NOT NULL",
        granted: "QUOTA NOT NULL CHECK (granted >= 0)",
        unspent: "QUOTA NOT NULL CHECK (unspent >= 0)",
        spent: "QUOTA NOT NULL DEFAULT 0 CHECK (spent >= 0)",
        withdrawn: "QUOTA NOT NULL DEFAULT 0 CHECK (withdrawn >= 0)",
        /** Taken back at the end. */
        taken: "QUOTA NOT NULL DEFAULT 0 CHECK (taken >= 0)",
      },
      constraints: [
        "PRIMARY KEY (subscription_id, number)",
        "CHECK (granted = unspent + spent + withdrawn + taken)",
      ],
      isWithoutRowId: true,
      indexes: {
        plan_periods_user: "(user_id) WHERE state <> 'closed'",
        plan_periods_end: "(ends_at) WHERE state <> 'closed'",
      },
    },
    /** How the balances of users with plans are composed (contract/values/plan-money.ts). */
    plan_accounts: {
      columns: {
        user_id: "INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE",
        counted: "QUOTA NOT NULL",
        own_spent: "QUOTA NOT NULL CHECK (own_spent >= 0)",
        /** The user's own quota that is put aside while a plan stops at its end. */
        parked: "QUOTA NOT NULL DEFAULT 0 CHECK (parked >= 0)",
      },
    },
  },
} as const satisfies SchemaPart;
