import type { IncomingMessage } from "node:http";
import type { Refusal } from "@tollgate/relay/ports";

/**
 * Reads a whole request body.
 * @param limitBytes refuses a larger one, before reading it when its length is announced.
 */
export const readBody = (
  request: IncomingMessage,
  limitBytes: number,
  done: (body: Buffer | Refusal) => void,
): void => {
  const tooLarge: Refusal = { code: "body-too-large", params: { limit: String(limitBytes) } };
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
    done(tooLarge);
    return;
  }
  const pieces: Buffer[] = [];
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
    if (size > limitBytes) {
      pieces.length = 0;
      finish(tooLarge);
      return;
    }
    pieces.push(piece);
  });
  request.on("end", () => finish(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
  request.on("error", () => finish({ code: "body-aborted" }));
  request.on("close", () => finish({ code: "body-aborted" }));
};
