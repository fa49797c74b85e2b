import type { StreamPart } from "@tollgate/contract/relay/stream";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { encodeDataUri } from "../shared/messages/data-uri";
import { decodeSeal, ownSeal, type Sealed } from "../shared/messages/seal";
import { makeCallId } from "../shared/tools/call-id";
import { readField } from "./read-field";

/**
 * The parts of one model turn as canonical parts, for an answer, whole or in pieces, and for a turn in a conversation.
 * Adjacent pieces of text are one part, and so are those of a thought. A seal belongs to the thought before it. Without
 * one it becomes an empty thought before the next call, because Google requires it back only there. At the end of an
 * answer such a thought would be of no use to a client.
 */
export class AnswerParts {
  hasToolCalls = false;
  private nextIndex = 0;
  private calls = 0;
  /** The kind of part that a further piece continues. */
  private current: "text" | "reasoning" | undefined;
  /** The newest thought that has no seal yet. */
  private unsealed: number | undefined;
  /** A seal that waits for a call. */
  private waiting = "";

  /** @param turnId base for the ids of calls without one. */
  push(part: JsonRecord, turnId: string): StreamPart[] {
    const seal = readString(readField(part, "thoughtSignature"));
    const call = readField(part, "functionCall");
    if (isRecord(call)) return [...this.sealCall(seal), ...this.addCall(call, turnId)];
    const text = this.addText(part.thought === true ? "reasoning" : "text", wordsOf(part));
    return [...text, ...this.addSeal(seal)];
  }

  private addText(kind: "text" | "reasoning", text: string): StreamPart[] {
    if (text === "") return [];
    if (this.current !== kind) {
      this.current = kind;
      this.nextIndex += 1;
      if (kind === "reasoning") this.unsealed = this.nextIndex - 1;
    }
    return [{ kind, index: this.nextIndex - 1, text }];
  }

  /** A seal behind words or a thought. */
  private addSeal(seal: string): StreamPart[] {
    if (seal === "") return [];
    const sealed = decodeSeal("gemini", seal);
    const isOwn = "signature" in sealed && ownSeal("gemini", sealed.signature) !== undefined;
    if (!isOwn) return this.addSealed(sealed);
    if (this.unsealed === undefined) {
      this.waiting = seal;
      return [];
    }
    const index = this.unsealed;
    this.unsealed = undefined;
    if (this.current === "reasoning") this.current = undefined;
    return [{ kind: "reasoning-signature", index, signature: sealed.signature }];
  }

  /** The seal of the current call, or an earlier one that waited for it. */
  private sealCall(own: string): StreamPart[] {
    const seal = own || this.waiting;
    this.waiting = "";
    return seal === "" ? [] : this.addSealed(decodeSeal("gemini", seal));
  }

  /** Seals the thought directly before, else creates one without words. */
  private addSealed(sealed: Sealed): StreamPart[] {
    if (this.current !== "reasoning" || "redactedData" in sealed) this.nextIndex += 1;
    this.current = undefined;
    this.unsealed = undefined;
    const index = this.nextIndex - 1;
    return "redactedData" in sealed
      ? [{ kind: "redacted-reasoning", index, data: sealed.redactedData }]
      : [{ kind: "reasoning-signature", index, signature: sealed.signature }];
  }

  private addCall(call: JsonRecord, turnId: string): StreamPart[] {
    this.hasToolCalls = true;
    this.current = undefined;
    const index = this.nextIndex;
    this.nextIndex += 1;
    this.calls += 1;
    const name = readString(call.name);
    const id = readString(call.id) || makeCallId(turnId, this.calls - 1, name);
    return [
      { kind: "tool-call", index, id, name },
      { kind: "tool-arguments", index, text: argumentsText(readRecord(call.args)) },
    ];
  }
}

/** The words of a part. Other protocols carry no images in answers, so these become an address inside the text. */
const wordsOf = (part: JsonRecord): string => {
  const { data, ...blob } = readRecord(readField(part, "inlineData"));
  const mediaType = readString(readField(blob, "mimeType"));
  if (typeof data !== "string" || !mediaType.startsWith("image/")) return readString(part.text);
  return `![image](${encodeDataUri(mediaType, data)})`;
};
