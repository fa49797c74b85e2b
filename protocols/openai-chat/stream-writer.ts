import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { TokenLogprob } from "@tollgate/contract/relay/request";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamWriter, WriteJson } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { answerId } from "../shared/answer/answer-id";
import { encodeOpenaiLogprobs } from "../shared/answer/logprobs";
import { freeformInput } from "../shared/tools/freeform-tool";
import { encodeCallSeal, sealFields } from "./call-seal";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";
import { customNames, usesFunctions } from "./parse-tools";

interface Call {
  /** Its position among the calls. */
  position: number;
  hasArguments: boolean;
  /** The arguments so far of a call that holds free text; undefined for every other. */
  freeform: string | undefined;
}

/**
 * Writes the chunks of a Chat Completions stream (https://platform.openai.com/docs/api-reference/chat/streaming): the
 * role first, the finish reason once, then the usage if the client requested it, then "[DONE]". `end()` writes
 * everything from the finish on.
 */
export const createStreamWriter = (
  stamp: AnswerStamp,
  wantsUsageChunk: boolean,
  write: WriteJson = JSON.stringify,
): StreamWriter => new ChunkWriter(stamp, wantsUsageChunk, write);

class ChunkWriter implements StreamWriter {
  private id = "";
  /** The text before and after the delta is the same in each chunk. */
  private head = "";
  private readonly tail: string;
  /** Each tool call by its canonical index. */
  private readonly calls = new Map<number, Call>();
  /** Tools whose calls contain free text in place of JSON. */
  private readonly custom: ReadonlySet<string>;
  /** Calls are written in the older form, which holds one call. */
  private readonly isOlder: boolean;
  /** The seal of a thought, for the call behind it. */
  private seal: string | undefined;
  private reason: FinishReason | undefined;
  private usage: Usage = NO_USAGE;

  constructor(
    private readonly stamp: AnswerStamp,
    private readonly wantsUsageChunk: boolean,
    private readonly write: WriteJson,
  ) {
    const { request } = stamp;
    this.custom = customNames(request);
    this.isOlder = usesFunctions(request);
    // If requested, the field is in every chunk, null until the last.
    this.tail = wantsUsageChunk ? ',"usage":null}\n\n' : "}\n\n";
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        return this.start(part.id);
      case "text":
        return part.text === "" ? "" : this.chunk({ content: part.text }, undefined, part.logprobs);
      case "refusal":
        return part.text === "" ? "" : this.chunk({ refusal: part.text });
      case "reasoning":
        return part.text === "" ? "" : this.chunk({ reasoning_content: part.text });
      case "reasoning-signature":
        this.seal = encodeCallSeal(part.signature) ?? this.seal;
        return "";
      case "tool-call":
        return this.openCall(part.index, part.id, part.name);
      case "tool-arguments": {
        const call = this.calls.get(part.index);
        if (call === undefined || part.text === "") return "";
        if (call.freeform !== undefined) {
          // The text can be decoded only from the complete arguments.
          call.freeform += part.text;
          return "";
        }
        call.hasArguments = true;
        return this.argumentsChunk(call.position, part.text);
      }
      case "usage":
        this.usage = mergeUsage(this.usage, part.usage);
        return "";
      case "finish":
        this.reason ??= part.reason;
        return "";
      case "redacted-reasoning": // this shape has no field for it
      case "error":
        return "";
    }
  }

  end(): string {
    let text = "";
    // Clients parse the joined arguments: empty ones must read as an empty object.
    for (const call of this.calls.values()) {
      if (call.freeform !== undefined) text += this.inputChunk(call.position, freeformInput(call.freeform));
      else if (!call.hasArguments) text += this.argumentsChunk(call.position, "{}");
    }
    const reason = this.reason ?? (this.calls.size > 0 ? "tool-calls" : "stop");
    text += this.chunk({}, encodeFinishReason(reason, this.isOlder));
    return `${text}${this.usageChunk()}data: [DONE]\n\n`;
  }

  private openCall(key: number, id: string, name: string): string {
    const index = this.calls.size;
    if (this.isOlder && index > 0) return "";
    const isFreeform = this.custom.has(name);
    this.calls.set(key, {
      position: index,
      hasArguments: false,
      freeform: isFreeform ? "" : undefined,
    });
    if (this.isOlder) return this.chunk({ function_call: { name, arguments: "" } });
    const called = isFreeform
      ? { type: "custom", custom: { name, input: "" } }
      : { type: "function", function: { name, arguments: "" } };
    const sealed = sealFields(this.seal);
    this.seal = undefined;
    return this.chunk({ tool_calls: [{ index, id, ...called, ...sealed }] });
  }

  private inputChunk(position: number, input: string): string {
    return this.chunk({ tool_calls: [{ index: position, custom: { input } }] });
  }

  private argumentsChunk(position: number, text: string): string {
    const called = { arguments: text };
    return this.chunk(
      this.isOlder ? { function_call: called } : { tool_calls: [{ index: position, function: called }] },
    );
  }

  private start(upstreamId: string): string {
    if (this.head !== "") return "";
    this.id = answerId(upstreamId, this.stamp.id, "chatcmpl-");
    this.head = `${this.opening()},"choices":[{"index":0,"delta":`;
    return this.chunk({ role: "assistant", content: "" });
  }

  private opening(): string {
    const { createdAt, model } = this.stamp;
    const fields = { id: this.id, object: "chat.completion.chunk", created: createdAt, model };
    return `data: ${JSON.stringify(fields).slice(0, -1)}`;
  }

  private chunk(delta: object, reason?: string, tokens?: readonly TokenLogprob[]): string {
    // An answer that never announced itself still starts with the role.
    const start = this.head === "" ? this.start("") : "";
    const finish = reason === undefined ? "null" : `"${reason}"`;
    const logprobs = tokens ? this.write({ content: encodeOpenaiLogprobs(tokens), refusal: null }) : "null";
    return `${start}${this.head}${this.write(delta)},"logprobs":${logprobs},"finish_reason":${finish}}]${this.tail}`;
  }

  private usageChunk(): string {
    if (!this.wantsUsageChunk) return "";
    return `${this.opening()},"choices":[],"usage":${JSON.stringify(encodeUsage(this.usage) ?? null)}}\n\n`;
  }
}
