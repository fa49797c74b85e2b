import type {
  AccountId,
  BalanceEdit,
  BookedCharge,
  ChargeBatch,
  LeaseCharge,
  LeaseRecall,
  LeaseReturn,
  LeaseWish,
} from "@tollgate/contract/records/lease";
import { LeaseDatabase } from "@tollgate/testkit/lease-database";
import { createRandom } from "@tollgate/testkit/random";
import { type Hold, release, settle } from "../../ledger";
import type { LeaseRefusal } from "../decide-hold";
import { createLease, type Lease } from "../lease";
import type { LeaseEffects } from "../lease-effects";
import { Liveness, NODE_LIFE_MS, RENEW_EVERY_MS } from "../liveness";
import { NodeLeases } from "../node-leases";
import { Examiner } from "./examiner";
import type { Met, Payer, Process, Request, Share } from "./installation";
import { type Message, takeOut, Wire } from "./wire";

/** The parts that a mutation replaces. */
export interface Parts {
  createDatabase(lifeMs: number, announce: (recall: LeaseRecall) => void): LeaseDatabase;
  /** @param wallNow the node's wall clock, which may be set back. */
  createLiveness(wallNow: () => number): Liveness;
  createNode(
    find: (account: AccountId) => Lease | undefined,
    effects: LeaseEffects,
    liveness: Liveness,
  ): NodeLeases;
}

export const PARTS: Parts = {
  createDatabase: (lifeMs, announce) => new LeaseDatabase(lifeMs, announce),
  createLiveness: () => new Liveness(),
  createNode: (find, effects, liveness) => new NodeLeases(find, effects, liveness),
};

/** Probabilities of events, drawn for each world. */
interface Weather {
  loss: number;
  doubling: number;
  delay: number;
  fault: number;
  edit: number;
  jump: number;
}

/** A promise that was not kept. */
export class PromiseBroken extends Error {}

/**
 * One installation: nodes, database, clocks, network and clients as values. Every event is drawn from the seed, one
 * event per step; the invariants are checked after each.
 */
export class World {
  readonly db: LeaseDatabase;
  readonly payers: Payer[] = [];
  readonly processes: Process[] = [];
  /** Every request that came to a settlement, by its id. */
  readonly charged = new Map<string, Request>();
  readonly met: Met = {
    admitted: 0,
    waited: 0,
    refusedExceeded: 0,
    refusedHeld: 0,
    heldThoughSpare: 0,
    refusedNotAdmitting: 0,
    refusedSilent: 0,
    delivered: 0,
    charges: 0,
    refunds: 0,
    lateCharges: 0,
    lateShortfalls: 0,
    otherShortfalls: 0,
    shortfallsThoughLeased: 0,
    recalls: 0,
    edits: 0,
    crashes: 0,
    pauses: 0,
    databaseRestarts: 0,
    epochsEnded: 0,
    lost: 0,
    doubled: 0,
    probes: 0,
  };
  steps = 0;
  /** The truth's time, milliseconds. */
  time = 0;
  /** Epochs up to this one may be ended early: the database's clock was set forward. */
  excusedEpoch = 0;
  /** Last time a balance grew in a way its nodes cannot know, in steps. */
  readonly raisedAt = new Map<AccountId, number>();
  private readonly random: () => number;
  private readonly weather: Weather;
  private readonly wire = new Wire();
  private readonly examiner: Examiner;
  private readonly dbRate: number;
  private dbOffset = 0;
  private dbDownUntil = 0;
  private isCalm = false;
  private isOver = false;
  private requests = 0;
  private editCount = 0;
  private starts = 0;

  constructor(
    readonly seed: number,
    private readonly parts: Parts = PARTS,
    private readonly trace?: (line: string) => void,
  ) {
    this.random = createRandom(seed);
    const storm = this.random();
    const isSteady = storm < 0.15;
    const upTo = (most: number): number => (isSteady ? 0 : this.random() * most);
    this.weather = {
      loss: upTo(0.1),
      doubling: upTo(0.1),
      delay: upTo(0.03),
      fault: upTo(1) ** 3 * 0.01,
      edit: this.random() * 0.02,
      jump: upTo(0.01),
    };
    this.dbRate = this.rate();
    this.db = parts.createDatabase(NODE_LIFE_MS, (recall) => this.announce(recall));
    this.examiner = new Examiner(this);
    this.openAccounts();
    const nodes = 1 + this.below(4);
    for (let rank = 0; rank < nodes; rank += 1) this.processes.push(this.start(rank));
  }

  step(): void {
    this.steps += 1;
    this.time += this.random() < this.weather.jump ? this.random() * 4000 : this.random() * 8;
    const draw = this.random();
    if (draw < this.weather.fault) this.fault();
    else if (draw < 0.45) this.deliverAny();
    else if (draw < 0.62) this.ask();
    else if (draw < 0.78) this.answerAny();
    else if (draw < 0.98) this.tick(this.anyProcess());
    else if (this.random() < this.weather.edit * 50) this.editAny();
    else if (this.random() < 0.02) this.calmDown();
  }

  /** Heals everything, lets everything end, and compares the client's book with the database. */
  finish(): void {
    this.calmDown();
    this.isOver = true;
    for (const node of this.processes) node.leases.stop(this.clockOf(node));
    this.rounds(200, 100, () => this.processes.every(({ leases }) => leases.hasLeft));
    this.examiner.examineEnd();
  }

  say(text: string): void {
    this.trace?.(`${String(this.steps).padStart(6)} ${this.time.toFixed(0).padStart(7)} ms  ${text}`);
  }

  fail(what: string): never {
    throw new PromiseBroken(`seed ${this.seed}, step ${this.steps}: ${what}`);
  }

  /** A node's monotonic clock. */
  clockOf({ rate, clockOffset }: Process): number {
    return this.time * rate + clockOffset;
  }

  /** The account's balance as people see it. */
  sumOf(account: AccountId): number {
    const row = this.db.accounts.get(account);
    if (!row) return 0;
    let sum = row.quota;
    for (const { quota } of row.leases) sum += quota;
    return sum;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** Clocks of any two machines run by a fifth apart at most. */
  private rate(): number {
    return 0.9 + this.random() * 0.2;
  }

  private get dbNow(): number {
    return this.time * this.dbRate + this.dbOffset;
  }

  private pick<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error("there is nothing to choose from");
    return one;
  }

  private anyProcess(): Process {
    return this.pick(this.processes);
  }

  private runs(node: Process): boolean {
    return node.isAlive && node.pausedUntil <= this.time;
  }

  private openAccounts(): void {
    const users = 1 + this.below(3);
    for (let id = 1; id <= users; id += 1) {
      const user: AccountId = `user:${id}`;
      this.db.open(user, this.below(500 * 10 ** this.below(4)));
      const keys = [0, 1].map((index) => {
        const account: AccountId = `key:${id * 10 + index}`;
        const isUnlimited = index === 0;
        this.db.open(account, isUnlimited ? 0 : this.below(500 * 10 ** this.below(4)));
        return { account, isUnlimited };
      });
      this.payers.push({ user, keys });
    }
  }

  private start(rank: number): Process {
    this.starts += 1;
    const shares = new Map<AccountId, Share>();
    const share = (account: AccountId, isUser: boolean, isUnlimited: boolean): void => {
      const lease = createLease(account, 0, isUnlimited);
      // The examiner treats a removed account as empty.
      const row = this.db.accounts.get(account) ?? { quota: 0, granted: 0, settled: 0, leases: [] };
      shares.set(account, { lease, isUser, row, uncommitted: 0, epoch: 0, overdrawn: 0 });
    };
    for (const { user, keys } of this.payers) {
      share(user, true, false);
      for (const { account, isUnlimited } of keys) share(account, false, isUnlimited);
    }
    const node: Process = {
      name: `node ${rank} (start ${this.starts})`,
      rank,
      leases: this.parts.createNode(
        (account) => shares.get(account)?.lease,
        this.effectsOf(() => node),
        this.parts.createLiveness(() => this.time + node.wallOffset),
      ),
      shares,
      waiting: new Map(),
      open: [],
      settled: new Map(),
      rate: this.rate(),
      clockOffset: this.random() * 1e6,
      wallOffset: 0,
      isAlive: true,
      pausedUntil: 0,
      cutOffUntil: 0,
    };
    this.say(`${node.name} starts`);
    return node;
  }

  /** The node's connection to the database: over the wire, where any fault may occur. */
  private effectsOf(nodeOf: () => Process): LeaseEffects {
    const { db } = this;
    return {
      join: (askedAt) => {
        const node = nodeOf();
        this.send(node, "join", () => {
          const reply = db.join(this.dbNow);
          return () => node.leases.joined(askedAt, reply, this.clockOf(node));
        });
      },
      renew: (epoch, askedAt) => {
        const node = nodeOf();
        this.send(node, "renew", () => {
          const reply = db.renew(epoch, this.dbNow);
          return () => node.leases.renewed(epoch, askedAt, reply, this.clockOf(node));
        });
      },
      expire: () => {
        this.send(nodeOf(), "expire", () => {
          const ended = db.expire(this.dbNow);
          this.met.epochsEnded += ended.length;
          if (ended.length > 0) {
            this.say(`epochs ${ended.join(", ")} end`);
            for (const account of db.accounts.keys()) this.examiner.examineAccount(account);
          }
          return undefined;
        });
      },
      acquire: (wish) => this.sendWish(nodeOf(), wish),
      giveBack: (change) => this.sendReturn(nodeOf(), change),
      book: (batch) => this.sendBatch(nodeOf(), batch),
      refund: (requestId) => this.sendRefund(nodeOf(), requestId),
      edit: (edit) => this.sendEdit(nodeOf(), edit),
      leave: (epoch) => {
        const node = nodeOf();
        this.send(node, "leave", () => {
          db.leave(epoch);
          for (const account of db.accounts.keys()) this.examiner.examineAccount(account);
          return () => node.leases.left();
        });
      },
      decided: (waiting, outcome) => {
        const node = nodeOf();
        const request = node.waiting.get(waiting);
        if (!request) this.fail("a hold was decided twice");
        node.waiting.delete(waiting);
        this.begin(node, request, outcome);
      },
      committed: (charge) => this.deliver(nodeOf(), charge),
      refused: ({ requestId }) => this.fail(`${requestId} was refused`),
      heldUp: (requestId) => this.fail(`${requestId} was held up`),
      editDone: (id, moved) => {
        if (this.trace) this.say(`${nodeOf().name}: edit ${id} moved ${moved}`);
      },
    };
  }

  private sendWish(node: Process, wish: LeaseWish): void {
    const { account, number, least, most, total, ahead, isLast } = wish;
    const text = this.trace
      ? `wish ${number} of ${account}: ${least} to ${most}, all ${total}, ahead ${ahead}${isLast ? ", last" : ""}`
      : "";
    this.send(node, text, () => {
      const reply = this.db.acquire(wish);
      this.examiner.examineAccount(account);
      if (this.trace) this.say(`  ${node.name}: ${JSON.stringify(reply)}`);
      return () => node.leases.acquired(wish, reply, this.clockOf(node));
    });
  }

  private sendReturn(node: Process, change: LeaseReturn): void {
    const text = this.trace ? `return ${change.number} of ${change.account}: ${change.quota}` : "";
    this.send(node, text, () => {
      const reply = this.db.giveBack(change);
      this.examiner.examineAccount(change.account);
      return () => node.leases.gaveBack(change, reply, this.clockOf(node));
    });
  }

  private sendBatch(node: Process, batch: ChargeBatch): void {
    const text = this.trace
      ? `charges of epoch ${batch.epoch}: ${batch.charges.map(({ requestId, quota, shortfall }) => `${requestId} ${quota} + ${shortfall}`).join(", ")}`
      : "";
    this.send(node, text, () => {
      const before = this.examiner.beforeBooking(batch);
      const reply = this.db.book(batch);
      this.examiner.afterBooking(batch, reply, before);
      if (this.trace) this.say(`  ${node.name}: ${JSON.stringify(reply)}`);
      return () => node.leases.booked(batch, reply, this.clockOf(node));
    });
  }

  private sendRefund(node: Process, requestId: string): void {
    this.send(node, this.trace ? `refund of ${requestId}` : "", () => {
      const row = this.db.charges.get(requestId);
      if (!row) this.fail(`${requestId} is taken back, and was not booked`);
      this.examiner.noteRefund(requestId);
      this.db.refund(requestId);
      for (const account of [row.user, row.key]) {
        if (!account) continue;
        this.raisedAt.set(account, this.steps);
        this.examiner.examineAccount(account);
      }
      return () => node.leases.refunded(requestId);
    });
  }

  private sendEdit(node: Process, edit: BalanceEdit): void {
    const { id, account, wanted, isLast } = edit;
    const text = this.trace ? `edit ${id} of ${account} to ${wanted}${isLast ? ", last" : ""}` : "";
    this.send(node, text, () => {
      const reply = this.db.edit(edit);
      if (reply.moved !== undefined && reply.moved > 0) this.raisedAt.set(account, this.steps);
      this.examiner.examineAccount(account);
      return () => node.leases.edited(edit, reply, this.clockOf(node));
    });
  }

  /** @param atDatabase executes it at the database. @returns handles the answer on the node. */
  private send(node: Process, text: string, atDatabase: () => (() => void) | undefined): void {
    this.push(node, false, text, () => {
      if (this.time < this.dbDownUntil) return;
      const onReply = atDatabase();
      if (onReply) this.push(node, true, text, onReply);
    });
  }

  private push(node: Process, isToNode: boolean, text: string, deliver: () => void): void {
    const notBefore =
      !this.isCalm && this.random() < this.weather.delay ? this.time + this.random() * 15_000 : 0;
    this.wire.push({ node, isToNode, text, notBefore, deliver });
  }

  /** The change feed: every node hears it, sometime. */
  private announce(recall: LeaseRecall): void {
    this.met.recalls += 1;
    const text = this.trace ? `recall of ${recall.account}` : "";
    for (const node of this.processes) {
      if (!node.isAlive) continue;
      this.push(node, true, text, () => node.leases.recalled(recall, this.clockOf(node)));
    }
  }

  private deliverAny(): void {
    const index = this.below(this.wire.length);
    const message = this.wire.at(index);
    if (!message) return;
    const { node, isToNode } = message;
    if (isToNode && !node.isAlive) {
      this.wire.drop(index);
      return;
    }
    if (message.notBefore > this.time || node.cutOffUntil > this.time) return;
    if (isToNode && node.pausedUntil > this.time) return;
    const chance = this.random();
    if (chance < this.weather.loss) {
      this.met.lost += 1;
      if (this.trace) this.say(`lost ${isToNode ? "to" : "from"} ${node.name}: ${message.text}`);
      this.wire.drop(index);
      return;
    }
    if (chance > 1 - this.weather.doubling) this.met.doubled += 1;
    else this.wire.drop(index);
    this.carry(message);
  }

  private carry({ node, isToNode, text, deliver }: Message): void {
    if (this.trace) this.say(`${isToNode ? "answer to" : "from"} ${node.name}: ${text}`);
    deliver();
    this.examiner.examineNode(node);
  }

  private tick(node: Process): void {
    if (!this.runs(node)) return;
    node.leases.tick(this.clockOf(node));
    this.examiner.examineNode(node);
  }

  private ask(): void {
    const node = this.anyProcess();
    if (!this.runs(node)) return;
    const payer = this.pick(this.payers);
    const key = this.pick(payer.keys).account;
    const least = this.below(60);
    const most = least + this.below(this.random() < 0.2 ? 600 : 60);
    this.request(node, payer, key, least, most);
  }

  private request(node: Process, payer: Payer, key: AccountId, least: number, most: number): Request {
    this.requests += 1;
    const request: Request = {
      id: `r${this.requests}`,
      payer,
      key,
      least,
      most,
      begunAt: this.steps,
      node,
      hold: undefined,
      epoch: 0,
      price: 0,
      isWanted: true,
      isDelivered: false,
      isGivenUp: false,
    };
    if (this.trace) this.say(`${node.name}: ${request.id} of ${payer.user}, ${key}: ${least} to ${most}`);
    const outcome = node.leases.hold(
      this.leaseOf(node, payer.user),
      this.leaseOf(node, key),
      least,
      most,
      this.clockOf(node),
    );
    if (typeof outcome === "object" && "giveUpAt" in outcome) {
      this.met.waited += 1;
      node.waiting.set(outcome, request);
    } else {
      this.begin(node, request, outcome);
    }
    this.examiner.examineNode(node);
    return request;
  }

  private leaseOf(node: Process, account: AccountId): Lease {
    const share = node.shares.get(account);
    if (!share) throw new Error(`${node.name} does not know ${account}`);
    return share.lease;
  }

  private begin(node: Process, request: Request, outcome: Hold | LeaseRefusal): void {
    if (typeof outcome === "string") {
      if (this.trace) this.say(`  ${request.id} is refused: ${outcome}`);
      if (outcome.endsWith("exceeded")) this.met.refusedExceeded += 1;
      else if (outcome.endsWith("held")) this.met.refusedHeld += 1;
      else if (outcome === "database-silent") this.met.refusedSilent += 1;
      else this.met.refusedNotAdmitting += 1;
      this.examiner.examineRefusal(node, request, outcome);
      return;
    }
    this.met.admitted += 1;
    request.hold = outcome;
    request.epoch = node.leases.liveness.epoch ?? 0;
    node.open.push(request);
    if (this.trace) this.say(`  ${request.id} holds ${outcome.quota}, ${outcome.keyQuota} of the key`);
    this.examiner.examineAdmission(node, request);
  }

  /** The wait for a charge took too long, and nothing of its answer was delivered. */
  private giveUp(node: Process): void {
    for (const [id, request] of node.settled) {
      if (this.random() < 0.7) continue;
      this.met.refunds += 1;
      if (this.trace) this.say(`${node.name}: ${id} is given up`);
      node.settled.delete(id);
      request.isGivenUp = true;
      node.leases.refund(id);
      return;
    }
  }

  private answerAny(): void {
    const node = this.anyProcess();
    if (this.runs(node) && this.random() < 0.01) this.giveUp(node);
    if (!this.runs(node) || node.open.length === 0) return;
    const index = this.below(node.open.length);
    const request = node.open[index];
    if (!request) return;
    takeOut(node.open, index);
    this.answer(node, request);
    this.examiner.examineNode(node);
  }

  /** The upstream's answer ends, or fails. */
  private answer(node: Process, request: Request): void {
    const { hold } = request;
    if (!hold) throw new Error(`${request.id} is open without a hold`);
    const chance = this.random();
    if (chance < 0.1) {
      if (this.trace) this.say(`${node.name}: ${request.id} fails`);
      release(hold);
      return;
    }
    // Upstreams keep to the worst case, most of the time.
    request.price = chance < 0.9 ? this.below(hold.quota + 1) : this.below(request.most + 80);
    const { charged, shortfall, takenFromKey } = settle(hold, request.price);
    if (this.trace) this.say(`${node.name}: ${request.id} costs ${request.price}, ${charged} of the lease`);
    const { user } = request.payer;
    this.examiner.noteTaken(node, user, charged, charged - hold.quota);
    this.examiner.noteTaken(node, request.key, takenFromKey, 0);
    const { isUnlimited } = hold.key;
    const charge: LeaseCharge = {
      requestId: request.id,
      user,
      quota: charged,
      shortfall,
      key: isUnlimited ? undefined : request.key,
      keyQuota: takenFromKey,
    };
    request.isWanted = chance < 0.85;
    node.settled.set(request.id, request);
    this.charged.set(request.id, request);
    node.leases.charge(charge, this.clockOf(node));
  }

  /** The last byte of an answer leaves. */
  private deliver(node: Process, { requestId }: BookedCharge): void {
    const request = node.settled.get(requestId);
    if (!request) this.fail(`${requestId} was committed twice to its request`);
    node.settled.delete(requestId);
    this.examiner.examineDelivery(request);
    if (!request.isWanted) return;
    request.isDelivered = true;
    this.met.delivered += 1;
  }

  private editAny(): void {
    const node = this.anyProcess();
    if (!this.runs(node)) return;
    const payer = this.pick(this.payers);
    const key = this.pick(payer.keys);
    const kind = this.random();
    if (kind < 0.1) {
      this.switchLimit(key);
      return;
    }
    if (kind < 0.11) {
      this.say(`${key.account} is removed`);
      this.examiner.noteRemoved(key.account);
      this.db.remove(key.account);
      return;
    }
    const account = this.random() < 0.6 ? payer.user : key.account;
    const difference = this.random() < 0.55 ? this.below(800) : -this.below(800);
    this.editCount += 1;
    this.met.edits += 1;
    const wanted = Math.max(0, this.sumOf(account) + difference);
    node.leases.edit(`e${this.editCount}`, account, wanted, this.clockOf(node));
  }

  /** A key gets or loses its own limit; every node is informed immediately. */
  private switchLimit(key: Payer["keys"][number]): void {
    key.isUnlimited = !key.isUnlimited;
    if (this.trace) this.say(`${key.account} is ${key.isUnlimited ? "not limited" : "limited"}`);
    this.raisedAt.set(key.account, this.steps);
    for (const { shares } of this.processes) {
      const share = shares.get(key.account);
      if (share) share.lease.isUnlimited = key.isUnlimited;
    }
  }

  private fault(): void {
    const node = this.anyProcess();
    const kind = this.below(8);
    if (kind === 0) this.crash(node);
    else if (kind <= 2) this.pause(node);
    else if (kind === 3) {
      node.cutOffUntil = this.time + this.random() * this.random() * 20_000;
      this.say(`${node.name} is cut off`);
    } else if (kind === 4) this.restartDatabase();
    else if (kind === 5) {
      node.wallOffset += (this.random() - 0.5) * 60_000;
      this.say(`the wall clock of ${node.name} is set`);
    } else if (kind === 6) this.setDatabaseClock();
    else if (this.runs(node)) {
      this.say(`${node.name} stops`);
      node.leases.stop(this.clockOf(node));
    }
    if (node.leases.hasLeft || this.random() < 0.3) this.replace(node);
  }

  private pause(node: Process): void {
    this.met.pauses += 1;
    node.pausedUntil = this.time + this.random() * 30_000;
    this.say(`${node.name} is paused`);
    // Like a machine that was suspended, and finds its clock wrong.
    if (this.random() < 0.3) node.wallOffset -= this.random() * 30_000;
  }

  /** kill -9: the process loses all its state. */
  private crash(node: Process): void {
    if (!node.isAlive) return;
    this.met.crashes += 1;
    node.isAlive = false;
    // Settled but uncommitted charges are lost, and their answers were not delivered.
    for (const account of this.db.accounts.keys()) this.raisedAt.set(account, this.steps);
    this.say(`${node.name} is killed`);
  }

  /** A new process in place of an ended one. */
  private replace(node: Process): void {
    if (node.isAlive && !node.leases.hasLeft) return;
    node.isAlive = false;
    this.processes[this.processes.indexOf(node)] = this.start(node.rank);
  }

  private restartDatabase(): void {
    this.met.databaseRestarts += 1;
    this.dbDownUntil = this.time + this.random() * this.random() * 30_000;
    this.say("the database restarts");
    for (let index = this.wire.length - 1; index >= 0; index -= 1)
      if (this.random() < 0.7) this.wire.drop(index);
  }

  private setDatabaseClock(): void {
    this.dbOffset += (this.random() - 0.7) * 12_000;
    this.say("the database's clock is set");
    for (const epoch of this.db.nodes.keys()) this.excusedEpoch = Math.max(this.excusedEpoch, epoch);
  }

  /** Ends all faults and all running work. From then on no request may be refused that the total covers. */
  private calmDown(): void {
    this.say("calm");
    this.isCalm = true;
    this.dbDownUntil = 0;
    for (const node of [...this.processes]) {
      node.pausedUntil = 0;
      node.cutOffUntil = 0;
      this.replace(node);
    }
    this.wire.hurry();
    // Nodes that stop are replaced when they have left; the rows of those that were killed end with their time.
    const isQuiet = (): boolean => this.db.nodes.size === this.processes.length && this.isQuiet();
    const since = this.time;
    this.rounds(400, 250, () => this.time - since > 1.5 * RENEW_EVERY_MS && isQuiet());
    this.probe();
    this.isCalm = false;
  }

  private isQuiet(): boolean {
    if (this.wire.length > 0) return false;
    for (const { open, waiting, settled, leases, isAlive } of this.processes) {
      if (!isAlive || leases.liveness.epoch === undefined || leases.hasLeft) return false;
      if (open.length + waiting.size + settled.size > 0 || !leases.isIdle) return false;
    }
    return true;
  }

  /** Time passes, every node runs, every message arrives, in order. */
  private rounds(most: number, ms: number, isDone: () => boolean): void {
    for (let round = 0; round < most; round += 1) {
      this.time += ms;
      for (const node of this.processes) {
        this.tick(node);
        for (const request of node.open.splice(0)) this.answer(node, request);
        this.examiner.examineNode(node);
        if (node.leases.hasLeft && !this.isOver) this.replace(node);
      }
      const hasEnded = this.wire.carryAll((message) => {
        this.steps += 1;
        if (!message.isToNode || message.node.isAlive) this.carry(message);
      });
      if (!hasEnded) this.fail("messages call forth each other without end");
      if (isDone()) return;
    }
    this.fail("it does not come to rest, though everything works");
  }

  /** Spreads leases over the nodes, and then requests the whole total from one node, and more than that. */
  private probe(): void {
    for (const payer of this.payers) {
      const key = this.pick(payer.keys);
      for (const node of this.processes) this.request(node, payer, key.account, 1, 1 + this.below(40));
      this.rounds(40, 50, () => this.isQuiet());
      const there = this.sumOf(payer.user);
      const most = key.isUnlimited ? there : Math.min(there, this.sumOf(key.account));
      if (most === 0) continue;
      this.met.probes += 1;
      const node = this.anyProcess();
      this.say(`probe: ${most} of ${payer.user}, ${key.account} at ${node.name}`);
      // Also with concurrent requests from all nodes, one of them gets it.
      const asked = this.random() < 0.5 ? [node] : this.processes;
      const requests = asked.map((each) => this.request(each, payer, key.account, most, most));
      this.settleDown();
      if (!requests.some(({ hold }) => hold))
        this.fail(`${most} of ${payer.user} is there, and ${requests.length} are refused`);
      const left = this.sumOf(payer.user);
      const refused = this.request(node, payer, key.account, left + 1, left + 1);
      this.settleDown();
      if (refused.hold) this.fail(`${refused.id} got more of ${payer.user} than there is`);
    }
  }

  private settleDown(): void {
    this.rounds(100, 15, () => this.isQuiet());
  }
}
