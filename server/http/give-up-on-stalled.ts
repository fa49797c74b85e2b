import type { ServerResponse } from "node:http";

function onSilence(this: ServerResponse): void {
  // Nothing moves because nothing is to be sent: an upstream may think for long.
  if (this.writableLength > 0) this.destroy();
}

/**
 * Gives up a client that does not read: closes its connection once nothing of what waits for it has been taken for a
 * while. The writer of the answer hears that it was closed, as when the client leaves. A client that reads slowly
 * stays.
 * @param timeoutMs how long nothing may move.
 */
export const giveUpOnStalled = (response: ServerResponse, timeoutMs: number): void => {
  response.setTimeout(timeoutMs, onSilence);
};
