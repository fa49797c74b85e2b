import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { isRecord } from "../shared/json/json-values";
import { upstream } from "./upstream";

const VERSION = { anthropic_version: "vertex-2023-10-16" } as const;

/** Google writes the date of a snapshot behind an "@". */
const vertexName = (model: string): string => model.replace(/-(\d{8})$/, "@$1");

const callPath = (model: string, isStream: boolean): string => {
  const name = encodeURIComponent(vertexName(model)).replace("%40", "@");
  return `/v1/models/${name}:${isStream ? "streamRawPredict" : "rawPredict"}`;
};

/**
 * Claude on Google's Vertex AI (https://docs.anthropic.com/en/api/claude-on-vertex-ai): the model is in the address,
 * and the API version in the body.
 */
export const vertexUpstream: UpstreamProtocol = {
  ...upstream,
  buildRequest(request, target) {
    const { body } = upstream.buildRequest(request, target);
    const { model: _inAddress, ...fields } = isRecord(body) ? body : {};
    return { path: callPath(request.model, request.isStream), headers: {}, body: { ...VERSION, ...fields } };
  },
  passThrough: upstream.passThrough && {
    ...upstream.passThrough,
    path: callPath,
    hasModelInBody: false,
    refusedFields: ["model"],
    amendBody: (body) => (body.anthropic_version === VERSION.anthropic_version ? undefined : VERSION),
  },
};
