import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import type {
  AnswerReading,
  OperationInput,
  OperationSummary,
  SoundEvents,
} from "@tollgate/contract/relay/operation";
import type { StreamDecoder, StreamEvent } from "@tollgate/contract/relay/protocol";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { writeSoundDelta, writeSoundDone } from "@tollgate/protocols/shared/answer/sound-events";
import { encodeWav, SPEECH_RATE, secondsOfPcm } from "@tollgate/protocols/shared/answer/wav";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import { createSseDecoder } from "@tollgate/protocols/shared/stream/sse-decoder";
import { type AnswerStream, givenUp, MAX_EVENT_BYTES, unreadable } from "./answer-stream";
import { textContent } from "./delivered-tally";
import type { Counts } from "./settle";

/** The client's side of the sound. */
export type SoundShape = "wav" | "pcm" | "events";

const CONTENT_TYPES = { wav: "audio/wav", pcm: "audio/pcm", events: undefined } as const;
const EMPTY = Buffer.alloc(0);

/**
 * Raw sound that a vendor sends in its own events. Raw sound and events pass as they come, the last piece after
 * the charge. A WAV is complete first, because its header contains its length.
 */
export class SoundStream implements AnswerStream {
  readonly contentType?: string;
  readonly usage: Usage = NO_USAGE;
  readonly work = undefined;
  readonly endsWithMark = true;
  isEnded = false;
  isQuiet = false;
  hasDelivered = false;
  isGivenUp = false;
  error: UpstreamError | undefined;

  private readonly decoder: StreamDecoder = createSseDecoder(MAX_EVENT_BYTES);
  /** The whole sound of a WAV; otherwise the piece that waits for its successor, or for the charge. */
  private readonly held = new BytePieces();
  private received = 0;
  private report: unknown;

  constructor(
    private readonly events: SoundEvents,
    private readonly shape: SoundShape,
    /** Reads an error out of an event. */
    private readonly readError: (event: unknown) => UpstreamError,
  ) {
    const type = CONTENT_TYPES[shape];
    if (type !== undefined) this.contentType = type;
  }

  push(chunk: Buffer): Uint8Array | string | undefined {
    return this.read(() => this.decoder.push(chunk));
  }

  end(): Uint8Array | string | undefined {
    const rest = this.read(() => this.decoder.end());
    if (!this.isEnded) this.error ??= { kind: "network", status: 200, message: "", code: "" };
    return rest;
  }

  release(): undefined {
    return undefined;
  }

  tail({ units, promptTokens, completionTokens }: Counts): Uint8Array | string {
    const bytes = this.held.take();
    if (this.shape === "pcm") return bytes;
    if (this.shape === "wav") return encodeWav(bytes, SPEECH_RATE);
    const tokens = units === undefined ? { input: promptTokens, output: completionTokens } : undefined;
    return writeSoundDelta(bytes) + writeSoundDone(tokens);
  }

  get heldBytes(): number {
    return this.held.length;
  }

  delivered(): DeliveredContent {
    return { ...textContent(""), soundSeconds: this.seconds };
  }

  /** The charge of the sound, from the vendor's report if it came. */
  charge(input: OperationInput, summary: OperationSummary): AnswerReading {
    return this.events.charge(this.report, input, summary, this.seconds);
  }

  private get seconds(): number {
    return secondsOfPcm(this.received, SPEECH_RATE);
  }

  private read(decode: () => readonly StreamEvent[]): Uint8Array | string | undefined {
    if (this.error || this.isEnded) return undefined;
    this.isQuiet = true;
    const out: Uint8Array[] = [];
    try {
      for (const { data } of decode()) {
        const ready = this.take(parseJson(data));
        if (ready.length > 0) out.push(ready);
        if (this.error || this.isEnded) break;
      }
    } catch (error) {
      this.error = unreadable(error);
    }
    if (out.length === 0) return undefined;
    const bytes = Buffer.concat(out);
    return this.shape === "events" ? writeSoundDelta(bytes) : bytes;
  }

  /** Takes an event. @returns the sound that may leave. */
  private take(event: unknown): Uint8Array {
    const piece = this.events.read(event);
    if (!piece) {
      this.error = this.readError(event);
      return EMPTY;
    }
    this.report = piece.report ?? this.report;
    this.isEnded = piece.isEnd;
    const { samples } = piece;
    let ready: Uint8Array = EMPTY;
    if (samples.length > 0) {
      this.isQuiet = false;
      this.received += samples.length;
      if (this.received > MAX_EVENT_BYTES) {
        this.error = givenUp({ code: "answer-too-large" });
        this.isGivenUp = true;
        return EMPTY;
      }
      if (this.shape !== "wav") ready = this.held.take();
      this.held.push(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength));
    }
    // A WAV leaves as a whole, at its end.
    if (this.shape !== "wav" || this.isEnded) this.hasDelivered = this.received > 0;
    return ready;
  }
}
