import type { ApiKeyRecord, NewApiKey } from "@tollgate/contract/records/api-key-record";
import type { CommissionRule } from "@tollgate/contract/records/commission-record";
import type {
  ApiKeyChanges,
  ApiKeyQueries,
  SessionChanges,
  UserChanges,
} from "@tollgate/contract/records/people-store";
import type { Session } from "@tollgate/contract/records/session";
import type { UserRecord } from "@tollgate/contract/records/user-record";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";

/*
 * Storage for the owner of accounts. Calls run in their order, and are acknowledged in that order once stored: memory
 * applies changes in the order of the acknowledgements.
 */

/** Dependencies of the owner of accounts on the rest of the server. */
export interface AccountTools {
  /** The keyed hash under which keys and access tokens are stored. */
  hash(text: string): string;
  /** Unix seconds. */
  now(): number;
  amountUnit(): AmountUnit;
  /** The rule for commissions of inviters; undefined without commissions. */
  commissionRule?(): CommissionRule | undefined;
  /** Receives errors of storing when no caller waits for it. */
  reportError(error: Error): void;
}

export interface UserStore
  extends Pick<UserChanges, "create" | "change" | "grant" | "take" | "setAccessToken" | "remove"> {
  /**
   * Converts a user's commission to balance, atomically. @throws when the commission is lower, or the account cannot
   * hold it.
   */
  transferCommission(id: number, quota: number, at: number): Promise<number>;
  /** Removes all management keys of a user. */
  removeManagementKeys(userId: number): Promise<void>;
  /**
   * Redeems a code exactly once: marks it, adds its quota to the user and writes the log line, atomically.
   * @param unit format of the amount in the log line.
   * @returns the quota.
   * @throws when the code is unknown, used or disabled, or the account cannot hold so much.
   */
  redeem(
    code: string,
    userId: number,
    now: number,
    username: string,
    unit: AmountUnit,
    commission?: CommissionRule,
  ): Promise<number>;
}

export interface ApiKeyStore extends Omit<ApiKeyChanges, "create">, Pick<ApiKeyQueries, "count"> {
  create(key: NewApiKey): Promise<{ record: ApiKeyRecord }>;
}

export interface AccountStore {
  users: UserStore;
  keys: ApiKeyStore;
  sessions: SessionChanges;
}

/** The stored accounts at startup, in pieces. */
export interface StoredAccounts {
  users: AsyncIterable<readonly UserRecord[]>;
  keys: AsyncIterable<readonly ApiKeyRecord[]>;
  sessions: readonly Session[];
}
