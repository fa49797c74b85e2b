import { API_KEY_FIELDS, KEY_SETTINGS, type KeySettings } from "../api/api-keys";
import type { Limits } from "../management/limits";
import type { StoredValues } from "../resource/columns";
import type { SettingsEdit } from "../resource/settings";
import type { QuotaMove } from "./ledger-entry";

/** The secret that a key had before it was replaced. */
export interface FormerKey {
  hash: string;
  /** Until when it may be used, unix seconds. */
  until: number;
}

const { userId, name, status, createdTime, accessedTime, expiredTime } = API_KEY_FIELDS;
const { id, remainQuota, unlimitedQuota, usedQuota } = API_KEY_FIELDS;

/** Fields in memory. A start reads them of every key, so nothing else is among them. */
export const KEPT_KEY_FIELDS = {
  ...{ id, userId, status, name, expiredTime, remainQuota, unlimitedQuota },
  ...KEY_SETTINGS,
};

/** Fields that memory does not need. */
export const OTHER_KEY_FIELDS = { createdTime, accessedTime, usedQuota };

/** Fields that an edit sets, beside the balance. */
export const EDITED_KEY_FIELDS = { name, status, expiredTime, unlimitedQuota };

/** Fields that a creation sets, beside the balance and the secret. */
export const CREATED_KEY_FIELDS = { userId, name, createdTime, expiredTime, unlimitedQuota };

/** The relay's data of a key: everything but its secret. */
export interface ApiKeyRecord extends StoredValues<typeof KEPT_KEY_FIELDS> {
  keyHash: string;
  former: FormerKey | undefined;
  limits: Limits | undefined;
}

/** The settings and limits of a key; missing ones stay as they are. */
export interface ApiKeyAccess extends SettingsEdit<KeySettings> {
  limits?: Limits;
}

export interface NewApiKey extends StoredValues<typeof CREATED_KEY_FIELDS>, ApiKeyAccess {
  key: string;
  remainQuota: number;
}

/** A new secret of a key. */
export interface KeyRotation {
  key: string;
  /** Until when the one before may be used, unix seconds; 0 for no longer. */
  formerUntil: number;
}

/** An edit. The quota is a difference, so that charges made meanwhile are not undone. */
export interface ApiKeyChange extends Partial<StoredValues<typeof EDITED_KEY_FIELDS>> {
  remainQuotaMove?: QuotaMove | undefined;
  access?: ApiKeyAccess;
}
