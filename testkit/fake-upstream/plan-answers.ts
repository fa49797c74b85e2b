import { type Answer, type AnswerShape, cutIntoPieces } from "../answer-shapes/answer";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import { OPENAI_OPERATIONS } from "../answer-shapes/openai-operations";
import { createEmbedders } from "./embedders";
import type { Arrival } from "./endpoint";
import { applyFault, type Delivery, type FaultName, parseFaultName, shapeAnswer } from "./faults";
import { createStudio, type Painted } from "./painters";
import type { RecordedRequest } from "./recorded-request";
import { createSoundMakers } from "./sound-makers";
import { DEFAULT_TEXT, DEFAULT_USAGE, type UpstreamScript } from "./upstream-script";

/** The parts of a request that determine the answer. */
export interface Ask {
  model: string;
  isStream: boolean;
  isUsageWanted: boolean;
}

/** Where vendors keep pictures. */
export const PICTURE_ADDRESS = "https://example.com/picture.png?signature=secret";

/** Number of pictures that a vendor's request asks for. */
const askedPictures = ({ body }: Arrival): number => {
  const { n, sampleCount } = (body.parameters ?? {}) as { n?: unknown; sampleCount?: unknown };
  return Math.max(1, Number(sampleCount ?? n ?? 1));
};

/** Plans the answer of each request, by the scripts of the test. */
export interface Planner {
  /** @throws Error when a fault is unknown. */
  script(scripts: UpstreamScript[]): void;
  reply(by: (request: RecordedRequest) => UpstreamScript): void;
  reset(): void;
  /** Takes the next script when its fault is this one. */
  takeIf(fault: FaultName): boolean;
  planChat(shape: AnswerShape, ask: Ask): Delivery;
  /**
   * Plans answers other than chats: embeddings and sound in a vendor's own format, and the operations of OpenAI's.
   * @param fields of the body or of the form
   * @returns undefined for an unknown address.
   */
  planOperation(arrival: Arrival, fields: Record<string, unknown>): Delivery | undefined;
  /** Plans the answer to a query of a task's state; undefined for an unknown address. */
  planQuery(arrival: Arrival): Delivery | undefined;
}

/**
 * Separates a model's name from the fault that it asks for: "fake-gpt--empty-stream". A channel's model mapping can
 * so choose a fault for one channel only.
 */
const FAULT_MARK = "--";

const readFault = (model: string): FaultName | undefined => {
  const mark = model.indexOf(FAULT_MARK);
  return mark < 0 ? undefined : parseFaultName(model.slice(mark + FAULT_MARK.length));
};

const buildAnswer = (script: UpstreamScript, model: string, serial: number, hugeText?: string): Answer => {
  const toolCalls = script.toolCalls ?? [];
  const text = script.text ?? (toolCalls.length > 0 ? "" : DEFAULT_TEXT);
  return {
    id: `fake-${serial}`,
    model,
    createdAt: 1_700_000_000,
    reasoning: script.reasoning ?? "",
    pieces: hugeText === undefined ? cutIntoPieces(text, script.pieces ?? 6) : [hugeText],
    toolCalls,
    usage: script.usage ?? DEFAULT_USAGE,
    finish: script.finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
  };
};

const wholeDelivery = (contentType: string, parts: Delivery["parts"]): Delivery => ({
  status: 200,
  headers: { "content-type": contentType },
  parts,
  headDelayMs: 0,
  partDelayMs: 0,
  isSplit: false,
  ending: "end",
  isRefused: false,
});

/**
 * @param newest the request that is answered now
 * @param isIssued whether a token is one that a vendor's service gave out here
 */
export const createPlanner = (
  newest: () => RecordedRequest | undefined,
  isIssued: (token: string) => boolean,
): Planner => {
  const natives = [...createEmbedders(isIssued), ...createSoundMakers(isIssued)];
  const studio = createStudio(isIssued);
  let scripts: UpstreamScript[] = [];
  let replyBy: ((request: RecordedRequest) => UpstreamScript) | undefined;
  let attempts = new Map<FaultName, number>();
  let serial = 0;

  const takeScript = (): UpstreamScript => {
    const asking = newest();
    if (replyBy && asking) return replyBy(asking);
    return (scripts.length > 1 ? scripts.shift() : scripts[0]) ?? {};
  };

  const countAttempt = (fault: FaultName): number => {
    const attempt = attempts.get(fault) ?? 0;
    attempts.set(fault, attempt + 1);
    return attempt;
  };

  /** The script for a model's request, and its answer. */
  const begin = (model: string) => {
    const script = takeScript();
    const fault = readFault(model) ?? script.fault;
    const { placement, hugeText } = shapeAnswer(fault);
    serial += 1;
    return { script, fault, placement, answer: buildAnswer(script, model, serial, hugeText) };
  };

  const spoil = (
    good: Delivery,
    isStream: boolean,
    shape: AnswerShape,
    { script, fault }: ReturnType<typeof begin>,
  ): Delivery =>
    fault === undefined
      ? good
      : applyFault(fault, good, {
          isStream,
          delayMs: script.delayMs ?? 1000,
          attempt: countAttempt(fault),
          errorStatus: shape.errorStatus,
          error: shape.encodeError,
          errorEvent: shape.encodeErrorEvent,
        });

  const planNative = (arrival: Arrival): Delivery | undefined => {
    const native = natives.find(
      ({ path, isAsked }) => path.test(arrival.path) && (isAsked?.(arrival) ?? true),
    );
    if (!native) return undefined;
    const { shape, encode, checkCredential } = native;
    const { contentType, parts, isStream } = encode(arrival.body);
    const begun = begin(String(arrival.body.model ?? native.path.exec(arrival.path)?.[1] ?? ""));
    const good = spoil(wholeDelivery(contentType, parts), isStream, shape, begun);
    const wrong = checkCredential(arrival);
    if (wrong === "") return good;
    const refusal = JSON.stringify(shape.encodeError(401, wrong));
    return { ...good, status: shape.errorStatus ?? 401, parts: [refusal] };
  };

  const deliverPainted = (arrival: Arrival, painted: Painted, begun: ReturnType<typeof begin>): Delivery => {
    const { body, shape, checkCredential } = painted;
    const wrong = checkCredential(arrival);
    const good = spoil(wholeDelivery(body.contentType, body.parts), false, shape, begun);
    if (wrong === "") return good;
    return { ...good, status: 401, parts: [JSON.stringify(shape.encodeError(401, wrong))] };
  };

  const planPictures = (arrival: Arrival): Delivery | undefined => {
    let begun: ReturnType<typeof begin> | undefined;
    const painted = studio.paint(arrival, () => {
      begun = begin(String(arrival.body.model ?? ""));
      const { pictures, pictureAddress = PICTURE_ADDRESS } = begun.script;
      return { delivered: pictures ?? askedPictures(arrival), address: pictureAddress };
    });
    return painted && begun && deliverPainted(arrival, painted, begun);
  };

  const planOpenAi = (path: string, fields: Record<string, unknown>): Delivery | undefined => {
    // Vendors have embeddings under their own addresses.
    const encode = OPENAI_OPERATIONS[path.endsWith("/embeddings") ? "/v1/embeddings" : path];
    if (!encode) return undefined;
    const begun = begin(String(fields.model ?? ""));
    const { answer, placement, script } = begun;
    const hasUsage = placement !== "none";
    const { contentType, parts, isStream } = encode({ fields, answer, hasUsage, seconds: script.seconds });
    return spoil(wholeDelivery(contentType, parts), isStream, OPENAI_CHAT, begun);
  };

  const forget = (): void => {
    replyBy = undefined;
    attempts = new Map();
  };

  return {
    script: (next) => {
      for (const { fault } of next) if (fault !== undefined) parseFaultName(fault);
      scripts = next;
      forget();
    },
    reply: (by) => {
      replyBy = by;
    },
    reset: () => {
      scripts = [];
      forget();
    },
    takeIf: (fault) => {
      if (scripts[0]?.fault !== fault) return false;
      takeScript();
      return true;
    },
    planChat: (shape, { model, isStream, isUsageWanted }) => {
      const begun = begin(model);
      const { answer, placement } = begun;
      const streamType = shape.streamType ?? "text/event-stream; charset=utf-8";
      const parts = isStream
        ? shape.encodeEvents(answer, placement, isUsageWanted)
        : [JSON.stringify(shape.encodeJson(answer, placement))];
      return spoil(wholeDelivery(isStream ? streamType : "application/json", parts), isStream, shape, begun);
    },
    planQuery: (arrival) => {
      const painted = studio.query(arrival.path);
      return painted && deliverPainted(arrival, painted, begin(""));
    },
    planOperation: (arrival, fields) =>
      planPictures(arrival) ?? planNative(arrival) ?? planOpenAi(arrival.path, fields),
  };
};
