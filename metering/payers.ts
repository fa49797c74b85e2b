import type { KeySettings } from "@tollgate/contract/api/api-keys";
import type { Limits } from "@tollgate/contract/management/limits";
import type { ModelAliases } from "@tollgate/contract/management/model-aliases";
import type { ApiKeyRecord } from "@tollgate/contract/records/api-key-record";
import type { ChosenSettings } from "@tollgate/contract/resource/settings";
import type { Account } from "./ledger";

/** A user in memory with the fields for requests; changed in place when an administrator changes the user. */
export interface PayingUser {
  readonly id: number;
  username: string;
  role: number;
  status: number;
  /** In the order in which a request tries them: those of the user's plans, then the user's own; never empty. */
  groups: readonly string[];
  readonly account: Account;
  /** undefined without limits. */
  limits?: Limits | undefined;
  /** Of the user's active plans together, where the user has no limit of their own; undefined without limits. */
  planLimits?: Limits | undefined;
  /** Names of models for all of the user's keys; undefined for none. */
  aliases?: ModelAliases | undefined;
}

/** Settings and limits of a key in memory; an unset one is undefined. */
export interface KeyAccessInMemory
  extends Omit<ChosenSettings<KeySettings>, "models" | "subnet" | "modelAliases"> {
  /** undefined without limits. */
  limits?: Limits | undefined;
  /** The models that it may use; undefined for all. */
  models?: ReadonlySet<string> | undefined;
  /** Its own names of models, which override its user's; undefined for none. */
  aliases?: ModelAliases | undefined;
  /** The permitted client addresses; undefined for all. */
  networks?: { has(address: string): boolean } | undefined;
}

/** An API key in memory, as a request needs one. */
export interface PayingKey extends KeyAccessInMemory, Pick<ApiKeyRecord, "name" | "status" | "expiredTime"> {
  readonly id: number;
  readonly user: PayingUser;
  readonly account: Account;
}
