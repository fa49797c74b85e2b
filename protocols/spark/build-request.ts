import type { ChannelFields, UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { hexHash } from "../shared/json/stable-hash";
import { systemText } from "../shared/messages/system-text";
import { clamp } from "../shared/request/clamp";
import { toolParameters, toolsToOffer } from "../shared/tools/tools-to-offer";
import { buildText } from "./build-text";
import { findVersion } from "./model-version";

/** The oldest versions take less. */
const MAX_TOKENS = 8192;
const MAX_TOKENS_OF_OLD = 4096;

/** Versions that know instructions and functions. */
const KNOWS_SYSTEM = /^(?:generalv3|generalv3\.5|max-32k|pro-128k|4\.0Ultra)$/;
const KNOWS_FUNCTIONS = /^(?:generalv3|generalv3\.5|max-32k|4\.0Ultra)$/;

/**
 * Builds the only message sent over the socket; the version is in the address.
 * @throws RequestInvalid for anything but text, and for tools that the version does not support.
 */
export const buildRequest = (request: ChatRequest, fields: ChannelFields): UpstreamCall => {
  const { path, domain } = findVersion(request.model, fields.other);
  const knowsSystem = KNOWS_SYSTEM.test(domain);
  const knowsFunctions = KNOWS_FUNCTIONS.test(domain);
  const tools = knowsFunctions ? toolsToOffer(request) : [];
  return {
    path,
    headers: {},
    body: {
      header: {
        app_id: fields.accountId,
        uid: request.endUserId === undefined ? undefined : hexHash(request.endUserId).slice(0, 32),
      },
      parameter: {
        chat: {
          domain,
          temperature: clamp(request.temperature, 0.01, 1),
          top_k: clamp(request.topK, 1, 6),
          max_tokens: outputLimit(request, fields),
        },
      },
      payload: {
        message: { text: buildText(request, systemText(request), knowsSystem, knowsFunctions) },
        functions:
          tools.length === 0
            ? undefined
            : {
                text: tools.map((tool) => ({
                  name: tool.name,
                  description: tool.description ?? tool.name,
                  parameters: toolParameters(tool),
                })),
              },
      },
    },
  };
};

/** The client's limit, as far as the version takes it. */
export const outputLimit = (
  { model, maxOutputTokens }: ChatRequest,
  { other }: ChannelFields,
): number | undefined =>
  clamp(
    maxOutputTokens,
    1,
    KNOWS_SYSTEM.test(findVersion(model, other).domain) ? MAX_TOKENS : MAX_TOKENS_OF_OLD,
  );
