import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";

/** The end of an answer, as reported to its receiver. */
export type RecordedEnd = "end" | { kind: string; detail: string | UpstreamFault };

/** Receives one answer of an upstream and records all calls. */
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
  /** The return value after bytes: false to stop the sender. */
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
