/* Management keys, as they are stored: the secret only as a hash. */

export interface ManagementKeyRecord {
  id: number;
  userId: number;
  name: string;
  /** The first characters of the secret, by which its owner recognizes it. */
  start: string;
  /** Rights, separated by commas. */
  permissions: string;
  /** Addresses and networks that may use it, separated by commas; "" for all. */
  networks: string;
  /** Unix seconds. */
  createdTime: number;
  /** Unix seconds; 0 for never. */
  expiresTime: number;
  /** Unix seconds, exact to a minute; 0 for never. */
  lastUsedTime: number;
  lastAddress: string;
}

export type NewManagementKey = Omit<ManagementKeyRecord, "id" | "lastUsedTime" | "lastAddress">;

export interface ManagementKeyQueries {
  /** The key of a secret; expired ones too. */
  findBySecret(secret: string): Promise<ManagementKeyRecord | undefined>;
  /** A user's keys, the newest first. */
  ofUser(userId: number): Promise<ManagementKeyRecord[]>;
}

export interface ManagementKeyChanges {
  /** @returns undefined, and stores nothing, when the user has as many keys as allowed, or is gone. */
  create(key: NewManagementKey, secret: string, most: number): Promise<ManagementKeyRecord | undefined>;
  /** Stores a use. @param at unix seconds. */
  noteUse(id: number, at: number, address: string): Promise<void>;
  /** @returns the removed key; undefined when the user has none of this id. */
  remove(userId: number, id: number): Promise<ManagementKeyRecord | undefined>;
  /** Removes all keys of a user. */
  removeAll(userId: number): Promise<void>;
}
