import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";

/** How an answer ended, as its receiver was told. */
export type RecordedEnd = "end" | { kind: string; detail: string | UpstreamFault };

/** Receives one answer of an upstream and writes down what it is told. */
export class RecordingReceiver {
  abort: () => void = () => {};
  resume: () => void = () => {};
  status = 0;
  headers: Record<string, string | string[] | undefined> = {};
  readonly chunks: Buffer[] = [];
  /** Everything, in its order. */
  readonly events: string[] = [];
  /** Resolves when nothing more is to come. */
  readonly end: Promise<RecordedEnd>;
  /** Resolves at the first bytes of the body. */
  readonly began: Promise<void>;
  /** What is said after bytes: false to be sent no more. */
  takesMore = true;
  private onEnded: (end: RecordedEnd) => void = () => {};
  private onBegan: () => void = () => {};

  constructor() {
    this.end = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    this.began = new Promise((resolve) => {
      this.onBegan = resolve;
    });
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  get size(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  onStart(abort: () => void): void {
    this.events.push("start");
    this.abort = abort;
  }

  onHeaders(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    resume: () => void,
  ): void {
    this.events.push("headers");
    this.status = status;
    this.headers = headers;
    this.resume = resume;
  }

  onData(chunk: Buffer): boolean {
    this.events.push("data");
    this.chunks.push(chunk);
    this.onBegan();
    return this.takesMore;
  }

  onEnd(): void {
    this.events.push("end");
    this.onEnded("end");
  }

  onFailure(failure: { kind: string; detail: string | UpstreamFault }): void {
    this.events.push("failure");
    this.onEnded(failure);
  }
}
