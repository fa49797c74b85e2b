import type { LeaseEffects } from "@tollgate/metering/leases/lease-effects";
import { StorageConflict } from "@tollgate/storage/errors";
import { CallLane } from "./call-lane";

/** Maximum number of running commands per kind. A command beyond it counts as lost and is sent again. */
const createLanes = () =>
  ({
    join: new CallLane(2),
    renew: new CallLane(2),
    expire: new CallLane(1),
    acquire: new CallLane(1000),
    giveBack: new CallLane(1000),
    book: new CallLane(2),
    refund: new CallLane(16),
    edit: new CallLane(16),
    recall: new CallLane(16),
    leave: new CallLane(2),
  }) satisfies Record<
    keyof Omit<LeaseEffects, "decided" | "committed" | "refused" | "heldUp" | "editDone"> | "recall",
    CallLane
  >;

type Lanes = Readonly<ReturnType<typeof createLanes>>;
type Command = keyof Lanes;

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The clock, and the operator's log. */
export interface CallTools {
  /** Called once for each failing kind of command, until one succeeds again. */
  reportError(error: Error): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/**
 * Sends commands to the database. Every failed command counts as lost, because its outcome is unknown: the rules repeat
 * it.
 */
export class CommandCalls {
  private readonly lanes: Lanes = createLanes();
  private readonly failing = new Set<Command>();
  lastError: Error | undefined;

  constructor(private readonly tools: CallTools) {}

  /** @param about the command's subject, the same in each retry (CallLane). */
  send<Reply>(
    command: Command,
    call: () => Promise<Reply>,
    onReply: (reply: Reply) => void = () => {},
    { about, onFailure }: { about?: unknown; onFailure?: (error: Error) => void } = {},
  ): void {
    const lane = this.lanes[command];
    const running = lane.enter(this.tools.now(), about);
    if (!running) return;
    const carry = async (): Promise<void> => {
      try {
        const reply = await call();
        this.failing.delete(command);
        onReply(reply);
      } catch (error) {
        this.noteFailed(command, errorOf(error));
        onFailure?.(errorOf(error));
      } finally {
        lane.leave(running);
      }
    };
    void carry();
  }

  private noteFailed(command: Command, error: Error): void {
    this.lastError = error;
    if (this.failing.has(command) || error instanceof StorageConflict) return;
    this.failing.add(command);
    this.tools.reportError(error);
  }
}
