import type { StreamPart } from "@tollgate/contract/relay/stream";
import { AnswerUnreadable } from "@tollgate/contract/relay/upstream-fault";
import { type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { markSeal } from "../shared/messages/seal";
import { makeCallId } from "../shared/tools/call-id";
import { readCallSeal } from "./call-seal";
import { readCallArguments } from "./read-response";

/** Far more than any model calls in parallel: every piece of arguments searches for its call. */
const MAX_CALLS = 2000;

interface Call {
  /** The upstream's own number and id, as far as it gave them. */
  upstreamIndex: number | undefined;
  upstreamId: string;
  position: number;
  /** Canonical index; undefined until the name is known and the call was announced. */
  index: number | undefined;
  /** Arguments that came before the name. */
  held: string;
  /** A seal that came before the name. */
  seal: string;
}

/**
 * Assembles the tool calls of one stream. Vendors differ in how a delta refers to its call: the same index is the same
 * call, even when id and name are repeated in each delta; the same index with another id is a new call; without an
 * index the id decides, and without either the position in the list.
 */
export class StreamCalls {
  private readonly calls: Call[] = [];

  /** @param nextIndex gives the next canonical index. */
  constructor(private readonly nextIndex: () => number) {}

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  /** @param position the delta's position in its list. */
  push(delta: JsonRecord, position: number, answerId: string, parts: StreamPart[]): void {
    const call = this.find(delta, position);
    const called = readRecord(delta.function);
    const name = readString(called.name);
    const text = readCallArguments(called.arguments);
    if (call.index === undefined) {
      call.seal = readCallSeal(delta) || call.seal;
      if (name === "") {
        call.held += text;
        return;
      }
      this.announce(call, name, answerId, parts);
    }
    if (text !== "" && call.index !== undefined)
      parts.push({ kind: "tool-arguments", index: call.index, text });
  }

  /** The stream ends: calls that never got a name are output anyway, so that nothing is lost. */
  flush(answerId: string, parts: StreamPart[]): void {
    for (const call of this.calls) if (call.index === undefined) this.announce(call, "", answerId, parts);
  }

  private announce(call: Call, name: string, answerId: string, parts: StreamPart[]): void {
    if (call.seal !== "") {
      const signature = markSeal("gemini", call.seal);
      parts.push({ kind: "reasoning-signature", index: this.nextIndex(), signature });
    }
    call.index = this.nextIndex();
    const id = call.upstreamId || makeCallId(answerId, call.position, name);
    parts.push({ kind: "tool-call", index: call.index, id, name });
    if (call.held !== "") parts.push({ kind: "tool-arguments", index: call.index, text: call.held });
    call.held = "";
  }

  private find(delta: JsonRecord, position: number): Call {
    const upstreamIndex = typeof delta.index === "number" ? delta.index : undefined;
    const upstreamId = readString(delta.id);
    const known =
      upstreamIndex !== undefined
        ? this.calls.findLast((call) => call.upstreamIndex === upstreamIndex)
        : upstreamId !== ""
          ? this.calls.find((call) => call.upstreamId === upstreamId)
          : this.findByPosition(position);
    const isOther =
      upstreamId !== "" && known !== undefined && known.upstreamId !== "" && known.upstreamId !== upstreamId;
    if (known && !isOther) {
      if (known.upstreamId === "") known.upstreamId = upstreamId;
      return known;
    }
    if (this.calls.length >= MAX_CALLS) throw new AnswerUnreadable({ code: "too-many-calls" });
    const call: Call = {
      upstreamIndex,
      upstreamId,
      position: this.calls.length,
      index: undefined,
      held: "",
      seal: "",
    };
    this.calls.push(call);
    return call;
  }

  /** A lone delta without any mark continues the newest call. */
  private findByPosition(position: number): Call | undefined {
    return position === 0 ? this.calls.at(-1) : this.calls[position];
  }
}
