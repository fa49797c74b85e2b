import type {
  AccountId,
  BalanceEdit,
  BatchBooked,
  BookedCharge,
  ChargeBatch,
  EditDone,
  EpochOver,
  LeaseCharge,
  LeaseGrant,
  LeaseRecall,
  LeaseReturn,
  LeaseWish,
  LowBalance,
  NodeJoined,
  NodeRenewed,
} from "@tollgate/contract/records/lease";

/** Whether a balance just fell below the threshold for notifying its owner. */
const crosses = (before: number, after: number, remindBelow: number): boolean =>
  (before >= remindBelow && after < remindBelow) || (before > 0 && after === 0);

/** A node's lease of one account: `leases(epoch, account, quota, number, granted)`. */
interface LeaseRow {
  readonly epoch: number;
  /** CHECK (quota >= 0) */
  quota: number;
  /** The number of the newest change. */
  number: number;
  /** The grant of that change, for a repeated request. */
  granted: number;
}

/** `accounts(id, quota, granted, settled)`, with its rows of `leases`. */
export interface AccountRow {
  /** Quota that is not leased. CHECK (quota >= 0) */
  quota: number;
  /** All quota ever given, minus quota taken back. */
  granted: number;
  /** All that was ever charged. */
  settled: number;
  leases: LeaseRow[];
}

interface ChargeRow {
  readonly booked: BookedCharge;
  readonly user: AccountId;
  readonly key: AccountId | undefined;
  isRefunded: boolean;
}

interface NodeRow {
  /** In the database's clock, milliseconds. */
  expiresAt: number;
}

/**
 * The database's part of leases, as the reference for the statements of a real one: each method is one transaction, and
 * shows which. Row locks are taken in this order: the node's row, accounts by id, leases.
 * Nodes use only its methods; the rows are public for checks.
 */
export class LeaseDatabase {
  readonly accounts = new Map<AccountId, AccountRow>();
  readonly nodes = new Map<number, NodeRow>();
  /** `charges(request_id PRIMARY KEY, …)` */
  readonly charges = new Map<string, ChargeRow>();
  /** Lines of the log, of the same transactions as the charges and the refunds. */
  readonly lines: { readonly requestId: string; readonly charged: number }[] = [];
  /** `ledger_entries(account, amount, reference UNIQUE)`: all that was granted, and why. */
  readonly entries = new Map<string, { readonly account: AccountId; readonly amount: number }>();
  private readonly edits = new Map<string, number>();
  private newestEpoch = 0;

  /**
   * @param nodeLifeMs how long a node may be silent.
   * @param announce puts a row into the change feed, which all nodes read.
   */
  constructor(
    private readonly nodeLifeMs: number,
    private readonly announce: (recall: LeaseRecall) => void,
  ) {}

  /** A new account with a balance. */
  open(id: AccountId, quota: number): void {
    this.accounts.set(id, { quota, granted: quota, settled: 0, leases: [] });
    this.entries.set(`opening ${id}`, { account: id, amount: quota });
  }

  /**
   * Adds quota to an account, or takes up to this much unleased quota; once per reference, even for repeated calls:
   *
   *     UPDATE accounts SET quota = quota WHERE id = $1 RETURNING quota           -- others wait here
   *     INSERT INTO ledger_entries … ON CONFLICT (reference) DO NOTHING RETURNING id
   *     UPDATE accounts SET quota = quota + $2, granted = granted + $2 WHERE id = $1
   *
   * @param quota negative to take quota. @returns the moved amount; 0 where it was booked before.
   */
  move(id: AccountId, quota: number, reference: string): number {
    const account = this.accounts.get(id);
    if (!account || this.isEntered(reference)) return 0;
    const moved = Math.max(quota, 0 - account.quota);
    if (moved === 0) return 0;
    this.entries.set(reference, { account: id, amount: moved });
    this.take(account, -moved);
    account.granted += moved;
    return moved;
  }

  /**
   * `DELETE FROM accounts WHERE id = $1`, and its rows of `leases` with it. For nodes without news of it a missing
   * account is an empty one: no wish is granted, and no part of a charge is covered.
   */
  remove(id: AccountId): void {
    this.accounts.delete(id);
  }

  /** `INSERT INTO nodes (epoch, expires_at) VALUES (nextval('epochs'), now() + life) RETURNING epoch` */
  join(now: number): NodeJoined {
    this.newestEpoch += 1;
    this.nodes.set(this.newestEpoch, { expiresAt: now + this.nodeLifeMs });
    return { epoch: this.newestEpoch };
  }

  /**
   * `UPDATE nodes SET expires_at = now() + life WHERE epoch = $1 RETURNING (SELECT count(*) FROM nodes)`, and the count
   * of earlier nodes: an expired row that no node has removed stays alive.
   */
  renew(epoch: number, now: number): NodeRenewed | EpochOver {
    const node = this.nodes.get(epoch);
    if (!node) return "epoch-over";
    node.expiresAt = now + this.nodeLifeMs;
    const rank = [...this.nodes.keys()].filter((other) => other < epoch).length;
    return { liveNodes: this.nodes.size, rank };
  }

  /**
   * Ends the epochs of nodes that were silent for too long; any node may call it at any time. One transaction:
   *
   *     WITH ended AS (DELETE FROM nodes WHERE expires_at < now() RETURNING epoch),
   *       freed AS (DELETE FROM leases USING ended WHERE leases.epoch = ended.epoch RETURNING account, quota)
   *     UPDATE accounts SET quota = quota + sum(freed.quota) … GROUP BY account
   */
  expire(now: number): number[] {
    const ended: number[] = [];
    for (const [epoch, { expiresAt }] of this.nodes) if (expiresAt < now) ended.push(epoch);
    for (const epoch of ended) this.endEpoch(epoch);
    return ended;
  }

  /** A graceful stop: the same for the node's own row, before its expiry. An ended epoch stays unchanged. */
  leave(epoch: number): void {
    if (this.nodes.has(epoch)) this.endEpoch(epoch);
  }

  /**
   * Moves quota from an account into a lease:
   *
   *     SELECT 1 FROM nodes WHERE epoch = $1 FOR SHARE            -- no row: the epoch is over
   *     INSERT INTO leases … ON CONFLICT (epoch, account) DO UPDATE SET number = $3 WHERE leases.number < $3
   *     UPDATE accounts SET quota = quota - granted … RETURNING granted, quota
   *
   * where `amountFor` computes `granted` from the locked row. Where it is too little and other nodes lease some of the
   * account, a recall goes to the change feed in the same transaction.
   */
  acquire(wish: LeaseWish): LeaseGrant | EpochOver {
    if (!this.isLive(wish.epoch)) return "epoch-over";
    const account = this.accounts.get(wish.account);
    if (!account) return { granted: 0, left: 0, elsewhere: 0 };
    const row = this.leaseOf(account, wish.epoch);
    const elsewhere = this.leasedElsewhere(account, wish.epoch);
    if (this.isDone(row, wish.number)) return { granted: row.granted, left: account.quota, elsewhere };
    const granted = this.amountFor(wish, account.quota, elsewhere);
    row.number = wish.number;
    row.granted = granted;
    this.take(account, granted);
    row.quota += granted;
    if (granted < wish.most && elsewhere > 0) this.announce({ account: wish.account, epoch: wish.epoch });
    return { granted, left: account.quota, elsewhere };
  }

  /** The reverse, in the same form; a repeated return, or one of an ended epoch, changes nothing. */
  giveBack({ epoch, account: id, number, quota }: LeaseReturn): EpochOver | undefined {
    if (!this.isLive(epoch)) return "epoch-over";
    const account = this.accounts.get(id);
    if (!account) return undefined;
    const row = this.leaseOf(account, epoch);
    if (this.isDone(row, number)) return undefined;
    row.number = number;
    row.granted = 0;
    this.takeFromLease(row, quota);
    account.quota += quota;
    return undefined;
  }

  /**
   * Commits charges, their sums and their lines of the log:
   *
   *     SELECT 1 FROM nodes WHERE epoch = $1 FOR SHARE            -- no row: all of it is late
   *     INSERT INTO charges … ON CONFLICT (request_id) DO NOTHING RETURNING request_id
   *     UPDATE leases SET quota = quota - sum …                   -- of the inserted ones, where the epoch lives
   *     UPDATE accounts SET quota = quota - least(quota, rest), settled = settled + …
   *     INSERT INTO log_lines …
   *
   * A repeated charge returns its first booking.
   */
  book({ epoch, charges }: ChargeBatch, remindBelow?: number): BatchBooked {
    const isLate = !this.isLive(epoch);
    const booked = charges.map((charge) => this.bookOne(charge, isLate ? undefined : epoch));
    if (remindBelow === undefined) return { isLate, booked };
    return { isLate, booked, low: this.lowBalances(charges, booked, remindBelow) };
  }

  /**
   * Reverses a charge without delivered output, once:
   *
   *     UPDATE charges SET is_refunded = true WHERE request_id = $1 AND NOT is_refunded RETURNING …
   *     UPDATE accounts SET quota = quota + charged, settled = settled - charged …
   *     INSERT INTO log_lines …
   */
  refund(requestId: string): void {
    const row = this.charges.get(requestId);
    if (!row || this.isRefunded(row)) return;
    row.isRefunded = true;
    const { user, key, booked } = row;
    this.giveTo(user, booked.charged);
    if (key) this.giveTo(key, booked.takenFromKey);
    this.lines.push({ requestId, charged: -booked.charged });
  }

  /**
   * Sets a balance; does nothing if leases prevent such a low balance, unless it is the last try:
   *
   *     UPDATE accounts SET quota = quota + $2, granted = granted + $2 WHERE id = $1 AND quota + $2 >= 0
   *
   * and where no row matched, a recall goes to the change feed.
   */
  edit({ id, account: accountId, wanted, isLast }: BalanceEdit): EditDone {
    const account = this.accounts.get(accountId);
    if (!account) return { moved: 0, balance: 0 };
    const balance = account.quota + this.leasedElsewhere(account, undefined);
    const done = this.edits.get(id);
    if (done !== undefined) return { moved: done, balance };
    const difference = wanted - balance;
    if (account.quota + difference < 0 && !isLast) {
      this.announce({ account: accountId, epoch: undefined });
      return { moved: undefined, balance };
    }
    const moved = Math.max(difference, -account.quota);
    this.take(account, -moved);
    account.granted += moved;
    this.entries.set(`edit ${id}`, { account: accountId, amount: moved });
    this.edits.set(id, moved);
    return { moved, balance: balance + moved };
  }

  /** Requests that nodes return unneeded quota of an account. @returns the leased sum. */
  recall(accountId: AccountId): number {
    const account = this.accounts.get(accountId);
    if (!account) return 0;
    const leased = this.leasedElsewhere(account, undefined);
    if (leased > 0) this.announce({ account: accountId, epoch: undefined });
    return leased;
  }

  /** Users that a batch took below a threshold, or to nothing; of one that is sent again the same. */
  private lowBalances(
    charges: readonly LeaseCharge[],
    booked: readonly BookedCharge[],
    remindBelow: number,
  ): LowBalance[] {
    const taken = new Map<AccountId, number>();
    for (const [index, { user }] of charges.entries())
      taken.set(user, (taken.get(user) ?? 0) + (booked[index]?.charged ?? 0));
    return [...taken].sort().flatMap(([user, quota]) => {
      const account = this.accounts.get(user);
      if (!account) return [];
      const left = account.quota + this.leasedElsewhere(account, undefined);
      return crosses(left + quota, left, remindBelow) ? [{ user, left }] : [];
    });
  }

  protected isLive(epoch: number): boolean {
    return this.nodes.has(epoch);
  }

  /** Whether a change of a lease was already executed, or is older than the last one. */
  protected isDone(row: LeaseRow, number: number): boolean {
    return number <= row.number;
  }

  protected isEntered(reference: string): boolean {
    return this.entries.has(reference);
  }

  protected isBooked(requestId: string): boolean {
    return this.charges.has(requestId);
  }

  protected isRefunded(row: ChargeRow): boolean {
    return row.isRefunded;
  }

  /** The grant for a wish, limited by the available quota. */
  protected amountFor(wish: LeaseWish, there: number, elsewhere: number): number {
    const enough = wish.isLast || elsewhere === 0 ? wish.least : wish.most;
    if (there < enough) return 0;
    const share = Math.floor(there / (2 * this.nodes.size));
    return Math.min(there, Math.max(wish.total, Math.min(wish.ahead, share)));
  }

  protected endEpoch(epoch: number): void {
    this.nodes.delete(epoch);
    for (const account of this.accounts.values()) this.freeLease(account, epoch);
  }

  protected freeLease(account: AccountRow, epoch: number): void {
    const { leases } = account;
    for (let index = 0; index < leases.length; index += 1) {
      const row = leases[index];
      if (row?.epoch !== epoch) continue;
      account.quota += row.quota;
      leases.splice(index, 1);
      return;
    }
  }

  /** @param epoch undefined for a charge that is late. */
  protected bookOne(charge: LeaseCharge, epoch: number | undefined): BookedCharge {
    const known = this.isBooked(charge.requestId) ? this.charges.get(charge.requestId) : undefined;
    if (known) return known.booked;
    const price = charge.quota + charge.shortfall;
    const charged = this.takeCharge(charge.user, charge.quota, price, epoch);
    const takenFromKey = charge.key ? this.takeCharge(charge.key, charge.keyQuota, charged, epoch) : 0;
    const booked: BookedCharge = {
      requestId: charge.requestId,
      charged,
      shortfall: price - charged,
      takenFromKey,
      keyShortfall: charge.key ? charged - takenFromKey : 0,
    };
    const { user, key } = charge;
    this.charges.set(charge.requestId, { booked, user, key, isRefunded: false });
    this.lines.push(booked);
    return booked;
  }

  /** @returns the amount taken of `price`: `leased` from the lease, the rest from the account as far as possible. */
  private takeCharge(id: AccountId, leased: number, price: number, epoch: number | undefined): number {
    const account = this.accounts.get(id);
    if (!account) return 0;
    const fromLease = epoch === undefined ? 0 : leased;
    if (epoch !== undefined && fromLease > 0) this.takeFromLease(this.leaseOf(account, epoch), fromLease);
    const fromAccount = Math.min(account.quota, price - fromLease);
    this.take(account, fromAccount);
    account.settled += fromLease + fromAccount;
    return fromLease + fromAccount;
  }

  private giveTo(id: AccountId, quota: number): void {
    const account = this.accounts.get(id);
    if (!account) return;
    account.quota += quota;
    account.settled -= quota;
  }

  private take(account: AccountRow, quota: number): void {
    account.quota -= quota;
    if (account.quota < 0) throw new Error(`CHECK (quota >= 0) of an account: ${account.quota}`);
  }

  private takeFromLease(row: LeaseRow, quota: number): void {
    row.quota -= quota;
    if (row.quota < 0) throw new Error(`CHECK (quota >= 0) of a lease of epoch ${row.epoch}: ${row.quota}`);
  }

  private leaseOf(account: AccountRow, epoch: number): LeaseRow {
    for (const row of account.leases) if (row.epoch === epoch) return row;
    const row = { epoch, quota: 0, number: 0, granted: 0 };
    account.leases.push(row);
    return row;
  }

  private leasedElsewhere({ leases }: AccountRow, epoch: number | undefined): number {
    let sum = 0;
    for (const row of leases) if (row.epoch !== epoch) sum += row.quota;
    return sum;
  }
}
