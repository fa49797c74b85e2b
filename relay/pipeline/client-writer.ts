import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import type { ClientResponse, Describe, Refusal } from "../ports/client";
import { sendRefusal } from "./send-refusal";
import type { EncodedAnswer } from "./task";

/** The client of an answer, and its formats. */
export interface Addressee {
  /** Encodes errors for the client. */
  client: Pick<ClientProtocol, "encodeError" | "encodeStreamError" | "limitHeaders">;
  response: ClientResponse;
  requestId: string;
  /** Headers that every answer to this client carries. */
  headers: Readonly<Record<string, string>>;
  describe: Describe;
}

/** The last bytes of an answer, which wait for its charge. */
export type Ending =
  | { readonly kind: "tail"; readonly bytes: Uint8Array | string }
  | { readonly kind: "whole"; readonly answer: EncodedAnswer }
  | { readonly kind: "error"; readonly refusal: Refusal }
  /** The client has left. */
  | { readonly kind: "nothing" };

/** Bytes up to this many are cheaper to copy than to write by themselves. */
const SMALL_BYTES = 64 * 1024;

const joinPieces = (first: Uint8Array | string, second: Uint8Array | string): Uint8Array | string =>
  typeof first === "string" && typeof second === "string"
    ? first + second
    : Buffer.concat([Buffer.from(first as Uint8Array), Buffer.from(second as Uint8Array)]);

/** Large texts are mostly ASCII (pictures): to copy one takes a small part of the time that encoding it takes. */
const encodeLarge = (text: string): string | Uint8Array =>
  text.length > SMALL_BYTES && Buffer.byteLength(text) === text.length ? Buffer.from(text, "latin1") : text;

/** The end of a stream. @param rest output of the last read, joined with the tail in one write. */
export const tailEnding = (rest: Uint8Array | string | undefined, tail: Uint8Array | string): Ending => ({
  kind: "tail",
  bytes: rest === undefined ? tail : joinPieces(rest, tail),
});

/**
 * Adds the headers common to all answers to the client. A spread in front of other fields would cost some microseconds
 * more: V8 creates a separate class for each such object.
 */
const withHeaders = (
  own: Record<string, string | number>,
  headers: Readonly<Record<string, string>>,
): Record<string, string | number> => {
  for (const name in headers) own[name] = headers[name] as string;
  return own;
};

/** Writes one answer to its client. A stream without a content type is sent as server-sent events. */
export class ClientWriter {
  /** The client has closed its connection. */
  isGone = false;
  /** Start of the upstream's current wait for the client to read, and the sum of its earlier waits; milliseconds. */
  private heldUpSinceMs: number | undefined;
  private heldUpBeforeMs = 0;

  /** The headers of an answer; a refusal has those of the job alone. */
  private headers: Readonly<Record<string, string>>;

  constructor(
    private readonly job: Addressee,
    private readonly now: () => number,
  ) {
    this.headers = job.headers;
  }

  /**
   * Sets a header of the answer; a refusal does not carry it, because it would not apply.
   * @param value undefined removes the value of an earlier attempt.
   */
  setHeader(name: string, value: string | undefined): void {
    if (value !== undefined) this.headers = { ...this.headers, [name]: value };
    else if (name in this.headers) {
      const { [name]: _, ...others } = this.headers;
      this.headers = others;
    }
  }

  get hasBegun(): boolean {
    return this.job.response.headersSent;
  }

  /** Written bytes that the client has not read yet. */
  get waitingBytes(): number {
    return this.job.response.writableLength;
  }

  /** Total time the upstream has waited for the client to read; milliseconds. */
  get heldUpMs(): number {
    return this.heldUpBeforeMs + (this.heldUpSinceMs === undefined ? 0 : this.now() - this.heldUpSinceMs);
  }

  begin(contentType: string | undefined): void {
    const { headers } = this;
    const { response } = this.job;
    if (contentType !== undefined) {
      response.writeHead(200, withHeaders({ "content-type": contentType }, headers));
      return;
    }
    const own = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-accel-buffering": "no",
    };
    response.writeHead(200, withHeaders(own, headers));
  }

  /**
   * Writes bytes of a stream.
   * @param source resumed once the client has read.
   * @returns false when the client reads more slowly than it is written to.
   */
  write(bytes: Uint8Array | string, source: { resume(): void }): boolean {
    const { response } = this.job;
    if (response.write(typeof bytes === "string" ? encodeLarge(bytes) : bytes)) return true;
    this.heldUpSinceMs ??= this.now();
    response.once("drain", () => {
      this.endHoldingUp();
      source.resume();
    });
    return false;
  }

  /** The upstream no longer waits for the client. */
  endHoldingUp(): void {
    this.heldUpBeforeMs = this.heldUpMs;
    this.heldUpSinceMs = undefined;
  }

  /** Writes the last bytes. */
  end(ending: Ending, contentType: string | undefined): void {
    const { response } = this.job;
    switch (ending.kind) {
      case "tail":
        if (!response.headersSent) this.begin(contentType);
        response.end(ending.bytes);
        return;
      case "whole":
        this.writeWhole(ending.answer, contentType);
        return;
      case "error":
        this.endWithError(ending.refusal, contentType);
        return;
      case "nothing":
        return;
    }
  }

  /**
   * Ends a stream that has started. Binary data cannot carry an error: only a broken connection shows that it is
   * incomplete.
   */
  endWithError(refusal: Refusal, contentType: string | undefined): void {
    const { response, client, describe, requestId } = this.job;
    if (response.destroyed) return;
    if (contentType !== undefined) response.destroy();
    else response.end(client.encodeStreamError(describe(refusal), requestId));
  }

  /** Answers with an error, before anything was written. */
  refuse(refusal: Refusal): void {
    sendRefusal(this.job, refusal);
  }

  /** The client sees that its connection ends. */
  destroy(): void {
    this.job.response.destroy();
  }

  private writeWhole({ contentType, body }: EncodedAnswer, streamType: string | undefined): void {
    const { headers } = this;
    const { response } = this.job;
    if (contentType === undefined) this.begin(streamType);
    else {
      const length = Buffer.byteLength(body);
      const own = { "content-type": contentType, "content-length": length };
      response.writeHead(200, withHeaders(own, headers));
    }
    // Node writes a head and a text as one, but a head and bytes as two.
    if (typeof body !== "string" && body.length < SMALL_BYTES)
      response.end(body.toString("latin1"), "latin1");
    else response.end(body);
  }
}
