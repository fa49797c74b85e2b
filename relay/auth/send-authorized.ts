import type { UpstreamTarget } from "../ports/directory";
import type { AuthTools, UpstreamReceiver, UpstreamRequest } from "../ports/transport";

/**
 * Sends a request to a channel, with its credential. When the receiver aborts while the credential is being fetched,
 * nothing is sent and no callback follows.
 */
export const sendAuthorized = (
  { authorizer }: UpstreamTarget,
  request: UpstreamRequest,
  tools: AuthTools,
  receiver: UpstreamReceiver,
): void => {
  if (!authorizer) {
    tools.transport.send(request, receiver);
    return;
  }
  let isGivenUp = false;
  receiver.onStart(() => {
    isGivenUp = true;
  });
  authorizer.authorize(request, tools, (authorization) => {
    if (isGivenUp) return;
    if ("request" in authorization) tools.transport.send(authorization.request, receiver);
    else if ("failure" in authorization) receiver.onFailure(authorization.failure);
    else {
      const { status, body } = authorization.refusal;
      receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
      receiver.onData(body);
      receiver.onEnd();
    }
  });
};
