import { PLAYGROUND_KEY_NAME, playgroundKeyId } from "@tollgate/contract/values/playground";
import { TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { NEVER } from "@tollgate/contract/values/time";
import type { Account } from "@tollgate/metering/ledger";
import type { PayingKey } from "@tollgate/metering/payers";
import type { AccountMoney } from "./account-money";
import type { User } from "./users";

/** Requests of one user under way at the same time: two comparisons of four models. */
const MAX_REQUESTS = 8;

/**
 * The keys that stand for the playground of each user. They are not stored and have no secret: only the session of
 * their user reaches them. They have no limit of quota, so the balance of the user alone bounds them.
 */
export class PlaygroundKeys {
  /** One account per user, also for requests of several groups: the leases of a node know an account by its id. */
  private readonly accounts = new WeakMap<User, Account>();

  constructor(private readonly money: Pick<AccountMoney, "createAccount">) {}

  /** @param group the group to use; undefined for the groups of the user. Admission checks it. */
  of(user: User, group: string | undefined): PayingKey {
    const id = playgroundKeyId(user.id);
    const account = this.accounts.get(user) ?? this.money.createAccount("key", id, 0, true);
    this.accounts.set(user, account);
    return {
      id,
      user,
      account,
      name: PLAYGROUND_KEY_NAME,
      status: TOKEN_ENABLED,
      expiredTime: NEVER,
      limits: { concurrency: MAX_REQUESTS },
      group,
    };
  }
}
