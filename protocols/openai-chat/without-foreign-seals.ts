import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { changeList } from "../shared/json/change-list";
import { isRecord } from "../shared/json/json-values";
import { isForeignSlot } from "../shared/messages/seal";
import { findModelRule } from "../shared/request/openai-model-rules";
import { readCallSeal } from "./call-seal";

/** Removes `extra_content` from calls: other vendors' seals, and for models that read no seals all of them. */
export const withoutForeignSeals: ClientProtocol["withoutForeignSeals"] = (body, model) => {
  if (!Array.isArray(body.messages)) return body;
  const { readsSeals = false } = findModelRule(model);
  const withoutSeal = (call: unknown): unknown => {
    if (!isRecord(call) || call.extra_content === undefined) return call;
    const seal = readCallSeal(call);
    if (seal === "" || (readsSeals && !isForeignSlot(seal))) return call;
    const { extra_content: _, ...rest } = call;
    return rest;
  };
  const messages = changeList(body.messages, (message) => {
    if (!isRecord(message) || !Array.isArray(message.tool_calls)) return message;
    const calls = changeList(message.tool_calls, withoutSeal);
    return calls === message.tool_calls ? message : { ...message, tool_calls: calls };
  });
  return messages === body.messages ? body : { ...body, messages };
};
