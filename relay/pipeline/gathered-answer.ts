import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import type { TransportFailure, UpstreamReceiver } from "../ports/transport";
import { AnswerDecoder, packingOf } from "./answer-decoder";

/** Answers that name a task, its state or addresses of pictures are a few kilobytes. */
const MAX_BYTES = 1024 * 1024;

/** One of the two is called, once. */
interface GatheredOwner {
  onWhole(): void;
  onFailure(failure: TransportFailure): void;
}

/** Gathers a short answer of an upstream, decompressed. */
export class GatheredAnswer implements UpstreamReceiver {
  status = 0;
  /** Headers of the answer as it is gathered: without a compression. */
  headers: Record<string, string | string[] | undefined> = {};
  bytes: Buffer = Buffer.alloc(0);
  private readonly pieces = new BytePieces();
  private isOver = false;
  private abortUpstream: (() => void) | undefined;
  private decoder: AnswerDecoder | undefined;

  constructor(private readonly owner: GatheredOwner) {}

  /** Gives the answer up; its owner hears no more of it. */
  abort(): void {
    this.isOver = true;
    this.decoder?.destroy();
    this.abortUpstream?.();
  }

  onStart(abort: () => void): void {
    this.abortUpstream = abort;
    if (this.isOver) abort();
  }

  onHeaders(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    resume: () => void,
  ): void {
    this.status = status;
    this.headers = { ...headers, "content-encoding": undefined };
    const packing = packingOf(headers["content-encoding"]);
    if (packing === undefined) return;
    const receiver = {
      onData: (chunk: Buffer) => this.take(chunk),
      onEnd: () => this.end(),
      onBroken: (fault: UpstreamFault) => this.fail(fault),
    };
    this.decoder = new AnswerDecoder(packing, receiver, resume);
  }

  onData(chunk: Buffer): boolean {
    if (this.isOver) return true;
    return this.decoder ? this.decoder.write(chunk) : this.take(chunk);
  }

  onEnd(): void {
    if (this.isOver) return;
    if (this.decoder) this.decoder.end();
    else this.end();
  }

  onFailure(failure: TransportFailure): void {
    if (this.isOver) return;
    this.isOver = true;
    this.decoder?.destroy();
    this.owner.onFailure(failure);
  }

  private take(chunk: Buffer): boolean {
    this.pieces.push(chunk);
    if (this.pieces.length > MAX_BYTES) this.fail({ code: "answer-too-large" });
    return true;
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.bytes = this.pieces.take();
    this.owner.onWhole();
  }

  private fail(fault: UpstreamFault): void {
    if (this.isOver) return;
    this.abort();
    this.owner.onFailure({ kind: "invalid", detail: fault });
  }
}
