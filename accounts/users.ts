import type { User as StoredUser } from "@tollgate/contract/api/user";
import { readGroups } from "@tollgate/contract/management/group";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { LedgerCause, Movement, QuotaMove } from "@tollgate/contract/records/ledger-entry";
import type { CreatedUser, NewUser, UserChange, UserRecord } from "@tollgate/contract/records/user-record";
import { type Amount, amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { splitList } from "@tollgate/contract/values/split-list";
import { LOG_MANAGE, LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import type { PayingUser } from "@tollgate/metering/payers";
import type { AccountMoney } from "./account-money";
import type { ChangeFeed } from "./change-feed";
import type { AccountTools, UserStore } from "./ports";
import { createAccessToken } from "./random-text";

/** A user in memory, with what signing in needs; changed in place, so that requests under way see it. */
export interface User extends PayingUser {
  displayName: string;
  /** Without those of plans. */
  ownGroups: readonly string[];
  passwordHash: string;
  accessTokenHash: string | undefined;
}

/** What an edit of a user says; what is left out stays as it is. */
export interface UserEdit extends Omit<UserChange, "quotaMove"> {
  /** The new balance. */
  quota?: number | undefined;
}

/** What a new user is given. */
export interface Gifts {
  newUser: number;
  /** For one that was invited. */
  invitee: number;
  /** For the inviter. */
  inviter: number;
}

type Gift = Extract<LogPhrase["code"], `${string}-gift`>;

/** A group that the user has of both kinds stands where the plan puts it. */
const withPlanGroups = (planGroups: string, own: readonly string[]): readonly string[] =>
  planGroups === "" ? own : [...new Set([...splitList(planGroups), ...own])];

/** The users: every change is made here, where it is stored, taken over in memory and announced. */
export class Users {
  private readonly byId = new Map<number, User>();
  private readonly byName = new Map<string, User>();
  private readonly byAccessToken = new Map<string, User>();

  constructor(
    private readonly store: UserStore,
    private readonly money: AccountMoney,
    private readonly changes: ChangeFeed,
    private readonly tools: Pick<AccountTools, "hash" | "now" | "amountUnit">,
  ) {}

  load(records: readonly UserRecord[]): void {
    for (const record of records) this.apply(record);
  }

  /**
   * Takes over how users are stored now, no matter who changed them. What is read must be older than none of this process's own changes
   * that were answered: it is asked for in the order of these.
   * @param ids which were read; who is not among the records is gone.
   */
  refresh(ids: readonly number[], records: readonly UserRecord[]): void {
    const stored = new Set(records.map(({ user }) => user.id));
    for (const id of ids) if (!stored.has(id)) this.forget(id);
    for (const record of records) {
      const { id } = record.user;
      const what = this.byId.has(id) ? "changed" : "created";
      this.apply(record);
      this.changes.announce({ of: "user", id, what });
    }
  }

  /** The ids of all users. */
  ids(): number[] {
    return [...this.byId.keys()];
  }

  find(id: number): User | undefined {
    return this.byId.get(id);
  }

  findByName(username: string): User | undefined {
    return this.byName.get(username);
  }

  findByAccessToken(token: string): User | undefined {
    return this.byAccessToken.get(this.tools.hash(token));
  }

  /**
   * Creates a user.
   * @param inviter the user who invited it.
   * @throws what the store throws when a name, an address or an identity is taken.
   */
  async create(
    user: Omit<NewUser, "inviterId" | "quota">,
    gifts: Gifts,
    inviter: Pick<StoredUser, "id" | "username"> | undefined,
  ): Promise<User> {
    const invitee = inviter ? gifts.invitee : 0;
    const reward = inviter ? gifts.inviter : 0;
    const lines: AccountLine[] = [];
    const note = (code: Gift, userId: number, username: string, quota: number): void => {
      if (quota > 0)
        lines.push(this.line(LOG_SYSTEM, userId, username, { code, amount: this.amount(quota) }));
    };
    note("new-user-gift", 0, user.username, gifts.newUser);
    note("invitee-gift", 0, user.username, invitee);
    if (inviter) note("inviter-gift", inviter.id, inviter.username, reward);
    const stored = { ...user, quota: gifts.newUser, inviteeQuota: invitee, inviterId: inviter?.id ?? 0 };
    const store = (): Promise<CreatedUser> => this.store.create(stored, reward, lines);
    const rewarded = inviter && reward > 0 ? this.byId.get(inviter.id) : undefined;
    const record = await (rewarded
      ? this.money.balances.grant(
          rewarded.account,
          "inviter-gift",
          store,
          ({ rewardedQuota }) => rewardedQuota,
        )
      : store());
    const created = this.apply(record);
    this.changes.announce({ of: "user", id: created.id, what: "created" });
    if (rewarded) this.changes.announce({ of: "user", id: rewarded.id, what: "changed" });
    return created;
  }

  /**
   * Changes a user. The balance moves by the difference to what is left now, and the log says so.
   * @returns the user as it is stored.
   * @throws what the store throws when a name, an address or an identity is taken, or when there is no such user.
   */
  async change(id: number, { quota, ...change }: UserEdit): Promise<StoredUser> {
    const known = this.byId.get(id);
    const store = async (
      quotaMove: QuotaMove | undefined,
      lines: readonly AccountLine[],
    ): Promise<UserRecord> => {
      const stored = await this.store.change(id, { ...change, quotaMove }, lines);
      // At once: where the balance moves in a step of its own, what others store meanwhile is newer.
      this.apply(stored);
      return stored;
    };
    const actorId = change.actorId ?? 0;
    const movement = { cause: "quota-changed", actorId, at: this.tools.now() } as const;
    const record = await (known
      ? this.money.balances.adjust(known.account, movement, quota, {
          store,
          linesOf: (before, after) => [this.quotaLine(known, before, after)],
          withBalance: (stored, balance) => ({ ...stored, user: { ...stored.user, quota: balance } }),
        })
      : store(undefined, []));
    this.changes.announce({ of: "user", id, what: "changed" });
    return record.user;
  }

  /**
   * Redeems a code.
   * @returns the quota that it added.
   * @throws what the store throws when the code is unknown, used or disabled, or the account cannot hold so much.
   */
  async redeem({ id, username, account }: User, code: string): Promise<number> {
    const { now, amountUnit } = this.tools;
    const store = (): Promise<number> => this.store.redeem(code, id, now(), username, amountUnit());
    const quota = await this.money.balances.grant(account, "redeemed", store, (added) => added);
    this.changes.announce({ of: "user", id, what: "changed" });
    return quota;
  }

  /**
   * Gives a user quota, once for each cause and reference, on however many nodes it is asked for at once.
   * @returns how much it was; 0 where it was booked before.
   * @throws what the store throws where there is no such user, or the account cannot hold so much.
   */
  grant(id: number, quota: number, movement: Movement): Promise<number> {
    return this.grantBy(
      id,
      movement.cause,
      () => this.store.grant(id, quota, movement),
      (given) => given,
    );
  }

  /**
   * Takes of a user's balance what is there, leased by nodes or not, and no request under way counts on; once for each cause
   * and reference.
   * @param most what is taken where there is so much.
   * @returns how much it was; 0 where it was booked before.
   */
  take(id: number, most: number, movement: Movement): Promise<number> {
    return this.takeBy(
      id,
      movement.cause,
      most,
      (there) => this.store.take(id, there, movement),
      (taken) => taken,
    );
  }

  /**
   * Turns a user's commission into balance.
   * @returns how much it was. @throws what the store throws where there is not so much, or the account cannot hold it.
   */
  transferCommission(id: number, quota: number): Promise<number> {
    return this.grantBy(
      id,
      "commission-transfer",
      () => this.store.transferCommission(id, quota, this.tools.now()),
      (given) => given,
    );
  }

  /**
   * Gives a user what a step of storage gives it in its own transaction (`moveBalance`).
   * @param quotaOf how much it was; 0 where it was booked before.
   */
  async grantBy<T>(
    id: number,
    cause: LedgerCause,
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    const known = this.byId.get(id);
    if (!known) return store();
    const stored = await this.money.balances.grant(known.account, cause, store, quotaOf);
    this.changes.announce({ of: "user", id, what: "changed" });
    return stored;
  }

  /**
   * Takes from a user what a step of storage takes in its own transaction (`takeWhatIsThere`).
   * @param store is told how much there is to take at most. @param quotaOf how much it was.
   * @param isOwed whether what requests under way hold is taken as well, as far as it can be (`Balances.take`).
   */
  async takeBy<T>(
    id: number,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    quotaOf: (stored: T) => number,
    isOwed = false,
  ): Promise<T> {
    const known = this.byId.get(id);
    if (!known) return store(most);
    const stored = await this.money.balances.take(known.account, cause, most, store, quotaOf, isOwed);
    this.changes.announce({ of: "user", id, what: "changed" });
    return stored;
  }

  /** Takes over the groups of a user's plans, as they are stored. @param planGroups separated by commas. */
  takePlanGroups(id: number, planGroups: string): void {
    const user = this.byId.get(id);
    if (!user) return;
    user.groups = withPlanGroups(planGroups, user.ownGroups);
    this.changes.announce({ of: "user", id, what: "changed" });
  }

  /** Replaces a user's access token. @returns the new one. */
  async replaceAccessToken(id: number): Promise<string> {
    const accessToken = createAccessToken();
    const accessTokenHash = await this.store.setAccessToken(id, accessToken);
    const user = this.byId.get(id);
    if (user) {
      if (user.accessTokenHash !== undefined) this.byAccessToken.delete(user.accessTokenHash);
      user.accessTokenHash = accessTokenHash;
      this.byAccessToken.set(accessTokenHash, user);
    }
    this.changes.announce({ of: "user", id, what: "changed" });
    return accessToken;
  }

  /** Deletes a user; its keys and sessions go with it. */
  async remove(id: number): Promise<void> {
    await this.store.remove(id);
    this.forget(id);
  }

  private forget(id: number): void {
    const user = this.byId.get(id);
    if (!user) return;
    this.byId.delete(id);
    this.forgetNames(user);
    this.changes.announce({ of: "user", id, what: "removed" });
  }

  /** What a user was found by, unless it is another person's by now. */
  private forgetNames(user: User): void {
    if (this.byName.get(user.username) === user) this.byName.delete(user.username);
    const { accessTokenHash: hash } = user;
    if (hash !== undefined && this.byAccessToken.get(hash) === user) this.byAccessToken.delete(hash);
  }

  /** Adds a user, or takes over everything of it but its balance, which `Balances` alone moves. */
  private apply({ user, passwordHash, accessTokenHash, planGroups }: UserRecord): User {
    const known = this.byId.get(user.id);
    if (known) this.forgetNames(known);
    const { id, quota, username, displayName, role, status, limits } = user;
    const ownGroups = readGroups(user.group);
    const groups = withPlanGroups(planGroups, ownGroups);
    const now = {
      username,
      displayName,
      role,
      status,
      groups,
      ownGroups,
      limits,
      passwordHash,
      accessTokenHash,
    };
    const taken: User = known
      ? Object.assign(known, now)
      : { id, ...now, account: this.money.createAccount("user", id, quota, false) };
    this.byId.set(taken.id, taken);
    this.byName.set(taken.username, taken);
    if (accessTokenHash !== undefined) this.byAccessToken.set(accessTokenHash, taken);
    return taken;
  }

  private quotaLine({ id, username }: User, before: number, after: number): AccountLine {
    const phrase = { code: "quota-changed", before: this.amount(before), after: this.amount(after) } as const;
    return this.line(LOG_MANAGE, id, username, phrase);
  }

  private amount(quota: number): Amount {
    const { quotaPerUnit, isCurrency } = this.tools.amountUnit();
    return amountOf(quota, quotaPerUnit, isCurrency);
  }

  private line(type: number, userId: number, username: string, phrase: LogPhrase): AccountLine {
    return { createdAt: this.tools.now(), userId, username, type, phrase };
  }
}
