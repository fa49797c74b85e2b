import type { Extras } from "@tollgate/contract/relay/extras";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { priceHold } from "@tollgate/metering/bill";
import { worstCalls, worstFactor } from "@tollgate/metering/extra-charges";
import type { Price } from "@tollgate/metering/price";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { readOutputBounds } from "@tollgate/protocols/shared/usage/output-bounds";
import { readsEveryLimit } from "@tollgate/vendors/vendors";
import type { UpstreamTarget } from "../ports/directory";
import { nameForUpstream } from "./build-call";
import { changeBody } from "./change-body";
import type { ChatBody, ChatJob } from "./chat-body";
import { wantsCacheMarks } from "./mark-cache";
import type { HoldQuota } from "./reserve-quota";
import { boundsOf, maxPromptTokens } from "./worst-case";

/*
 * The quota that a chat may cost at most. The upstream may be sent other limits and other extras than the client wrote,
 * so that they are read from the body that the channel will be sent.
 */

/** Some protocols write no request without a turn of the user's. */
const SMALLEST_TURNS: ChatRequest["turns"] = [{ role: "user", parts: [{ kind: "text", text: "." }] }];

/** A chat for one channel. */
interface Sent {
  job: ChatJob;
  body: ChatBody;
  channel: UpstreamTarget;
  /** The upstream's name of it. */
  model: string;
}

/** Whether the request asks to cache part of the prompt (Anthropic, Qwen), or gets marks here. */
const writesCache = ({ job: { key, rawBody }, body, channel }: Sent): boolean =>
  Boolean(channel.overrides?.writesCache) ||
  wantsCacheMarks(key, channel, body.promptTokensSent) ||
  Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).includes('"cache_control"');

/** The request in another protocol, without its conversation; empty when that protocol cannot express it. */
const translated = ({ body, channel, model }: Sent): Record<string, unknown> => {
  try {
    const request = { ...body.parse(), turns: SMALLEST_TURNS, model: nameForUpstream(channel, model) };
    const built = channel.protocol.buildRequest(request, channel.fields).body;
    return isRecord(built) ? built : {};
  } catch {
    // The task reports the fault when it builds the call; nothing is sent.
    return {};
  }
};

/**
 * The request in another protocol after a channel's overrides, without its conversation, which they do not change;
 * undefined without overrides.
 */
const writtenAnew = (sent: Sent): Record<string, unknown> | undefined => {
  const steps = sent.channel.overrides?.body;
  if (steps === undefined || sent.body.isPassing(sent.channel)) return undefined;
  return changeBody(translated(sent), steps).body;
};

/**
 * The requested extras that are billed apart from tokens. A limit set by the client counts only if the upstream's own
 * body contains it.
 */
const extrasSent = (sent: Sent, written: Record<string, unknown> | undefined): Extras | undefined => {
  const { job, body, channel, model } = sent;
  const { extras } = channel.protocol;
  if (written) return extras?.(written, model);
  const asked = UPSTREAM_PROTOCOLS[job.client.name].extras?.(body.sent, model);
  if (asked === undefined || body.isPassing(channel)) return asked;
  return extras?.(translated(sent), model);
};

/** The limit of one answer in a request of another protocol; undefined without a limit. */
const limitSent = ({ body, channel, model }: Sent): number | undefined => {
  try {
    const request = { ...body.parse(), model: nameForUpstream(channel, model) };
    return channel.protocol.outputLimit(request, channel.fields);
  } catch {
    // The task reports the fault when it builds the call; nothing is sent.
    return body.summary.maxOutputTokens;
  }
};

/**
 * Maximum length of one answer: the limit sent to the upstream, which may differ from the client's, and the worst case.
 * @param defaultTokens used for an answer without a limit. @param written see `writtenAnew`.
 */
const outputSent = (
  sent: Sent,
  defaultTokens: number,
  written: Record<string, unknown> | undefined,
): { least: number; most: number; answers: number } => {
  const { body, channel, model } = sent;
  const { bounds, maxOutputTokens, choices } = body.summary;
  const most = Math.max(boundsOf(model).output, defaultTokens);
  if (body.isPassing(channel)) {
    const least = bounds.tokens ?? maxOutputTokens ?? defaultTokens;
    const told = bounds.tokens ?? (readsEveryLimit(channel.origin) ? maxOutputTokens : undefined);
    return { least, most: told ?? Math.max(most, least), answers: bounds.answers };
  }
  if (written) {
    const told = readOutputBounds(written, true);
    // The upstream's default is unknown when the limit was removed.
    const limit = told.tokens === 0 ? undefined : told.tokens;
    return { least: limit ?? defaultTokens, most: limit ?? most, answers: Math.max(choices, told.answers) };
  }
  const limit = limitSent(sent);
  const least =
    maxOutputTokens === undefined ? defaultTokens : (limit ?? Math.max(maxOutputTokens, defaultTokens));
  return { least, most: limit ?? Math.max(most, least), answers: choices };
};

/**
 * The quota to hold for a chat.
 * @param defaultTokens used for an answer without a limit.
 */
export const holdForChat = (sent: Sent, price: Price, defaultTokens: number): HoldQuota => {
  const { body, channel, model } = sent;
  const written = writtenAnew(sent);
  const { least, most, answers } = outputSent(sent, defaultTokens, written);
  const writes = price.areWritesDearer && writesCache(sent);
  const extras = extrasSent(sent, written);
  const factor = extras && worstFactor(price.extras, extras);
  const calls = extras && worstCalls(price.extras, extras);
  const surcharges = { writesCache: writes, hasSound: true, factor, calls };
  // No tokenizer makes more tokens than there are bytes.
  const added = written ? (channel.overrides?.bodyBytes ?? 0) : 0;
  const maxPrompt = maxPromptTokens(body.prompt, model) + added;
  return {
    least: priceHold(price, body.promptTokensSent, least * answers, { writesCache: writes, factor }),
    most: priceHold(price, maxPrompt, most * answers, surcharges),
  };
};
