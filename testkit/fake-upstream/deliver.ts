import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Delivery } from "./faults";

const hasGone = (response: ServerResponse): boolean => response.destroyed || response.socket === null;

/**
 * Sends a planned answer, with its parts, pauses and ending.
 * @param signal aborted when the client has disconnected, which ends the pauses.
 * @throws AbortError then.
 */
export const deliver = async (
  delivery: Delivery,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> => {
  const { socket } = response;
  if (delivery.headDelayMs > 0) await wait(delivery.headDelayMs, undefined, { signal });
  if (delivery.isRefused) {
    socket?.resetAndDestroy();
    return;
  }
  response.writeHead(delivery.status, delivery.headers);
  response.flushHeaders();
  for (const part of delivery.parts) {
    if (delivery.partDelayMs > 0) await wait(delivery.partDelayMs, undefined, { signal });
    const bytes = Buffer.from(part);
    const pieces = delivery.isSplit ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes];
    for (const piece of pieces) {
      if (hasGone(response)) return;
      response.write(piece);
      // One write per turn of the event loop travels by itself.
      if (pieces.length > 1 || delivery.parts.length > 1) await new Promise(setImmediate);
    }
  }
  if (delivery.ending === "end") {
    response.end();
  } else if (delivery.ending === "reset") {
    // Waits until everything written was really sent: a reset discards buffered bytes.
    await wait(20, undefined, { signal });
    socket?.resetAndDestroy();
  }
};
