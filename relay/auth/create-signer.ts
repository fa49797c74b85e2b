import type { Authorizer, AuthTools, UpstreamRequest } from "../ports/transport";

/** An authorizer that needs no other service. */
export const createSigner = (
  sign: (request: UpstreamRequest, tools: AuthTools) => UpstreamRequest,
): Authorizer => ({
  authorize: (request, tools, done) => done({ request: sign(request, tools) }),
});
