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

/** Whether a balance has just become so small that its owner is to know. */
const crosses = (before: number, after: number, remindBelow: number): boolean =>
  (before >= remindBelow && after < remindBelow) || (before > 0 && after === 0);

/** What one node leases of one account: `leases(epoch, account, quota, number, granted)`. */
interface LeaseRow {
  readonly epoch: number;
  /** CHECK (quota >= 0) */
  quota: number;
  /** The number of the newest change. */
  number: number;
  /** What that change was granted, should it be asked again. */
  granted: number;
}

/** `accounts(id, quota, granted, settled)`, with its rows of `leases`. */
export interface AccountRow {
  /** What nobody leases. CHECK (quota >= 0) */
  quota: number;
  /** All that was ever given and not taken back. */
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
 * What the database does about leases, as the reference for the statements of a real one: each method is one
 * transaction, and says which. Row locks are taken in this order: the node's row, accounts by id, leases.
 *
 * Nodes reach it only by its methods; the rows are open to whoever checks them.
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
   * Gives to an account, or takes of it what nobody leases, at most so much; once for a reference, whoever asks for it again:
   *
   *     UPDATE accounts SET quota = quota WHERE id = $1 RETURNING quota           -- others wait here
   *     INSERT INTO ledger_entries … ON CONFLICT (reference) DO NOTHING RETURNING id
   *     UPDATE accounts SET quota = quota + $2, granted = granted + $2 WHERE id = $1
   *
   * @param quota less than 0 for what is taken. @returns by how much it moved; 0 where it was booked before.
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
   * `DELETE FROM accounts WHERE id = $1`, and its rows of `leases` with it. To nodes that did not hear of it yet an account
   * that is not there is one with nothing in it: no wish is granted, and nothing of a charge is covered.
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
   * `UPDATE nodes SET expires_at = now() + life WHERE epoch = $1 RETURNING (SELECT count(*) FROM nodes)`, and of those
   * before it: a row whose time is over, but which nobody met, goes on.
   */
  renew(epoch: number, now: number): NodeRenewed | EpochOver {
    const node = this.nodes.get(epoch);
    if (!node) return "epoch-over";
    node.expiresAt = now + this.nodeLifeMs;
    const place = [...this.nodes.keys()].filter((other) => other < epoch).length;
    return { liveNodes: this.nodes.size, place };
  }

  /**
   * Ends the epochs of nodes that were silent for too long; any node may ask for it at any time. One transaction:
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

  /** A graceful stop: the same for the node's own row, whatever its time. An epoch that is over is left as it is. */
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
   * where `granted` is worked out of the locked row as `amountFor` says. Where it is too little and other nodes lease some of
   * the account, a recall goes to the change feed in the same transaction.
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

  /** The other way, in the same form; a return that is repeated, or whose epoch is over, changes nothing. */
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
   * A charge that was there already is answered as it was booked.
   */
  book({ epoch, charges }: ChargeBatch, remindBelow?: number): BatchBooked {
    const isLate = !this.isLive(epoch);
    const booked = charges.map((charge) => this.bookOne(charge, isLate ? undefined : epoch));
    if (remindBelow === undefined) return { isLate, booked };
    return { isLate, booked, low: this.lowBalances(charges, booked, remindBelow) };
  }

  /**
   * Takes a charge back of which nothing was delivered, once:
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
   * Sets a balance, or, if leases keep it from becoming so little and it is not the last try, does nothing:
   *
   *     UPDATE accounts SET quota = quota + $2, granted = granted + $2 WHERE id = $1 AND quota + $2 >= 0
   *
   * and where no row was met, a recall goes to the change feed.
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

  /** Asks the nodes to give back of an account what they do not need. @returns how much they lease of it. */
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

  /** Whether a change of a lease was done before, or is older than one that was. */
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

  /** What a wish is granted of what is there. */
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

  /** @returns what was taken of `price`: `leased` from the lease, the rest from the account as far as it goes. */
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
