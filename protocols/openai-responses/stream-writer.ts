import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamWriter, WriteJson } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { responseId } from "./encode-response";
import { encodeShell } from "./encode-shell";
import { encodeUsage } from "./encode-usage";
import { encodeStatus } from "./status";
import { StreamItems } from "./stream-items";
import { readKnownTools } from "./tool-table";

/**
 * Writes a Responses stream (https://platform.openai.com/docs/api-reference/responses-streaming): numbered events, with
 * the finished answer in the last one. `end()` writes that one, when the usage is known. There is no "[DONE]".
 */
export const createStreamWriter = (
  stamp: AnswerStamp,
  _wantsUsageChunk: boolean,
  write: WriteJson = JSON.stringify,
): StreamWriter => new EventWriter(stamp, write);

class EventWriter implements StreamWriter {
  private id = "";
  private sequence = 0;
  private reason: FinishReason | undefined;
  private usage: Usage = NO_USAGE;
  private readonly items: StreamItems;

  constructor(
    private readonly stamp: AnswerStamp,
    private readonly write: WriteJson,
  ) {
    this.items = new StreamItems(
      readKnownTools(stamp.request),
      () => this.id,
      (type, fields) => this.event(type, fields),
    );
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        return this.start(part.id);
      case "usage":
        this.usage = mergeUsage(this.usage, part.usage);
        return "";
      case "finish":
        this.reason ??= part.reason;
        return this.start("") + this.items.end();
      case "error":
        return "";
      default:
        return this.start("") + this.items.push(part);
    }
  }

  end(): string {
    const opening = this.start("") + this.items.end();
    const fields = encodeStatus(this.reason ?? "stop");
    const response = {
      ...encodeShell(this.id, this.stamp),
      ...fields,
      completed_at: this.stamp.createdAt,
      output: this.items.finished,
      usage: encodeUsage(this.usage),
    };
    return opening + this.event(`response.${fields.status}`, { response });
  }

  private start(upstreamId: string): string {
    if (this.id !== "") return "";
    this.id = responseId(upstreamId, this.stamp);
    const response = encodeShell(this.id, this.stamp);
    return this.event("response.created", { response }) + this.event("response.in_progress", { response });
  }

  private event(type: string, fields: object): string {
    const data = this.write({ type, sequence_number: this.sequence, ...fields });
    this.sequence += 1;
    return `event: ${type}\ndata: ${data}\n\n`;
  }
}
