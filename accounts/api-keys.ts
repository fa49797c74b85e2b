import { KEY_SETTINGS, type KeySettings, type ApiKey as StoredApiKey } from "@tollgate/contract/api/api-keys";
import type { Limits } from "@tollgate/contract/management/limits";
import { readModelAliases } from "@tollgate/contract/management/model-aliases";
import type {
  ApiKeyChange,
  ApiKeyRecord,
  FormerKey,
  NewApiKey,
} from "@tollgate/contract/records/api-key-record";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import { chosenSettings, type SettingsEdit } from "@tollgate/contract/resource/settings";
import { TOKEN_DISABLED, TOKEN_ENABLED, TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import type { KeyAccessInMemory, PayingKey } from "@tollgate/metering/payers";
import type { AccountMoney } from "./account-money";
import type { ChangeFeed } from "./change-feed";
import { KeyedMutex } from "./keyed-mutex";
import { parseNetworks } from "./parse-networks";
import type { AccountTools, ApiKeyStore } from "./ports";
import { createApiKey } from "./random-text";
import type { User, Users } from "./users";

/** An API key in memory; changed in place, so that running requests see it. */
export interface ApiKey extends PayingKey {
  readonly user: User;
  keyHash: string;
  /** The secret before the last rotation. */
  former: FormerKey | undefined;
}

/** An edit of a key; omitted fields stay unchanged. */
export interface ApiKeyEdit extends Omit<ApiKeyChange, "remainQuotaMove"> {
  /** The new balance. */
  remainQuota?: number | undefined;
}

/** Maximum keys per user: each is kept in memory, and only a faulty program creates more. */
export const MAX_KEYS_PER_USER = 1000;

/** Maximum number of presented keys cached with their entry, to avoid hashing them on the next request. */
const REMEMBERED_KEYS = 20_000;

/** Settings and limits of a key, as they are stored. */
type KeyAccess = SettingsEdit<KeySettings> & { limits?: Limits | undefined };

/** A status in memory that is not stored yet. */
interface Mark {
  /** The status read from storage meanwhile. */
  read?: number;
}

/** Settings and limits of a key in memory. */
const accessOf = ({ limits, ...settings }: KeyAccess): KeyAccessInMemory => {
  const { models, subnet = "", modelAliases = "", ...chosen } = chosenSettings(KEY_SETTINGS, settings);
  // Most keys may be used from anywhere, and a list of networks takes a microsecond to make.
  const networks = subnet === "" ? undefined : parseNetworks(subnet);
  return {
    ...chosen,
    limits,
    models: models && new Set(models),
    aliases: readModelAliases(modelAliases),
    // Networks are checked before they are stored; a list that is still wrong lets no address in.
    networks: networks && "fault" in networks ? { has: () => false } : networks,
  };
};

/** The API keys. Every change is made here: it is stored, applied in memory and announced. */
export class ApiKeys {
  private readonly byId = new Map<number, ApiKey>();
  private readonly byHash = new Map<string, ApiKey>();
  private readonly presented = new Map<string, ApiKey>();
  private readonly marks = new Map<number, Mark>();
  private readonly creations = new KeyedMutex<number>();
  private readonly rotations = new KeyedMutex<number>();

  constructor(
    private readonly store: ApiKeyStore,
    private readonly users: Pick<Users, "find">,
    private readonly money: AccountMoney,
    private readonly changes: ChangeFeed,
    private readonly tools: Pick<AccountTools, "hash" | "now" | "reportError">,
  ) {
    changes.subscribe(({ of, id, what }) => {
      if (of === "user" && what === "removed") this.forgetUser(id as number);
    });
  }

  load(records: readonly ApiKeyRecord[]): void {
    for (const record of records) this.add(record);
  }

  /**
   * Applies the stored state of keys, whichever node changed them. The records must not be older than any acknowledged
   * change of this process: they are read in the order of its changes.
   * @param ids the ids read; one without a record was deleted.
   */
  refresh(ids: readonly number[], records: readonly ApiKeyRecord[]): void {
    const stored = new Set(records.map(({ id }) => id));
    for (const id of ids) if (!stored.has(id)) this.drop(id);
    for (const record of records) {
      const { id } = record;
      const known = this.byId.get(id);
      if (known?.user.id === record.userId) {
        this.takeOverSecrets(known, record);
        this.takeOver(known, record);
      } else {
        if (known) this.forget(id);
        this.add(record);
      }
      // A user deleted meanwhile has no keys.
      if (this.byId.has(id))
        this.changes.announce({ of: "api-key", id, what: known ? "changed" : "created" });
    }
  }

  /** All keys of all users, in no order. */
  all(): Iterable<ApiKey> {
    return this.byId.values();
  }

  /** The ids of all keys. */
  ids(): number[] {
    return [...this.byId.keys()];
  }

  /** @param key without the "sk-" prefix. */
  find(key: string): ApiKey | undefined {
    const remembered = this.presented.get(key);
    if (remembered) return remembered;
    const hash = this.tools.hash(key);
    const found = this.byHash.get(hash);
    // A former secret is not remembered: it ends without anyone saying so.
    if (found && found.keyHash !== hash)
      return found.former && found.former.until > this.tools.now() ? found : undefined;
    if (found) {
      if (this.presented.size >= REMEMBERED_KEYS) this.presented.clear();
      this.presented.set(key, found);
    }
    return found;
  }

  findById(id: number): ApiKey | undefined {
    return this.byId.get(id);
  }

  /** @returns the id of the new key; undefined when its user has MAX_KEYS_PER_USER already. */
  create(key: Omit<NewApiKey, "key">): Promise<number | undefined> {
    // Sequential, so that concurrent creations cannot exceed the maximum.
    return this.creations.run(key.userId, async () => {
      if ((await this.store.count(key.userId)) >= MAX_KEYS_PER_USER) return undefined;
      const { record } = await this.store.create({ ...key, key: createApiKey() });
      this.add(record);
      this.changes.announce({ of: "api-key", id: record.id, what: "created" });
      return record.id;
    });
  }

  /**
   * Creates many keys of one user, all or none.
   * @returns the stored keys with their secrets; undefined when the user would have more than MAX_KEYS_PER_USER.
   */
  createAll(
    userId: number,
    keys: readonly Omit<NewApiKey, "key" | "userId">[],
  ): Promise<StoredApiKey[] | undefined> {
    return this.creations.run(userId, async () => {
      if ((await this.store.count(userId)) + keys.length > MAX_KEYS_PER_USER) return undefined;
      const stored = await this.store.createAll(keys.map((key) => ({ ...key, userId, key: createApiKey() })));
      for (const { record } of stored) {
        this.add(record);
        this.changes.announce({ of: "api-key", id: record.id, what: "created" });
      }
      return stored.map(({ token }) => token);
    });
  }

  /**
   * Adds to a key's own limit, once per operation.
   * @param operation identifies the operation of the owner.
   * @returns the added quota, 0 if it was booked before; undefined when the user has no key with this id.
   * @throws the store's error when the account cannot hold so much.
   */
  async grant(userId: number, id: number, quota: number, operation: string): Promise<number | undefined> {
    const key = this.byId.get(id);
    if (key?.user.id !== userId) return undefined;
    const movement: Movement = {
      cause: "key-quota-changed",
      reference: `${operation}/${id}`,
      actorId: userId,
      at: this.tools.now(),
    };
    const store = () => this.store.grant(userId, id, quota, movement);
    const given = await this.money.balances.grant(key.account, movement.cause, store, (added) => added);
    this.changes.announce({ of: "api-key", id, what: "changed" });
    return given;
  }

  /**
   * Changes a key. The balance moves by the difference to the current balance.
   * @returns the stored key; undefined when the user has no key with this id.
   */
  async change(
    userId: number,
    id: number,
    { remainQuota, ...change }: ApiKeyEdit,
  ): Promise<StoredApiKey | undefined> {
    const key = this.byId.get(id);
    if (key?.user.id !== userId) return undefined;
    const movement = { cause: "key-quota-changed", actorId: userId, at: this.tools.now() } as const;
    const changed = await this.money.balances.adjust(key.account, movement, remainQuota, {
      store: async (remainQuotaMove) => {
        const stored = await this.store.change(userId, id, { ...change, remainQuotaMove });
        if (stored) {
          this.marks.delete(id);
          // Before a balance moves in a separate step, because other changes stored meanwhile are newer.
          this.takeOver(key, stored);
        }
        return stored;
      },
      withBalance: (stored, balance) => ({ ...stored, remainQuota: balance }),
    });
    if (!changed) return undefined;
    this.changes.announce({ of: "api-key", id, what: "changed" });
    return changed;
  }

  /**
   * Gives a key a new secret; all other fields stay unchanged.
   * @param formerSeconds time during which the former secret stays valid.
   * @returns the stored key; undefined when the user has no key with this id.
   */
  rotate(userId: number, id: number, formerSeconds: number): Promise<StoredApiKey | undefined> {
    const formerUntil = formerSeconds === 0 ? 0 : this.tools.now() + formerSeconds;
    return this.replaceSecrets(userId, id, () =>
      this.store.rotate(userId, id, { key: createApiKey(), formerUntil }),
    );
  }

  /** Ends the secret before the last rotation. @returns as `rotate`. */
  endFormer(userId: number, id: number): Promise<StoredApiKey | undefined> {
    return this.replaceSecrets(userId, id, () => this.store.endFormer(userId, id));
  }

  /** Forgets secrets that may be used no longer. */
  async forgetFormer(): Promise<void> {
    const now = this.tools.now();
    await this.store.forgetFormer(now);
    for (const key of this.byId.values())
      if (key.former && key.former.until <= now) this.takeOverSecrets(key, { ...key, former: undefined });
  }

  private replaceSecrets(
    userId: number,
    id: number,
    store: () => Promise<{ token: StoredApiKey; record: ApiKeyRecord } | undefined>,
  ): Promise<StoredApiKey | undefined> {
    // Sequential, so that memory holds the secret that was stored last.
    return this.rotations.run(id, async () => {
      if (this.byId.get(id)?.user.id !== userId) return undefined;
      const stored = await store();
      const key = this.byId.get(id);
      if (!stored || !key) return undefined;
      this.takeOverSecrets(key, stored.record);
      this.changes.announce({ of: "api-key", id, what: "changed" });
      return stored.token;
    });
  }

  /**
   * Marks a key as expired or exhausted: immediately in memory, and in storage after the running edits, unless one of
   * them has set another status. If storing fails, the mark stays in memory: the next request would find the same.
   */
  mark(key: Pick<ApiKey, "id" | "status" | "expiredTime" | "account">, status: number): void {
    const seen = { status: key.status, expiredTime: key.expiredTime };
    key.status = status;
    const mark: Mark = {};
    this.marks.set(key.id, mark);
    const store = async (): Promise<void> => {
      if (this.marks.get(key.id) !== mark) return;
      try {
        const stored = await this.store.markStatus(key.id, seen, status);
        if (this.marks.get(key.id) === mark && stored !== undefined) key.status = stored;
      } catch (error) {
        if (this.marks.get(key.id) === mark && mark.read !== undefined) key.status = mark.read;
        throw error;
      } finally {
        if (this.marks.get(key.id) === mark) this.marks.delete(key.id);
      }
      this.changes.announce({ of: "api-key", id: key.id, what: "changed" });
    };
    this.money.balances.afterEdits(key.account, store).catch((error: Error) => this.tools.reportError(error));
  }

  /**
   * Adds quota that a refund has returned to a key's own limit in storage. The gateway marked the key as used up, so it
   * also takes that mark away.
   */
  async takeReturned(userId: number, id: number, quota: number): Promise<void> {
    const key = this.byId.get(id);
    if (key?.user.id !== userId || quota === 0) return;
    await this.money.balances.grant(
      key.account,
      "key-refunded",
      async () => quota,
      (returned) => returned,
    );
    if (key.status === TOKEN_EXHAUSTED) await this.change(userId, id, { status: TOKEN_ENABLED });
  }

  /** @returns false when the user has no such key. */
  async remove(userId: number, id: number): Promise<boolean> {
    if (!(await this.store.remove(userId, id))) return false;
    this.drop(id);
    return true;
  }

  /** Applies all fields of a key except its balance. */
  private takeOver(
    key: ApiKey,
    stored: Pick<ApiKeyRecord, "name" | "status" | "expiredTime" | "unlimitedQuota"> & KeyAccess,
  ): void {
    key.name = stored.name;
    const mark = this.marks.get(key.id);
    if (mark) mark.read = stored.status;
    else key.status = stored.status;
    key.expiredTime = stored.expiredTime;
    key.account.isUnlimited = stored.unlimitedQuota;
    Object.assign(key, accessOf(stored));
  }

  /** Applies the hashes by which a key is found. */
  private takeOverSecrets(key: ApiKey, { keyHash, former }: Pick<ApiKeyRecord, "keyHash" | "former">): void {
    if (key.keyHash === keyHash && key.former?.hash === former?.hash) {
      key.former = former;
      return;
    }
    this.forgetHashes(key);
    key.keyHash = keyHash;
    key.former = former;
    this.byHash.set(keyHash, key);
    if (former) this.byHash.set(former.hash, key);
  }

  private forgetHashes({ keyHash, former }: ApiKey): void {
    this.byHash.delete(keyHash);
    if (former) this.byHash.delete(former.hash);
    // Finding the one entry would take far longer than hashing the keys again.
    this.presented.clear();
  }

  private add(record: ApiKeyRecord): void {
    const user = this.users.find(record.userId);
    if (!user) return;
    const key: ApiKey = {
      id: record.id,
      user,
      keyHash: record.keyHash,
      former: record.former,
      name: record.name,
      status: record.status,
      expiredTime: record.expiredTime,
      ...accessOf(record),
      account: this.money.createAccount("key", record.id, record.remainQuota, record.unlimitedQuota),
    };
    this.byId.set(key.id, key);
    this.byHash.set(key.keyHash, key);
    if (key.former) this.byHash.set(key.former.hash, key);
  }

  private drop(id: number): void {
    if (!this.byId.has(id)) return;
    this.forget(id);
    this.changes.announce({ of: "api-key", id, what: "removed" });
  }

  private forget(id: number): void {
    const key = this.byId.get(id);
    if (!key) return;
    // Running requests still refer to it.
    key.status = TOKEN_DISABLED;
    this.byId.delete(id);
    this.forgetHashes(key);
  }

  private forgetUser(userId: number): void {
    for (const key of this.byId.values()) if (key.user.id === userId) this.forget(key.id);
  }
}
