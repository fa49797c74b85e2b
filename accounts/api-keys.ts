import { KEY_SETTINGS, type KeySettings, type Token } from "@tollgate/contract/api/tokens";
import type { Limits } from "@tollgate/contract/management/limits";
import type { FormerKey, NewToken, TokenChange, TokenRecord } from "@tollgate/contract/records/token-record";
import { chosenSettings, type SettingsEdit } from "@tollgate/contract/resource/settings";
import { TOKEN_DISABLED } from "@tollgate/contract/values/statuses";
import type { KeyAccessInMemory, PayingKey } from "@tollgate/metering/payers";
import type { AccountMoney } from "./account-money";
import type { ChangeFeed } from "./change-feed";
import { KeyedMutex } from "./keyed-mutex";
import { parseNetworks } from "./parse-networks";
import type { AccountTools, ApiKeyStore } from "./ports";
import { createApiKey } from "./random-text";
import type { User, Users } from "./users";

/** An API key in memory; changed in place, so that requests under way see it. */
export interface ApiKey extends PayingKey {
  readonly user: User;
  keyHash: string;
  /** The secret before the last rotation. */
  former: FormerKey | undefined;
}

/** What an edit of a key says; what is left out stays as it is. */
export interface ApiKeyEdit extends Omit<TokenChange, "remainQuotaMove"> {
  /** The new balance. */
  remainQuota?: number | undefined;
}

/** How many keys a user may have: each is kept in memory, and more than that are made by a program that went astray. */
export const MAX_KEYS_PER_USER = 1000;

/** How many presented keys are remembered with their entry, to save their hash on the next request. */
const REMEMBERED_KEYS = 20_000;

/** Settings and limits of a key, as they are stored. */
type KeyAccess = SettingsEdit<KeySettings> & { limits?: Limits | undefined };

/** A status that is in memory and on its way to storage. */
interface Mark {
  /** What storage said meanwhile. */
  read?: number;
}

/** Settings and limits of a key in memory. */
const accessOf = ({ limits, ...settings }: KeyAccess): KeyAccessInMemory => {
  const { models, subnet = "", ...chosen } = chosenSettings(KEY_SETTINGS, settings);
  // Most keys may be used from anywhere, and a list of networks takes a microsecond to make.
  const networks = subnet === "" ? undefined : parseNetworks(subnet);
  return {
    ...chosen,
    limits,
    models: models && new Set(models),
    // Networks are checked before they are stored; a list that is still wrong lets no address in.
    networks: networks && "fault" in networks ? { has: () => false } : networks,
  };
};

/** The API keys: every change is made here, where it is stored, taken over in memory and announced. */
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

  load(records: readonly TokenRecord[]): void {
    for (const record of records) this.add(record);
  }

  /**
   * Takes over how keys are stored now, no matter who changed them. What is read must be older than none of this process's own changes
   * that were answered: it is asked for in the order of these.
   * @param ids which were read; what is not among the records is gone.
   */
  refresh(ids: readonly number[], records: readonly TokenRecord[]): void {
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
      // Of a user who is gone meanwhile, there are no keys.
      if (this.byId.has(id))
        this.changes.announce({ of: "api-key", id, what: known ? "changed" : "created" });
    }
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

  /** @returns false when its user has MAX_KEYS_PER_USER already. */
  create(key: Omit<NewToken, "key">): Promise<boolean> {
    // One after another, so that many at once do not all find room for one more.
    return this.creations.run(key.userId, async () => {
      if ((await this.store.count(key.userId)) >= MAX_KEYS_PER_USER) return false;
      const { record } = await this.store.create({ ...key, key: createApiKey() });
      this.add(record);
      this.changes.announce({ of: "api-key", id: record.id, what: "created" });
      return true;
    });
  }

  /**
   * Changes a key. The balance moves by the difference to what is left now.
   * @returns the key as it is stored; undefined when the user has none of this number.
   */
  async change(
    userId: number,
    id: number,
    { remainQuota, ...change }: ApiKeyEdit,
  ): Promise<Token | undefined> {
    const key = this.byId.get(id);
    if (key?.user.id !== userId) return undefined;
    const movement = { cause: "key-quota-changed", actorId: userId, at: this.tools.now() } as const;
    const changed = await this.money.balances.adjust(key.account, movement, remainQuota, {
      store: async (remainQuotaMove) => {
        const stored = await this.store.change(userId, id, { ...change, remainQuotaMove });
        if (stored) {
          this.marks.delete(id);
          // At once: where the balance moves in a step of its own, what others store meanwhile is newer.
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
   * Gives a key a new secret; everything else of it stays.
   * @param formerSeconds how long the one before may still be used.
   * @returns the key as it is stored; undefined when the user has none of this number.
   */
  rotate(userId: number, id: number, formerSeconds: number): Promise<Token | undefined> {
    const formerUntil = formerSeconds === 0 ? 0 : this.tools.now() + formerSeconds;
    return this.replaceSecrets(userId, id, () =>
      this.store.rotate(userId, id, { key: createApiKey(), formerUntil }),
    );
  }

  /** Ends the secret before the last rotation. @returns as `rotate`. */
  endFormer(userId: number, id: number): Promise<Token | undefined> {
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
    store: () => Promise<{ token: Token; record: TokenRecord } | undefined>,
  ): Promise<Token | undefined> {
    // One after another, so that memory has the one that was stored last.
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
   * Says that a key turned out to be expired or exhausted: at once in memory, and stored after the edits under way, unless one
   * of them has said something else. Where it cannot be stored, it stays in memory: the next request would find the same.
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

  /** @returns false when the user has no such key. */
  async remove(userId: number, id: number): Promise<boolean> {
    if (!(await this.store.remove(userId, id))) return false;
    this.drop(id);
    return true;
  }

  /** Takes over everything of a key but its balance. */
  private takeOver(
    key: ApiKey,
    stored: Pick<TokenRecord, "name" | "status" | "expiredTime" | "unlimitedQuota"> & KeyAccess,
  ): void {
    key.name = stored.name;
    const mark = this.marks.get(key.id);
    if (mark) mark.read = stored.status;
    else key.status = stored.status;
    key.expiredTime = stored.expiredTime;
    key.account.isUnlimited = stored.unlimitedQuota;
    Object.assign(key, accessOf(stored));
  }

  /** Takes over by what a key is found. */
  private takeOverSecrets(key: ApiKey, { keyHash, former }: Pick<TokenRecord, "keyHash" | "former">): void {
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
    // To look for the one would take far longer than to hash again what is presented next.
    this.presented.clear();
  }

  private add(record: TokenRecord): void {
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
    // Requests under way still know it.
    key.status = TOKEN_DISABLED;
    this.byId.delete(id);
    this.forgetHashes(key);
  }

  private forgetUser(userId: number): void {
    for (const key of this.byId.values()) if (key.user.id === userId) this.forget(key.id);
  }
}
