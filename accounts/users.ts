import { readGroups } from "@tollgate/contract/control/group";
import type { Limits } from "@tollgate/contract/control/limits";
import type { User as StoredUser } from "@tollgate/contract/control/user";
import type { NewUser, UserChange, UserRecord } from "@tollgate/contract/records/user-record";
import type { Account } from "@tollgate/metering/ledger";
import type { Balances } from "./balances";
import type { ChangeFeed } from "./change-feed";
import type { AccountLine, UserStore } from "./ports";
import { createAccessToken } from "./random-text";

/** A user in memory, with what signing in needs; changed in place, so that requests under way see it. */
export interface User {
  readonly id: number;
  username: string;
  displayName: string;
  role: number;
  status: number;
  /** In the order in which a request tries them; never empty. */
  groups: readonly string[];
  /** undefined when nothing is limited. */
  limits?: Limits | undefined;
  passwordHash: string;
  accessTokenHash: string | undefined;
  readonly account: Account;
}

/** What an edit of a user says; what is left out stays as it is. */
export interface UserEdit extends Omit<UserChange, "quotaDifference"> {
  /** The new balance. */
  quota?: number | undefined;
}

/** The users: whoever changes one does it here, where it is stored, taken over in memory and announced. */
export class Users {
  private readonly byId = new Map<number, User>();
  private readonly byName = new Map<string, User>();
  private readonly byAccessToken = new Map<string, User>();

  /** @param hash the keyed hash under which storage keeps access tokens. */
  constructor(
    private readonly store: UserStore,
    private readonly balances: Balances,
    private readonly changes: ChangeFeed,
    private readonly hash: (text: string) => string,
  ) {}

  load(records: readonly UserRecord[]): void {
    for (const record of records) this.takeOver(record);
  }

  find(id: number): User | undefined {
    return this.byId.get(id);
  }

  findByName(username: string): User | undefined {
    return this.byName.get(username);
  }

  findByAccessToken(token: string): User | undefined {
    return this.byAccessToken.get(this.hash(token));
  }

  /**
   * Creates a user.
   * @param invitation whoever invited it, and what that is worth to them.
   * @param lines what the log says of it; those of user 0 belong to the new one.
   * @throws what the store throws when a name, an address or an identity is taken.
   */
  async create(
    user: Omit<NewUser, "inviterId">,
    invitation: { inviterId: number; reward: number } | undefined,
    lines: AccountLine[],
  ): Promise<User> {
    const reward = invitation?.reward ?? 0;
    const inviterId = invitation?.inviterId ?? 0;
    const store = (): Promise<UserRecord> => this.store.create({ ...user, inviterId }, reward, lines);
    const inviter = reward > 0 ? this.byId.get(inviterId) : undefined;
    const record = await (inviter ? this.balances.grant(inviter.account, store, () => reward) : store());
    const created = this.takeOver(record);
    this.changes.announce({ of: "user", id: created.id, what: "created" });
    if (inviter) this.changes.announce({ of: "user", id: inviter.id, what: "changed" });
    return created;
  }

  /**
   * Changes a user. The balance moves by the difference to what is left now.
   * @param linesOf what the log says of that difference, where there is one.
   * @returns the user as it is stored.
   * @throws what the store throws when a name, an address or an identity is taken, or when there is no such user.
   */
  async change(
    id: number,
    { quota, ...change }: UserEdit,
    linesOf: (quotaDifference: number) => AccountLine[] = () => [],
  ): Promise<StoredUser> {
    const store = (quotaDifference: number): Promise<UserRecord> =>
      this.store.change(
        id,
        { ...change, quotaDifference },
        quotaDifference === 0 ? [] : linesOf(quotaDifference),
      );
    const account = this.byId.get(id)?.account;
    const record = await (account ? this.balances.adjust(account, quota, store) : store(0));
    this.takeOver(record);
    this.changes.announce({ of: "user", id, what: "changed" });
    return record.user;
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
    const user = this.byId.get(id);
    if (!user) return;
    this.byId.delete(id);
    this.byName.delete(user.username);
    if (user.accessTokenHash !== undefined) this.byAccessToken.delete(user.accessTokenHash);
    this.changes.announce({ of: "user", id, what: "removed" });
  }

  /** Adds a user, or takes over everything of it but its balance, which `Balances` alone moves. */
  private takeOver({ user, passwordHash, accessTokenHash }: UserRecord): User {
    const known = this.byId.get(user.id);
    if (known) {
      this.byName.delete(known.username);
      if (known.accessTokenHash !== undefined) this.byAccessToken.delete(known.accessTokenHash);
    }
    const groups = readGroups(user.group);
    const taken: User = known ?? {
      id: user.id,
      username: user.username,
      displayName: user.displayName,
      role: user.role,
      status: user.status,
      groups,
      passwordHash,
      accessTokenHash,
      account: { id: user.id, quota: user.quota, held: 0, isUnlimited: false },
    };
    taken.username = user.username;
    taken.displayName = user.displayName;
    taken.role = user.role;
    taken.status = user.status;
    taken.groups = groups;
    taken.limits = user.limits;
    taken.passwordHash = passwordHash;
    taken.accessTokenHash = accessTokenHash;
    this.byId.set(taken.id, taken);
    this.byName.set(taken.username, taken);
    if (accessTokenHash !== undefined) this.byAccessToken.set(accessTokenHash, taken);
    return taken;
  }
}
