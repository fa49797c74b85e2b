import type { Channel } from "@tollgate/contract/api/channels";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { RequestFault } from "@tollgate/contract/relay/request-fault";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import { sendAuthorized } from "./auth/send-authorized";
import { concealError, errorAsMapped } from "./pipeline/answer-error";
import { buildCall } from "./pipeline/build-call";
import { changeRequest } from "./pipeline/changed-request";
import { passClientHeaders } from "./pipeline/pass-client-headers";
import type { UpstreamTarget } from "./ports/directory";
import type { AuthTools, TransportFailure } from "./ports/transport";
import { resolveTarget, upstreamModelOf } from "./routing/upstream-target";

/** Reason for a failed probe: the upstream's words, or a failure of the connection, the answer or the request. */
export type ProbeReason =
  | string
  | { transport: TransportFailure["kind"] }
  | { answer: UpstreamFault; status: number }
  | { fault: UpstreamFault }
  | { request: RequestFault };

export interface ProbeResult {
  isOk: boolean;
  timeMs: number;
  /** Why it failed, without addresses or secrets; undefined when it went well. */
  reason: ProbeReason | undefined;
  /** The upstream reports the channel's key as invalid, unpaid or suspended. */
  isKeyDead: boolean;
}

export interface Prober {
  /** Sends one small request to a channel and waits for its answer. Costs the channel's owner a few tokens. */
  /** @param model the model to request; by default the channel's test model, else a usual one. */
  probe(entry: UpstreamTarget, model?: string): Promise<ProbeResult>;
}

/** The specification's test model; a channel that does not offer it is tested with its first one. */
const TEST_MODEL = "gpt-3.5-turbo";

export const testModelOf = ({ testModel, models }: Channel): string => {
  if (testModel !== "") return testModel;
  return models.includes(TEST_MODEL) ? TEST_MODEL : (models[0] ?? TEST_MODEL);
};

const MAX_ANSWER_BYTES = 1024 * 1024;

/** The test request, as one protocol writes it. */
export interface ProbeRequest {
  client: ClientProtocol;
  bodyFor(model: string): Record<string, unknown>;
}

export const createProber = (tools: AuthTools, { client, bodyFor }: ProbeRequest): Prober => ({
  probe(entry, model = testModelOf(entry.channel)) {
    const { channel } = entry;
    const upstreamModel = upstreamModelOf(channel, model);
    const speaking = resolveTarget(entry, client.name, upstreamModel);
    const { protocol } = speaking;
    const body = bodyFor(model);
    const startedAt = tools.now();
    return new Promise<ProbeResult>((resolve) => {
      const finish = (reason?: ProbeReason, isKeyDead = false): void =>
        resolve({ isOk: reason === undefined, timeMs: tools.now() - startedAt, reason, isKeyDead });
      try {
        const summary = client.summarizeRequest(body);
        const changed = changeRequest(client, speaking, () => body, summary);
        if (changed?.fault) throw changed.fault;
        const raw = changed ? undefined : Buffer.from(JSON.stringify(body));
        const built = buildCall(
          client,
          speaking,
          raw,
          changed?.body ?? body,
          upstreamModel,
          changed?.summary ?? summary,
        );
        const call = passClientHeaders(built, speaking, {});
        const pieces = new BytePieces();
        let size = 0;
        let status = 0;
        let isMapped = false;
        let headers: Record<string, string | string[] | undefined> = {};
        sendAuthorized(speaking, call, tools, {
          onStart() {},
          onHeaders(received, receivedHeaders) {
            const treatedAs = speaking.overrides?.statusCodes?.get(received);
            status = treatedAs ?? received;
            isMapped = treatedAs !== undefined;
            headers = receivedHeaders;
          },
          onData(chunk) {
            size += chunk.length;
            if (size <= MAX_ANSWER_BYTES) pieces.push(chunk);
            return true;
          },
          onEnd() {
            const text = pieces.take().toString("utf8");
            // An answer that is not JSON is reported as text.
            const answer = parseJson(text) ?? text;
            if (status < 300 && protocol.isAnswer(answer)) {
              finish();
              return;
            }
            const said = protocol.readError(status, headers, answer);
            const error = concealError(errorAsMapped(said, isMapped, status), speaking.conceal);
            if (error.fault && error.message === "") {
              finish({ answer: error.fault, status });
              return;
            }
            const reason = `HTTP ${status} ${error.code} ${error.message}`.replace(/\s+/g, " ").trim();
            finish(reason, error.kind === "dead-key");
          },
          onFailure: ({ kind }) => finish({ transport: kind }),
        });
      } catch (error) {
        if (!(error instanceof RequestInvalid)) throw error;
        finish({ request: error.fault });
      }
    });
  },
});
