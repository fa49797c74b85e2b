import type { ClientResponse } from "@tollgate/relay/ports/client";
import type { StoredBodies } from "@tollgate/storage/bodies/ports";
import type { Options } from "../state/options";
import { storesBodies } from "../state/stores-bodies";
import { BodyRecorder } from "./body-recorder";
import { CappedBytes } from "./capped-bytes";
import { isTextType } from "./media-type";

/** Memory limit for all bodies being recorded or waiting to be stored; a body beyond it is not kept. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** Interval for reporting lost bodies to the operator. */
const REPORT_EVERY_MS = 60_000;

const KILOBYTE = 1024;
const MEGABYTE = 1024 * 1024;

/** A request whose body may be kept. */
export interface WatchedCall {
  requestId: string;
  userId: number;
  /** The declared address with its query. */
  url: string;
  /** The media type that the body was read as. */
  contentType: string;
  rawBody: Uint8Array;
}

export interface BodyLogSettings {
  bodies: Pick<StoredBodies, "add">;
  options: Pick<Options, "isOn" | "number">;
  /** Milliseconds since the epoch. */
  now(): number;
  /** @param count how many bodies were not stored since the last report. */
  reportLoss(count: number, reason: string): void;
  /** Defaults to the memory that a process can spare. */
  maxHeldBytes?: number;
}

/** A longer address is no declared one with a model's name. */
const MAX_PATH = 500;

/** An address as it is kept: a query may hold the key, so only the kind of stream that Gemini's clients ask for stays. */
const keptPath = (url: string): string | undefined => {
  const [path = "", query] = url.split("?", 2);
  if (path.length > MAX_PATH) return undefined;
  return new URLSearchParams(query).get("alt") === "sse" ? `${path}?alt=sse` : path;
};

/** Keeps the content of requests and answers if enabled; no caller waits for it, and no answer fails by it. */
export class BodyLog {
  private heldBytes = 0;
  private lost = 0;
  private reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly settings: BodyLogSettings) {}

  /** @returns the response to write to: the original one where nothing is kept. */
  watch(call: WatchedCall, response: ClientResponse): ClientResponse {
    const { options, maxHeldBytes = MAX_HELD_BYTES } = this.settings;
    if (!storesBodies(options)) return response;
    const capBytes = options.number("BodyMaxKilobytes") * KILOBYTE;
    let reservedBytes = 0;
    const reserve = (bytes: number): boolean => {
      if (this.heldBytes + bytes > maxHeldBytes) return false;
      this.heldBytes += bytes;
      reservedBytes += bytes;
      return true;
    };
    const isText = isTextType(call.contentType);
    const asked = new CappedBytes(capBytes, reserve);
    if (isText) asked.push(call.rawBody);
    else asked.skip(call.rawBody);
    if (isText && asked.bytes.byteLength === 0 && call.rawBody.byteLength > 0) {
      this.lose("too much is waiting to be stored");
      return response;
    }
    const { requestId, userId, contentType } = call;
    const path = keptPath(call.url);
    const request = { contentType, sizeBytes: asked.sizeBytes, bytes: isText ? asked.bytes : undefined };
    return new BodyRecorder(response, new CappedBytes(capBytes, reserve), (answer) => {
      const createdAt = Math.floor(this.settings.now() / 1000);
      this.settings.bodies
        .add(
          { requestId, userId, createdAt, path, request, answer },
          options.number("BodyStoreMegabytes") * MEGABYTE,
        )
        .catch((error: Error) => this.lose(error.message))
        .finally(() => {
          this.heldBytes -= reservedBytes;
        });
    });
  }

  private lose(reason: string): void {
    this.lost += 1;
    const nowMs = this.settings.now();
    if (nowMs - this.reportedAtMs < REPORT_EVERY_MS) return;
    this.settings.reportLoss(this.lost, reason);
    this.lost = 0;
    this.reportedAtMs = nowMs;
  }
}
