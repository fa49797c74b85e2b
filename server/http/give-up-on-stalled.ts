import type { ServerResponse } from "node:http";

function onSilence(this: ServerResponse): void {
  // Nothing moves because nothing is to be sent: an upstream may think for long.
  if (this.writableLength > 0) this.destroy();
}

/**
 * Disconnects a client that reads nothing of the waiting output for a while. The writer of the answer is notified of
 * the close, as when the client leaves. A slow reader stays connected.
 * @param timeoutMs maximum time without progress.
 */
export const giveUpOnStalled = (response: ServerResponse, timeoutMs: number): void => {
  response.setTimeout(timeoutMs, onSilence);
};
