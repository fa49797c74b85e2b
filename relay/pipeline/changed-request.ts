import {
  type ClientProtocol,
  type JsonBody,
  RequestInvalid,
  type RequestSummary,
} from "@tollgate/contract/relay/protocol";
import type { NamedEffort } from "../admission/resolve-model";
import type { UpstreamTarget } from "../ports/directory";
import type { PreparedOverrides } from "../routing/prepare-overrides";
import { changeBody } from "./change-body";

/** A client's request as a channel with overrides is sent it, still in the client's own protocol. */
export interface ChangedRequest {
  /** undefined while it is not kept. */
  body: JsonBody | undefined;
  summary: RequestSummary;
  /** Names of the changes made. */
  applied: readonly string[];
  /** Invalid part of the changed request: it is refused when it would be sent. */
  fault: RequestInvalid | undefined;
  /** Makes it again of the client's own. */
  apply(own: JsonBody): JsonBody;
}

/** Whether a channel's overrides change a body that the client sent in its upstream's own protocol, or any body. */
const changesRequest = ({ body, systemPrompt }: PreparedOverrides, isSameProtocol: boolean): boolean =>
  systemPrompt !== undefined || (isSameProtocol && body !== undefined);

/**
 * The client's request after a channel's overrides. A request for another protocol is changed after it is written in
 * that protocol (see `buildCall`).
 * @param own the client's body. @param summary of it. @param effort asked for by the client's name of the model.
 * @returns undefined when it stays unchanged.
 */
export const changeRequest = (
  client: ClientProtocol,
  { overrides, protocol }: Pick<UpstreamTarget, "overrides" | "protocol">,
  own: () => JsonBody,
  summary: RequestSummary,
  effort?: NamedEffort,
): ChangedRequest | undefined => {
  const isSameProtocol = protocol.name === client.name && protocol.passThrough !== undefined;
  const isOverridden = overrides !== undefined && changesRequest(overrides, isSameProtocol);
  if (!isOverridden && !effort) return undefined;
  const { systemPrompt, body: steps }: Partial<PreparedOverrides> = overrides ?? {};
  const change = (given: JsonBody): { body: JsonBody; applied: readonly string[] } => {
    const applied: string[] = [];
    let body = given;
    if (effort) {
      body = client.withReasoning(body, effort.reasoning, summary.model);
      applied.push(`effort:${effort.reasoning.effort ?? effort.reasoning.budgetTokens}`);
    }
    if (systemPrompt) {
      body = client.withInstructions(body, systemPrompt.text, systemPrompt.mode === "prepend");
      if (body !== given) applied.push(`system-prompt:${systemPrompt.mode}`);
    }
    if (!isSameProtocol || steps === undefined) return { body, applied };
    const changed = changeBody(body, steps);
    return { body: changed.body, applied: [...applied, ...changed.applied] };
  };
  const first = change(own());
  if (first.applied.length === 0) return undefined;
  const { model, isStream } = summary;
  const apply = (given: JsonBody): JsonBody => change(given).body;
  try {
    const read = client.summarizeRequest(first.body, { model, isStream });
    return { ...first, summary: read, fault: undefined, apply };
  } catch (error) {
    if (!(error instanceof RequestInvalid)) throw error;
    return { ...first, summary, fault: error, apply };
  }
};
