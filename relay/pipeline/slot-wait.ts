import type { UpstreamQueue, Waiter } from "../limits/upstream-queue";
import type { RelayPorts } from "../ports/relay-ports";
import type { AttemptPlan, Choice } from "./attempt-plan";
import { type Claim, FULL } from "./channel-search";

/** The owner of a waiting request. */
export interface SlotOwner {
  /**
   * The wait has ended. Called once, unless `end` was called before.
   * @param claim FULL after the maximum wait.
   */
  onClaim(wait: SlotWait, claim: Claim): void;
  onCrash(error: unknown): void;
}

/** A request waiting for a slot at a channel's key: for the other nodes' answer, or in the queue. */
export class SlotWait implements Waiter {
  readonly route: string;
  readonly userId: number;
  readonly tokens: number;
  readonly deadlineMs: number;
  private readonly plan: AttemptPlan;
  private isOver = false;
  /** Start of its queueing; milliseconds since the epoch. */
  private joinedMs: number | undefined;

  constructor(
    {
      plan,
      userId,
      tokens,
      deadlineMs,
    }: Pick<Waiter, "userId" | "tokens" | "deadlineMs"> & {
      readonly plan: AttemptPlan;
    },
    private readonly queue: UpstreamQueue,
    private readonly ports: Pick<RelayPorts, "now" | "upstreamBounds">,
    private readonly owner: SlotOwner,
  ) {
    this.plan = plan;
    this.userId = userId;
    this.tokens = tokens;
    this.deadlineMs = deadlineMs;
    this.route = plan.search.route;
  }

  /** @param choice the first result. */
  begin(choice: Promise<Claim> | typeof FULL): void {
    if (choice === FULL) this.join();
    else
      choice.then(
        (claim) => {
          if (claim === FULL && !this.isOver) this.join();
          else this.endWith(claim);
        },
        (error: unknown) => this.fail(error),
      );
  }

  channelIds(): Iterable<number> {
    return this.plan.search.limitedChannels();
  }

  attempt(): boolean | Promise<boolean> {
    try {
      const choice = this.plan.claim();
      if (choice instanceof Promise)
        return choice.then(
          (claim) => this.endIfFound(claim),
          (error: unknown) => this.fail(error),
        );
      return this.endIfFound(choice);
    } catch (error) {
      return this.fail(error);
    }
  }

  giveUp(): void {
    try {
      this.endWithLast(this.plan.claim(true, true));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The request has ended and must not be sent. */
  end(): void {
    this.isOver = true;
    this.queue.leave(this);
  }

  private join(): void {
    this.joinedMs = this.ports.now();
    this.queue.join(this);
  }

  private endIfFound(claim: Claim): boolean {
    if (claim === FULL) return false;
    this.endWith(claim);
    return true;
  }

  /** Tries failing channels as well, when no other became free. */
  private endWithLast(choice: Choice): void {
    if (choice instanceof Promise)
      choice.then(
        (claim) => this.endWith(claim),
        (error: unknown) => this.fail(error),
      );
    else this.endWith(choice);
  }

  private endWith(claim: Claim): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.joinedMs !== undefined) {
      const waitMs = Math.max(0, this.ports.now() - this.joinedMs);
      this.ports.upstreamBounds?.waited(waitMs, claim !== undefined && claim !== FULL);
    }
    this.owner.onClaim(this, claim);
  }

  private fail(error: unknown): true {
    if (!this.isOver) this.owner.onCrash(error);
    return true;
  }
}
