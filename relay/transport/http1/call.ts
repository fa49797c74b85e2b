import type { TransportFailure, UpstreamReceiver, UpstreamRequest } from "../../ports/transport";

/** The connection of a call, as the call needs it. */
export interface Carrier {
  /** No caller waits for the answer any more. */
  abandon(): void;
  /** The receiver takes more. */
  proceed(): void;
}

/**
 * One request and the receiver of its answer. Each has a separate object, so that a late call of its receiver cannot
 * affect the next request of the same connection.
 */
export class Call {
  carrier: Carrier | undefined;
  /** The receiver has heard its last. */
  isOver = false;

  /**
   * @param head of the request, as sent.
   * @param bodyBytes length of the request's body.
   */
  constructor(
    readonly request: UpstreamRequest,
    readonly head: string,
    readonly bodyBytes: number,
    private readonly receiver: UpstreamReceiver,
  ) {}

  /** Gives the receiver the means to abort it. */
  start(): void {
    this.receiver.onStart(() => this.abort());
  }

  begin(status: number, headers: Record<string, string>): void {
    if (this.isOver) return;
    try {
      this.receiver.onHeaders(status, headers, () => this.carrier?.proceed());
    } catch (error) {
      this.breakDown(error);
    }
  }

  /** @returns false when the receiver wants no more for now. */
  push(bytes: Buffer): boolean {
    if (this.isOver) return true;
    try {
      return this.receiver.onData(bytes);
    } catch (error) {
      this.breakDown(error);
      return true;
    }
  }

  end(): void {
    if (this.isOver) return;
    this.carrier = undefined;
    try {
      this.receiver.onEnd();
      this.isOver = true;
    } catch (error) {
      this.breakDown(error);
    }
  }

  fail(failure: TransportFailure): void {
    if (this.isOver) return;
    this.isOver = true;
    this.carrier = undefined;
    this.receiver.onFailure(failure);
  }

  private abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.letGo();
  }

  /** Whatever an upstream sends, it ends at most its own request, never the process. */
  private breakDown(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.letGo();
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.receiver.onFailure({ kind: "reset", detail });
  }

  private letGo(): void {
    const { carrier } = this;
    this.carrier = undefined;
    carrier?.abandon();
  }
}
