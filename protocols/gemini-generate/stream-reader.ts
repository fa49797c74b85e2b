import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { StreamPart, StreamReader } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, readArray, readString } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { boundedParts } from "../shared/stream/bounded-parts";
import { brokenStream } from "../shared/stream/broken-stream";
import { AnswerParts } from "./answer-parts";
import { readFinishReason } from "./finish-reason";
import { readError } from "./read-error";
import { isPromptBlocked, partsOf, withLogprobs } from "./read-response";
import { readUsage } from "./read-usage";

/**
 * Reads a stream of generateContent answers (https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent),
 * each with the next parts. There is no end mark: the finish is given out when the connection is closed, because some
 * servers put a finish reason into every event. Usage counts the whole answer so far. Of several candidates only the
 * first is read.
 */
export const createStreamReader = (): StreamReader => new AnswerReader();

class AnswerReader implements StreamReader {
  private isOver = false;
  private hasStarted = false;
  private answerId = "";
  private finishReason: unknown;
  private isBlocked = false;
  private readonly content = new AnswerParts();

  push(event: string, data: string): StreamPart[] {
    if (this.isOver || data.trim() === "") return [];
    return this.pushParsed(event, parseJson(data));
  }

  pushParsed(_event: string, body: unknown): StreamPart[] {
    if (this.isOver) return [];
    if (!isRecord(body)) {
      // Behind the finish reason the answer is whole: half a last event does not spoil it.
      return this.hasStopped ? [] : this.fail(brokenStream("unknown", "stream-no-json"));
    }
    if (carriesError(body)) return this.fail(readError(200, {}, body));
    const parts: StreamPart[] = [];
    const candidate = readArray(body.candidates).find(
      (one) => isRecord(one) && (one.index === undefined || one.index === 0),
    );
    this.isBlocked ||= isPromptBlocked(body);
    if (!this.hasStarted && (isRecord(candidate) || this.isBlocked)) {
      this.hasStarted = true;
      this.answerId = readString(body.responseId);
      parts.push({ kind: "start", id: this.answerId, model: readString(body.modelVersion) });
    }
    // Before the content: the input count is known by then, for clients whose answers start with it.
    const usage = readUsage(body);
    if (usage !== NO_USAGE) parts.push({ kind: "usage", usage });
    if (isRecord(candidate)) {
      const made = boundedParts(partsOf(candidate)).flatMap((part) => this.content.push(part, this.answerId));
      parts.push(...withLogprobs(made, candidate));
      if (readFinishReason(candidate.finishReason, false)) this.finishReason = candidate.finishReason;
    }
    return parts;
  }

  end(): StreamPart[] {
    if (this.isOver) return [];
    if (!this.hasStopped) {
      return this.fail(brokenStream("network", "stream-incomplete"));
    }
    this.isOver = true;
    const reason = readFinishReason(this.finishReason, this.content.hasToolCalls);
    return [{ kind: "finish", reason: this.isBlocked ? "content-filter" : (reason ?? "stop") }];
  }

  get hasStopped(): boolean {
    return this.isBlocked || this.finishReason !== undefined;
  }

  private fail(error: UpstreamError): StreamPart[] {
    this.isOver = true;
    return [{ kind: "error", error }];
  }
}
