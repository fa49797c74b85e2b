import type { KeySettings } from "../api/api-keys";
import type { Limits } from "../management/limits";
import type { SettingsEdit, SettingsOf } from "../resource/settings";
import type { QuotaMove } from "./ledger-entry";

/** The secret that a key had before it was replaced. */
export interface FormerKey {
  hash: string;
  /** Until when it may be used, unix seconds. */
  until: number;
}

/** The relay's data of a key: everything but its secret. */
export interface ApiKeyRecord extends SettingsOf<KeySettings> {
  id: number;
  userId: number;
  keyHash: string;
  former: FormerKey | undefined;
  status: number;
  name: string;
  expiredTime: number;
  remainQuota: number;
  unlimitedQuota: boolean;
  limits: Limits | undefined;
}

/** The settings and limits of a key; missing ones stay as they are. */
export interface ApiKeyAccess extends SettingsEdit<KeySettings> {
  limits?: Limits;
}

export interface NewApiKey extends ApiKeyAccess {
  userId: number;
  key: string;
  name: string;
  createdTime: number;
  expiredTime: number;
  remainQuota: number;
  unlimitedQuota: boolean;
}

/** A new secret of a key. */
export interface KeyRotation {
  key: string;
  /** Until when the one before may be used, unix seconds; 0 for no longer. */
  formerUntil: number;
}

/** An edit. The quota is a difference, so that charges made meanwhile are not undone. */
export interface ApiKeyChange {
  name?: string;
  status?: number;
  expiredTime?: number;
  unlimitedQuota?: boolean;
  remainQuotaMove?: QuotaMove | undefined;
  access?: ApiKeyAccess;
}
