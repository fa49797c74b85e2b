import type { IncomingMessage } from "node:http";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import type { Refusal } from "@tollgate/relay/ports/client";

/** From this announced length on a body is gathered in place, so that it is never held twice. */
const LARGE_BYTES = 64 * 1024;

/**
 * Reads a whole request body.
 * @param limitBytes refuses a larger one, before reading it when its length is announced.
 * @param take reserves memory for received bytes; returns the reason if no memory is left.
 */
export const readBody = (
  request: IncomingMessage,
  limitBytes: number,
  take: (bytes: number) => Refusal | undefined,
  done: (body: Buffer | Refusal) => void,
): void => {
  const tooLarge: Refusal = { code: "body-too-large", params: { limit: String(limitBytes) } };
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limitBytes) {
    done(tooLarge);
    return;
  }
  const pieces = new BytePieces();
  let whole: Buffer | undefined;
  let size = 0;
  let isOver = false;
  const finish = (result: Buffer | Refusal): void => {
    if (isOver) return;
    isOver = true;
    done(result);
  };
  request.on("data", (piece: Buffer) => {
    if (isOver) return;
    size += piece.length;
    const refusal = size > limitBytes ? tooLarge : take(piece.length);
    if (refusal) {
      pieces.takePieces();
      whole = undefined;
      finish(refusal);
      return;
    }
    if (announced < LARGE_BYTES) {
      pieces.push(piece);
      return;
    }
    // Only once something arrives: an announcement alone costs no memory.
    whole ??= Buffer.allocUnsafeSlow(announced);
    piece.copy(whole, size - piece.length);
  });
  request.on("end", () => finish(whole ?? pieces.take()));
  request.on("error", () => finish({ code: "body-aborted" }));
  request.on("close", () => finish({ code: "body-aborted" }));
};
