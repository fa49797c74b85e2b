import type {
  AccountId,
  BalanceEdit,
  BatchBooked,
  ChargeBatch,
  EditDone,
  EpochOver,
  LeaseGrant,
  LeaseReturn,
  LeaseWish,
  NodeJoined,
  NodeRenewed,
} from "@tollgate/contract/records/lease";
import { LeaseDatabase } from "./lease-database";
import { createRandom } from "./random";

/** A request of nodes to a database of leases, and the required answer. */
export type LeaseStep =
  | { kind: "join"; answer: NodeJoined }
  | { kind: "renew"; epoch: number; answer: NodeRenewed | EpochOver }
  /** No request: the node has expired from here on. */
  | { kind: "silence"; epoch: number }
  | { kind: "expire"; answer: readonly number[] }
  | { kind: "leave"; epoch: number }
  | { kind: "acquire"; wish: LeaseWish; answer: LeaseGrant | EpochOver }
  | { kind: "give back"; change: LeaseReturn; answer: EpochOver | undefined }
  | { kind: "book"; batch: ChargeBatch; answer: BatchBooked }
  | { kind: "refund"; requestId: string }
  | { kind: "edit"; edit: BalanceEdit; answer: EditDone };

/** Accounts before the first step, with their balances. */
export const FIRST_BALANCES: readonly (readonly [AccountId, number])[] = [
  ["user:1", 5000],
  ["user:2", 300],
  ["key:1", 1000],
];

/** Lower balances are reported. */
export const REMIND_BELOW = 700;

/** Lifetime of nodes, in the time of the steps: none expires by itself. */
const LIFE_MS = 1_000_000;

/**
 * Possible requests of nodes, drawn from a seed, with the reference's answers: another database is right when it
 * answers the same (epochs may have other numbers) and has the same balances at the end. Some requests are repeated, or
 * name an ended epoch.
 */
export class LeaseSteps {
  readonly reference = new LeaseDatabase(LIFE_MS, () => {});
  private readonly random: () => number;
  private readonly epochs: number[] = [];
  private readonly asked: (() => LeaseStep)[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly requests: string[] = [];
  private edits = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
    for (const [id, quota] of FIRST_BALANCES) this.reference.open(id, quota);
  }

  /** The next step, which the reference has done. */
  next(): LeaseStep {
    if (this.epochs.length === 0 || this.random() < 0.02) return this.join();
    const draw = this.random();
    if (draw < 0.15 && this.asked.length > 0) return this.pick(this.asked)();
    if (draw < 0.4) return this.keep(this.acquire());
    if (draw < 0.5) return this.keep(this.giveBack());
    if (draw < 0.75) return this.keep(this.book());
    if (draw < 0.8) return this.keep(this.refund());
    if (draw < 0.9) return this.keep(this.edit());
    return this.live();
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private pick<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error("there is nothing to choose from");
    return one;
  }

  /** One of the newest, or one that may be over. */
  private epoch(): number {
    return this.pick(this.random() < 0.8 ? this.epochs.slice(-3) : this.epochs);
  }

  private account(): AccountId {
    return this.pick(FIRST_BALANCES)[0];
  }

  private keep(step: () => LeaseStep): LeaseStep {
    this.asked.push(step);
    return step();
  }

  private join(): LeaseStep {
    const answer = this.reference.join(0);
    this.epochs.push(answer.epoch);
    return { kind: "join", answer };
  }

  private live(): LeaseStep {
    const epoch = this.epoch();
    const draw = this.random();
    if (draw < 0.4) return { kind: "renew", epoch, answer: this.reference.renew(epoch, 0) };
    if (draw < 0.5) {
      this.reference.leave(epoch);
      return { kind: "leave", epoch };
    }
    if (draw < 0.6) {
      const node = this.reference.nodes.get(epoch);
      if (node) node.expiresAt = -1;
      return { kind: "silence", epoch };
    }
    return { kind: "expire", answer: this.reference.expire(0) };
  }

  private numberOf(epoch: number, account: AccountId): number {
    const number = (this.numbers.get(`${epoch} ${account}`) ?? 0) + 1;
    this.numbers.set(`${epoch} ${account}`, number);
    return number;
  }

  /** The quota a node may count on: it never returns or charges more. */
  private leased(epoch: number, account: AccountId): number {
    if (!this.reference.nodes.has(epoch)) return 100;
    return this.reference.accounts.get(account)?.leases.find((row) => row.epoch === epoch)?.quota ?? 0;
  }

  private acquire(): () => LeaseStep {
    const [epoch, account] = [this.epoch(), this.account()];
    const least = this.below(150);
    const most = least + this.below(200);
    const wish: LeaseWish = {
      epoch,
      account,
      number: this.numberOf(epoch, account),
      least,
      most,
      total: most + this.below(200),
      ahead: this.below(800),
      isLast: this.random() < 0.2,
    };
    return () => ({ kind: "acquire", wish, answer: this.reference.acquire(wish) });
  }

  private giveBack(): () => LeaseStep {
    const [epoch, account] = [this.epoch(), this.account()];
    const quota = this.below(this.leased(epoch, account) + 1);
    const change: LeaseReturn = { epoch, account, number: this.numberOf(epoch, account), quota };
    return () => ({ kind: "give back", change, answer: this.reference.giveBack(change) });
  }

  private book(): () => LeaseStep {
    const epoch = this.epoch();
    const left = new Map(FIRST_BALANCES.map(([account]) => [account, this.leased(epoch, account)]));
    const take = (account: AccountId, most: number): number => {
      const there = left.get(account) ?? 0;
      const quota = this.below(Math.min(most, there) + 1);
      left.set(account, there - quota);
      return quota;
    };
    const charges = Array.from({ length: 1 + this.below(4) }, () => {
      const requestId = `r${this.requests.length}`;
      this.requests.push(requestId);
      const user = this.pick<AccountId>(["user:1", "user:2"]);
      const quota = take(user, 60);
      const isLimited = this.random() < 0.5;
      return {
        requestId,
        user,
        quota,
        shortfall: this.random() < 0.3 ? this.below(80) : 0,
        key: isLimited ? ("key:1" as const) : undefined,
        keyQuota: isLimited ? take("key:1", quota) : 0,
      };
    });
    const batch: ChargeBatch = { epoch, charges };
    return () => ({ kind: "book", batch, answer: this.reference.book(batch, REMIND_BELOW) });
  }

  private refund(): () => LeaseStep {
    const requestId = this.requests.length > 0 ? this.pick(this.requests) : "unknown";
    return () => {
      this.reference.refund(requestId);
      return { kind: "refund", requestId };
    };
  }

  private edit(): () => LeaseStep {
    this.edits += 1;
    const account = this.account();
    const row = this.reference.accounts.get(account);
    const there = row?.leases.reduce((sum, { quota }) => sum + quota, row.quota) ?? 0;
    const edit: BalanceEdit = {
      id: `e${this.edits}`,
      account,
      wanted: Math.max(0, there + this.below(900) - 450),
      isLast: this.random() < 0.3,
    };
    return () => ({ kind: "edit", edit, answer: this.reference.edit(edit) });
  }
}
