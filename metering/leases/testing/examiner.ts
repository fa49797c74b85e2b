import type { AccountId, BatchBooked, ChargeBatch } from "@tollgate/contract/records/lease";
import type { LeaseRefusal } from "../decide-hold";
import { spareOf } from "../lease";
import type { Installation, Process, Request } from "./installation";

interface BeforeBooking {
  /** Whether each charge of the batch was booked before. */
  readonly known: readonly boolean[];
  readonly settled: number;
}

/**
 * Checks invariants where a step may have broken them: in accounts that the database touched, and on the node that ran.
 */
export class Examiner {
  /** Charges of removed accounts. */
  private settledBefore = 0;

  constructor(private readonly world: Installation) {}

  noteRemoved(id: AccountId): void {
    this.settledBefore += this.world.db.accounts.get(id)?.settled ?? 0;
  }

  /** A refund to a removed key is lost. */
  noteRefund(requestId: string): void {
    const { db } = this.world;
    const row = db.charges.get(requestId);
    if (row?.key && !row.isRefunded && !db.accounts.has(row.key))
      this.settledBefore -= row.booked.takenFromKey;
  }

  /** No balance below zero, and granted = balance + leased + settled. */
  examineAccount(id: AccountId): void {
    const row = this.world.db.accounts.get(id);
    if (!row) return;
    let sum = row.quota + row.settled;
    for (const { quota } of row.leases) {
      if (quota < 0) this.world.fail(`a lease of ${id} is below zero: ${quota}`);
      sum += quota;
    }
    if (row.quota < 0) this.world.fail(`${id} is below zero: ${row.quota}`);
    if (sum !== row.granted)
      this.world.fail(`${id} was granted ${row.granted}, but balance, leases and charges are ${sum}`);
  }

  /** A node's spendable quota and its uncommitted spending are leased to it; its holds are those of its requests. */
  examineNode(node: Process): void {
    const { db } = this.world;
    const { epoch } = node.leases.liveness;
    const isLive = epoch !== undefined && db.nodes.has(epoch);
    let held = 0;
    let heldByKeys = 0;
    for (const { lease, isUser, row, uncommitted, epoch: ofEpoch } of node.shares.values()) {
      const { quota } = lease;
      if (quota < 0 || lease.held < 0)
        this.world.fail(`${node.name} has less than nothing of ${lease.account}`);
      if (isUser) held += lease.held;
      else heldByKeys += lease.held;
      const needed = quota + (ofEpoch === epoch ? uncommitted : 0);
      if (!isLive || needed === 0 || db.accounts.get(lease.account) !== row) continue;
      let leased = 0;
      for (const each of row.leases) if (each.epoch === epoch) leased = each.quota;
      if (needed > leased)
        this.world.fail(`${node.name} counts on ${needed} of ${lease.account}, but leases ${leased}`);
    }
    for (const { hold } of node.open) {
      held -= hold?.quota ?? 0;
      heldByKeys -= hold?.keyQuota ?? 0;
    }
    if (held !== 0 || heldByKeys !== 0)
      this.world.fail(`${node.name} holds ${held} and ${heldByKeys} that no request needs`);
  }

  examineAdmission({ name, leases }: Process, request: Request): void {
    const { db, excusedEpoch } = this.world;
    const epoch = leases.liveness.epoch ?? 0;
    if (epoch > excusedEpoch && !db.nodes.has(epoch))
      this.world.fail(`${name} admits ${request.id} in epoch ${epoch}, which is over`);
  }

  /** "Exceeded" is reported only when the total is insufficient. */
  examineRefusal(node: Process, request: Request, refusal: LeaseRefusal): void {
    const account = refusal.startsWith("user") ? request.payer.user : request.key;
    if (refusal.endsWith("held") && this.spareSum(account) >= Math.max(1, request.least))
      this.world.met.heldThoughSpare += 1;
    if (!refusal.endsWith("exceeded")) return;
    if ((this.world.raisedAt.get(account) ?? -1) >= request.begunAt) return;
    const { epoch } = node.leases.liveness;
    const share = node.shares.get(account);
    const there = this.world.sumOf(account) - (share && share.epoch === epoch ? share.uncommitted : 0);
    if (there >= Math.max(1, request.least))
      this.world.fail(`${request.id} is refused for ${request.least} of ${account}, which has ${there}`);
  }

  /** The last byte leaves only after the charge is committed, and the charge is the price. */
  examineDelivery({ id, price }: Request): void {
    const booked = this.world.db.charges.get(id)?.booked;
    if (!booked) this.world.fail(`${id} was delivered without a charge`);
    if (booked.charged + booked.shortfall !== price)
      this.world.fail(`${id} costs ${price}, but ${booked.charged} + ${booked.shortfall} was charged`);
  }

  beforeBooking({ charges }: ChargeBatch): BeforeBooking {
    const { db } = this.world;
    return { known: charges.map(({ requestId }) => db.charges.has(requestId)), settled: this.settledSum() };
  }

  /** Each taken amount is booked, once; a hold of this epoch covers its price. */
  afterBooking(batch: ChargeBatch, { booked, isLate }: BatchBooked, before: BeforeBooking): void {
    const world: Installation = this.world;
    let sum = 0;
    for (const [index, charge] of batch.charges.entries()) {
      this.examineAccount(charge.user);
      if (charge.key) this.examineAccount(charge.key);
      const result = booked[index];
      if (before.known[index] || !result) continue;
      sum += result.charged + result.takenFromKey;
      const request = world.charged.get(charge.requestId);
      if (!request?.hold) world.fail(`${charge.requestId} is charged, and nobody asked for it`);
      this.noteBooked(request, charge.user, charge.quota, batch.epoch);
      this.noteBooked(request, charge.key, charge.keyQuota, batch.epoch);
      world.met.charges += 1;
      if (isLate) world.met.lateCharges += 1;
      if (result.shortfall === 0) continue;
      if (isLate) world.met.lateShortfalls += 1;
      else world.met.otherShortfalls += 1;
      if (!isLate && world.sumOf(charge.user) > 0) world.met.shortfallsThoughLeased += 1;
      if (isLate || request.epoch !== batch.epoch) continue;
      // Only a price above its hold takes quota held by others.
      const share = request.node.shares.get(charge.user);
      if (!share) continue;
      share.overdrawn -= Math.max(0, result.shortfall - Math.max(0, request.price - request.hold.quota));
      if (share.overdrawn < 0)
        world.fail(`${charge.requestId} held what it costs, and ${-share.overdrawn} of it was not there`);
    }
    const taken = this.settledSum() - before.settled;
    if (taken !== sum) world.fail(`a batch is booked as ${sum}, and takes ${taken}`);
  }

  /** Book = charges = balances = log. */
  examineEnd(): void {
    const world: Installation = this.world;
    const { db } = world;
    let charges = 0;
    for (const [id, { booked, isRefunded }] of db.charges) {
      const request = world.charged.get(id);
      if (!request) world.fail(`${id} is charged, and nobody asked for it`);
      const { price, isDelivered, isGivenUp, node } = request;
      const { charged, shortfall, takenFromKey } = booked;
      if (charged + shortfall !== price) world.fail(`${id} costs ${price}, charged ${charged}`);
      if (isRefunded && isDelivered) world.fail(`${id} was delivered, and its charge is taken back`);
      if (isGivenUp && !isRefunded && node.leases.hasLeft)
        world.fail(`${id} was not delivered, and is charged`);
      if (!isRefunded) charges += charged + takenFromKey;
    }
    for (const { id, isDelivered } of world.charged.values())
      if (isDelivered && !db.charges.has(id)) world.fail(`${id} was delivered, and its charge is forgotten`);
    if (charges !== this.settledSum())
      world.fail(`the charges are ${charges}, the accounts ${this.settledSum()}`);
    const lines = new Map<string, number>();
    for (const { requestId, charged } of db.lines)
      lines.set(requestId, (lines.get(requestId) ?? 0) + charged);
    for (const [id, { booked, isRefunded }] of db.charges)
      if (lines.get(id) !== (isRefunded ? 0 : booked.charged))
        world.fail(`the lines of ${id} say ${lines.get(id)}`);
    if (lines.size !== db.charges.size)
      world.fail(`${db.charges.size} charges have lines of ${lines.size} requests`);
    for (const [id, { leases, quota, settled, granted }] of db.accounts) {
      if (leases.length > 0) world.fail(`${leases.length} leases of ${id} are left`);
      if (quota + settled !== granted)
        world.fail(`${id} was granted ${granted}: ${quota} left, ${settled} charged`);
    }
  }

  /** Quota that is neither needed by a hold nor leased to an unreachable node. */
  private spareSum(account: AccountId): number {
    let sum = this.world.db.accounts.get(account)?.quota ?? 0;
    for (const { shares, leases } of this.world.processes) {
      const lease = shares.get(account)?.lease;
      if (lease && this.world.db.nodes.has(leases.liveness.epoch ?? 0)) sum += spareOf(lease);
    }
    return sum;
  }

  private settledSum(): number {
    let sum = this.settledBefore;
    for (const { settled } of this.world.db.accounts.values()) sum += settled;
    return sum;
  }

  /** Quota taken from a lease, until it is booked. @param above the price's excess over its hold. */
  noteTaken(node: Process, account: AccountId, quota: number, above: number): void {
    const share = node.shares.get(account);
    const { epoch } = node.leases.liveness;
    if (!share || epoch === undefined) return;
    if (share.epoch !== epoch) share.uncommitted = 0;
    share.epoch = epoch;
    share.uncommitted += quota;
    share.overdrawn += Math.max(0, above);
  }

  private noteBooked({ node }: Request, account: AccountId | undefined, quota: number, epoch: number): void {
    const share = account && node.shares.get(account);
    if (share && share.epoch === epoch) share.uncommitted -= quota;
  }
}
