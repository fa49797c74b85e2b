import type { User as StoredUser } from "@tollgate/contract/api/user";
import { readGroups } from "@tollgate/contract/management/group";
import { readModelAliases } from "@tollgate/contract/management/model-aliases";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { LedgerCause, Movement, QuotaMove } from "@tollgate/contract/records/ledger-entry";
import type { MovementLine } from "@tollgate/contract/records/people-store";
import type { PlanAccess } from "@tollgate/contract/records/plan-record";
import type { CreatedUser, NewUser, UserChange, UserRecord } from "@tollgate/contract/records/user-record";
import { type Amount, amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { splitList } from "@tollgate/contract/values/split-list";
import { LOG_MANAGE, LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import type { PayingUser } from "@tollgate/metering/payers";
import type { AccountMoney } from "./account-money";
import type { ChangeFeed } from "./change-feed";
import type { AccountTools, UserStore } from "./ports";
import { createAccessToken } from "./random-text";

/** A user in memory, with the data for signing in; changed in place, so that running requests see it. */
export interface User extends PayingUser {
  displayName: string;
  /** Without those of plans. */
  ownGroups: readonly string[];
  passwordHash: string;
  accessTokenHash: string | undefined;
  /** The set that narrows an administrator's rights; "" for none. */
  permissionSet: string;
}

/** An edit of a user; omitted fields stay unchanged. */
export interface UserEdit extends Omit<UserChange, "quotaMove"> {
  /** The new balance. */
  quota?: number | undefined;
  /** The reason for a new balance. */
  reason?: string | undefined;
  /** A new balance with the same reference is set once. */
  reference?: string | undefined;
}

/** Quota given for a new user. */
export interface Gifts {
  newUser: number;
  /** For an invited user. */
  invitee: number;
  inviter: number;
}

type Gift = Extract<LogPhrase["code"], `${string}-gift`>;

/** A group that the user has from both sources keeps the plan's position. */
const withPlanGroups = (planGroups: string, own: readonly string[]): readonly string[] =>
  planGroups === "" ? own : [...new Set([...splitList(planGroups), ...own])];

/** The users. Every change is made here: it is stored, applied in memory and announced. */
export class Users {
  private readonly byId = new Map<number, User>();
  private readonly byName = new Map<string, User>();
  private readonly byAccessToken = new Map<string, User>();

  constructor(
    private readonly store: UserStore,
    private readonly money: AccountMoney,
    private readonly changes: ChangeFeed,
    private readonly tools: Pick<AccountTools, "hash" | "now" | "amountUnit" | "commissionRule">,
  ) {}

  load(records: readonly UserRecord[]): void {
    for (const record of records) this.apply(record);
  }

  /**
   * Applies the stored state of users, whichever node changed them. The records must not be older than any acknowledged
   * change of this process: they are read in the order of its changes.
   * @param ids the ids read; a user without a record was deleted.
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
   * @throws the store's error when a name, an address or an identity is taken.
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
   * Changes a user. The balance moves by the difference to the current balance, with a log line.
   * @returns the stored user.
   * @throws the store's error when a name, an address or an identity is taken, the user does not exist, or the balance
   *   was set for the same reference.
   */
  async change(id: number, { quota, reason, reference, ...change }: UserEdit): Promise<StoredUser> {
    const known = this.byId.get(id);
    const store = async (
      quotaMove: QuotaMove | undefined,
      lines: readonly AccountLine[],
    ): Promise<UserRecord> => {
      const stored = await this.store.change(id, { ...change, quotaMove }, lines);
      // Before a balance moves in a separate step, because other changes stored meanwhile are newer.
      this.apply(stored);
      return stored;
    };
    const actorId = change.actorId ?? 0;
    const movement = { cause: "quota-changed", actorId, at: this.tools.now(), reason, reference } as const;
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
   * @returns the added quota.
   * @throws the store's error when the code is unknown, used or disabled, or the account cannot hold so much.
   */
  async redeem({ id, username, account }: User, code: string): Promise<number> {
    const { now, amountUnit, commissionRule } = this.tools;
    const store = (): Promise<number> =>
      this.store.redeem(code, id, now(), username, amountUnit(), commissionRule?.());
    const quota = await this.money.balances.grant(account, "redeemed", store, (added) => added);
    this.changes.announce({ of: "user", id, what: "changed" });
    return quota;
  }

  /**
   * Gives a user an administrator's quota, once per cause and reference, even with concurrent calls on several nodes.
   * @returns the added quota; 0 if it was booked before.
   * @throws the store's error when the user does not exist, or the account cannot hold so much.
   */
  grant(id: number, quota: number, movement: Movement): Promise<number> {
    return this.grantBy(
      id,
      movement.cause,
      () => this.store.grant(id, quota, movement, this.movementLine(id, "quota-added")),
      (given) => given,
    );
  }

  /**
   * Takes quota from a user's balance that is available, leased by nodes or not, and not held by running requests; once
   * per cause and reference.
   * @param most the maximum to take.
   * @returns the taken quota; 0 if it was booked before.
   */
  take(id: number, most: number, movement: Movement): Promise<number> {
    return this.takeBy(
      id,
      movement.cause,
      most,
      (there) => this.store.take(id, there, movement, this.movementLine(id, "quota-taken")),
      (taken) => taken,
    );
  }

  /**
   * Converts a user's commission to balance.
   * @returns the converted quota. @throws the store's error when the commission is lower, or the account cannot hold
   * it.
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
   * Gives a user the quota that a storage step grants in its own transaction (`moveBalance`).
   * @param quotaOf reads the added quota; 0 if it was booked before.
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
   * Takes from a user the quota that a storage step takes in its own transaction (`takeWhatIsThere`).
   * @param store its argument is the maximum available. @param quotaOf reads the taken quota.
   * @param isOwed whether quota held by running requests is taken as well, if possible (`Balances.take`).
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

  /** Takes over what a user's plans give and limit, as it is stored. */
  takePlanAccess(id: number, { planGroups, planLimits }: PlanAccess): void {
    const user = this.byId.get(id);
    if (!user) return;
    user.groups = withPlanGroups(planGroups, user.ownGroups);
    user.planLimits = planLimits;
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

  /** Ends the access of programs: management keys are removed, and the access token is replaced. */
  async endPrograms(id: number): Promise<void> {
    await this.store.removeManagementKeys(id);
    await this.replaceAccessToken(id);
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

  /** Removes a user's index entries, unless they belong to another user by now. */
  private forgetNames(user: User): void {
    if (this.byName.get(user.username) === user) this.byName.delete(user.username);
    const { accessTokenHash: hash } = user;
    if (hash !== undefined && this.byAccessToken.get(hash) === user) this.byAccessToken.delete(hash);
  }

  /** Adds a user, or applies all its fields except its balance, which only `Balances` moves. */
  private apply({ user, passwordHash, accessTokenHash, planGroups, planLimits }: UserRecord): User {
    const known = this.byId.get(user.id);
    if (known) this.forgetNames(known);
    const {
      id,
      quota,
      username,
      displayName,
      role,
      status,
      limits,
      modelAliases = "",
      permissionSet = "",
    } = user;
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
      planLimits,
      aliases: readModelAliases(modelAliases),
      passwordHash,
      accessTokenHash,
      permissionSet,
    };
    const taken: User = known
      ? Object.assign(known, now)
      : { id, ...now, account: this.money.createAccount("user", id, quota, false) };
    this.byId.set(taken.id, taken);
    this.byName.set(taken.username, taken);
    if (accessTokenHash !== undefined) this.byAccessToken.set(accessTokenHash, taken);
    return taken;
  }

  private movementLine(id: number, code: MovementLine["code"]): MovementLine {
    return { username: this.byId.get(id)?.username ?? "", code, unit: this.tools.amountUnit() };
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
