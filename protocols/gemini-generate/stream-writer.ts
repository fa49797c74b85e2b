import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, ToolCallPart } from "@tollgate/contract/relay/request";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamWriter, WriteJson } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { ObjectEnd } from "../shared/json/object-end";
import { encodePart, goesWithCall } from "./encode-parts";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";
import { encodeLogprobs } from "./logprobs";

/**
 * Writes a stream of generateContent answers: each event is a whole answer with the next parts. A call has no pieces in
 * this shape, so it waits until its arguments are complete. `end()` writes the finish reason and the usage in the last
 * event, when both are known.
 */
export const createStreamWriter = (
  stamp: AnswerStamp,
  _wantsUsageChunk: boolean,
  write: WriteJson = JSON.stringify,
): StreamWriter => new AnswerWriter(stamp, write);

/** A call with incomplete arguments, and the seal of the thought before it. */
interface WaitingCall {
  call: ToolCallPart;
  /** Sees whether the arguments are whole. */
  end: ObjectEnd;
  seal: string | undefined;
}

class AnswerWriter implements StreamWriter {
  private id: string;
  private readonly calls = new Map<number, WaitingCall>();
  /** The newest thought's seal, until it is known whether a call follows. */
  private seal: string | undefined;
  private hasRefusal = false;
  private reason: FinishReason | undefined;
  private usage: Usage = NO_USAGE;

  constructor(
    private readonly stamp: AnswerStamp,
    private readonly write: WriteJson,
  ) {
    this.id = stamp.id;
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        if (part.id !== "") this.id = part.id;
        return "";
      case "refusal":
        this.hasRefusal = true;
        return this.writeInOrder({ kind: "text", text: part.text });
      case "text":
        return part.text === "" ? "" : this.writeInOrder({ ...part, kind: "text" });
      case "reasoning":
        return part.text === "" ? "" : this.writeInOrder({ kind: "reasoning", text: part.text });
      case "reasoning-signature":
        return this.pushSeal(part.signature);
      case "redacted-reasoning":
        return this.writeInOrder({ kind: "reasoning", text: "", redactedData: part.data });
      case "tool-call":
        this.calls.set(part.index, {
          call: { kind: "tool-call", id: part.id, name: part.name, arguments: "" },
          end: new ObjectEnd(),
          seal: this.seal,
        });
        this.seal = undefined;
        return "";
      case "tool-arguments": {
        const waiting = this.calls.get(part.index);
        if (waiting) {
          waiting.call.arguments += part.text;
          waiting.end.push(part.text);
        }
        return "";
      }
      case "usage":
        this.usage = mergeUsage(this.usage, part.usage);
        return "";
      case "finish":
        this.reason ??= part.reason;
        return this.writeCalls(true) + this.writeSeal();
      case "error":
        return "";
    }
  }

  end(): string {
    const calls = this.writeCalls(true) + this.writeSeal();
    const reason = this.hasRefusal ? "content-filter" : (this.reason ?? "stop");
    const candidate = {
      // Google's own client drops both turns of a conversation in which one piece has no parts.
      content: { parts: [{ text: "" }], role: "model" },
      finishReason: encodeFinishReason(reason),
      index: 0,
    };
    return calls + this.event(candidate, encodeUsage(this.usage));
  }

  private writeInOrder(part: AssistantPart): string {
    return this.writeCalls() + this.writeSeal() + this.writePart(part);
  }

  private pushSeal(signature: string): string {
    if (!goesWithCall(signature)) return this.writeInOrder({ kind: "reasoning", text: "", signature });
    const before = this.writeCalls() + this.writeSeal();
    this.seal = signature;
    return before;
  }

  /** A seal that no call followed. */
  private writeSeal(): string {
    const signature = this.seal;
    if (signature === undefined) return "";
    this.seal = undefined;
    return this.writePart({ kind: "reasoning", text: "", signature });
  }

  /** Writes complete calls, before any later parts. */
  private writeCalls(isLast = false): string {
    let text = "";
    for (const [index, { call, end, seal }] of this.calls) {
      if (!isLast && !end.isReached) continue;
      this.calls.delete(index);
      text += this.writePart(call, seal);
    }
    return text;
  }

  private writePart(part: AssistantPart, callSeal?: string): string {
    const logprobs = part.kind === "text" ? encodeLogprobs(part.logprobs) : {};
    return this.event({
      content: { parts: encodePart(part, callSeal), role: "model" },
      index: 0,
      ...logprobs,
    });
  }

  private event(candidate: object, usageMetadata?: object): string {
    const answer = {
      candidates: [candidate],
      usageMetadata,
      modelVersion: this.stamp.model,
      responseId: this.id,
    };
    return `data: ${this.write(answer)}\r\n\r\n`;
  }
}
