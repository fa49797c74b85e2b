import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { StreamPart, StreamReader } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { readOpenaiError } from "../shared/errors/read-openai-error";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { boundedParts } from "../shared/stream/bounded-parts";
import { brokenStream } from "../shared/stream/broken-stream";
import { callIds } from "./extras";
import { readUsage } from "./read-usage";
import { readStatus } from "./status";
import { StreamContent } from "./stream-content";

/**
 * Reads a Responses stream (https://platform.openai.com/docs/api-reference/responses-streaming). The answer is complete
 * with `response.completed` or `response.incomplete`, which also report the usage.
 */
export const createStreamReader = (): StreamReader => new EventReader();

class EventReader implements StreamReader {
  hasStopped = false;
  private isOver = false;
  private hasStarted = false;
  private readonly content = new StreamContent();

  push(event: string, data: string): StreamPart[] {
    if (this.isOver || data.trim() === "") return [];
    return this.pushParsed(event, parseJson(data));
  }

  pushParsed(event: string, body: unknown): StreamPart[] {
    if (this.isOver) return [];
    if (!isRecord(body)) return this.fail(brokenStream("unknown", "stream-no-json"));
    const response = readRecord(body.response);
    const type = readString(body.type) || event;
    if (carriesError(body)) return this.fail(readOpenaiError(200, {}, body));
    if (carriesError(response) || type === "response.failed")
      return this.fail(readOpenaiError(200, {}, response));
    switch (type) {
      case "response.created":
      case "response.in_progress":
        return this.start(response);
      case "response.completed":
      case "response.incomplete":
        return this.finish(response);
      case "response.output_item.done": {
        const toolCallIds = callIds(
          [body.item],
          typeof body.output_index === "number" ? body.output_index : 0,
        );
        const parts = this.content.push(type, body);
        if (toolCallIds.length > 0) parts.push({ kind: "usage", usage: { ...NO_USAGE, toolCallIds } });
        return parts;
      }
      default:
        return this.content.push(type, body);
    }
  }

  end(): StreamPart[] {
    if (this.isOver) return [];
    return this.fail(brokenStream("network", "stream-incomplete"));
  }

  private start(response: JsonRecord): StreamPart[] {
    if (this.hasStarted) return [];
    this.hasStarted = true;
    return [{ kind: "start", id: readString(response.id), model: readString(response.model) }];
  }

  private finish(response: JsonRecord): StreamPart[] {
    this.isOver = true;
    this.hasStopped = true;
    const usage = readUsage(response);
    return [
      ...this.start(response),
      ...this.content.end(boundedParts(readArray(response.output))),
      ...(usage === NO_USAGE ? [] : [{ kind: "usage" as const, usage }]),
      { kind: "finish", reason: readStatus(response, this.content.hasToolCalls) },
    ];
  }

  private fail(error: UpstreamError): StreamPart[] {
    this.isOver = true;
    return [{ kind: "error", error }];
  }
}
