import { AIPROXY_LIBRARY } from "../answer-shapes/aiproxy-library";
import type { AnswerShape } from "../answer-shapes/answer";
import { ANTHROPIC_MESSAGES } from "../answer-shapes/anthropic-messages";
import { BAIDU } from "../answer-shapes/baidu";
import { BEDROCK_CONVERSE } from "../answer-shapes/bedrock-converse";
import { DASHSCOPE } from "../answer-shapes/dashscope";
import { GEMINI_GENERATE } from "../answer-shapes/gemini-generate";
import { HUNYUAN } from "../answer-shapes/hunyuan";
import { HUNYUAN_LEGACY } from "../answer-shapes/hunyuan-legacy";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import { OPENAI_COMPLETIONS } from "../answer-shapes/openai-completions";
import { OPENAI_RESPONSES } from "../answer-shapes/openai-responses";
import { PALM } from "../answer-shapes/palm";
import { ZHIPU } from "../answer-shapes/zhipu";
import {
  checkAzure,
  checkBaiduToken,
  checkBearer,
  checkGoogleKey,
  checkIssuedBearer,
  checkSigV4,
  checkTc3,
  checkTencentLegacy,
  checkVertexMessage,
  checkZhipuToken,
  takeAnybody,
} from "./check-credential";
import { FAKE_KEYS } from "./credentials";
import type { Arrival, Endpoint } from "./endpoint";

const bodyModel = ({ body }: Arrival): string => String(body.model ?? "");
const bodyStream = ({ body }: Arrival): boolean => body.stream === true;
const asksForUsage = ({ body }: Arrival): boolean => {
  const options = body.stream_options as { include_usage?: unknown } | null | undefined;
  return options?.include_usage === true;
};

const chat = (path: RegExp, checkCredential: Endpoint["checkCredential"], shape = OPENAI_CHAT): Endpoint => ({
  path,
  shape,
  readModel: bodyModel,
  isStream: bodyStream,
  isUsageWanted: asksForUsage,
  checkCredential,
});

/** The shape of Chat Completions with a vendor's own error codes. */
const withCodes = (codes: Readonly<Record<number, string>>): AnswerShape => {
  const encodeError = (status: number, message: string) => ({
    error: { code: codes[status] ?? String(status), message },
  });
  return {
    ...OPENAI_CHAT,
    encodeError,
    encodeErrorEvent: (status, message) => `data: ${JSON.stringify(encodeError(status, message))}\n\n`,
  };
};

/** FastGPT always reports this usage. */
const FASTGPT_USAGE = { input: 1, output: 1 };
const FASTGPT: AnswerShape = {
  ...OPENAI_CHAT,
  encodeJson: (answer, placement) => OPENAI_CHAT.encodeJson({ ...answer, usage: FASTGPT_USAGE }, placement),
  encodeEvents: (answer) =>
    OPENAI_CHAT.encodeEvents({ ...answer, usage: FASTGPT_USAGE }, "with-last-choice", false),
};

/**
 * Every address that the fake upstream answers over HTTP.
 * @param isIssued whether a token is one that a vendor's service gave out here.
 */
export const createEndpoints = (isIssued: (token: string) => boolean): readonly Endpoint[] => [
  chat(/^\/v1\/chat\/completions$/, takeAnybody),
  chat(/^\/v1\/completions$/, takeAnybody, OPENAI_COMPLETIONS),
  chat(/^\/v1\/responses$/, takeAnybody, OPENAI_RESPONSES),
  {
    path: /^\/v1beta\/models\/([^/]+):(?:generateContent|streamGenerateContent)$/,
    shape: GEMINI_GENERATE,
    readModel: (_arrival, match) => decodeURIComponent(match[1] ?? ""),
    isStream: ({ path }) => path.endsWith(":streamGenerateContent"),
    checkCredential: takeAnybody,
  },
  chat(/^\/v1\/messages$/, takeAnybody, ANTHROPIC_MESSAGES),
  {
    ...chat(/^\/azure\/openai\/deployments\/([^/.]+)\/chat\/completions$/, checkAzure),
    readModel: (_arrival, match) => match[1] ?? "",
  },
  chat(/^\/azure\/openai\/v1\/chat\/completions$/, checkAzure),
  chat(
    /^\/v2\/chat\/completions$/,
    checkBearer(FAKE_KEYS.plain),
    withCodes({ 401: "invalid_iam_token", 429: "rpm_rate_limit_exceeded", 400: "invalid_argument" }),
  ),
  chat(
    /^\/api\/paas\/v4\/chat\/completions$/,
    checkBearer(FAKE_KEYS.zhipu),
    withCodes({ 401: "1000", 429: "1302", 400: "1210", 500: "1234" }),
  ),
  chat(
    /^\/compatible-mode\/v1\/chat\/completions$/,
    checkBearer(FAKE_KEYS.plain),
    withCodes({ 401: "invalid_api_key", 429: "limit_requests", 400: "invalid_parameter_error" }),
  ),
  chat(/^\/fastgpt\/api\/v1\/chat\/completions$/, checkBearer("fake-key-app"), FASTGPT),
  {
    path: /^\/v1beta2\/models\/([\w.-]+):generateMessage$/,
    shape: PALM,
    readModel: (_arrival, match) => match[1] ?? "",
    isStream: () => false,
    checkCredential: checkGoogleKey,
  },
  {
    path: /^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/chat\/([\w.-]+)$/,
    shape: BAIDU,
    readModel: (_arrival, match) => match[1] ?? "",
    isStream: bodyStream,
    checkCredential: checkBaiduToken(isIssued),
  },
  {
    path: /^\/api\/paas\/v3\/model-api\/([\w-]+)\/(?:sse-)?invoke$/,
    shape: ZHIPU,
    readModel: (_arrival, match) => match[1] ?? "",
    isStream: ({ path }) => path.endsWith("/sse-invoke"),
    checkCredential: checkZhipuToken,
  },
  {
    path: /^\/api\/v1\/services\/aigc\/(?:text|multimodal)-generation\/generation$/,
    shape: DASHSCOPE,
    readModel: bodyModel,
    isStream: ({ headers }) => headers["x-dashscope-sse"] === "enable",
    checkCredential: checkBearer(FAKE_KEYS.plain),
  },
  {
    path: /^\/$/,
    shape: HUNYUAN,
    readModel: ({ body }) => String(body.Model ?? ""),
    isStream: ({ body }) => body.Stream === true,
    checkCredential: checkTc3,
  },
  {
    path: /^\/hyllm\/v1\/chat\/completions$/,
    shape: HUNYUAN_LEGACY,
    readModel: () => "hunyuan",
    isStream: ({ body }) => body.stream === 1,
    checkCredential: checkTencentLegacy,
  },
  {
    path: /^\/model\/([^/]+)\/converse(?:-stream)?$/,
    shape: BEDROCK_CONVERSE,
    readModel: (_arrival, match) => decodeURIComponent(match[1] ?? ""),
    isStream: ({ path }) => path.endsWith("-stream"),
    checkCredential: checkSigV4,
  },
  {
    path: /^\/vertex\/v1\/(?:projects\/fake-project\/locations\/[\w-]+\/)publishers\/google\/models\/([^/]+):(?:generateContent|streamGenerateContent)$/,
    shape: GEMINI_GENERATE,
    readModel: (_arrival, match) => match[1] ?? "",
    isStream: ({ path }) => path.endsWith(":streamGenerateContent"),
    checkCredential: checkIssuedBearer(isIssued),
  },
  {
    path: /^\/vertex\/v1\/publishers\/google\/models\/([^/]+):(?:generateContent|streamGenerateContent)$/,
    shape: GEMINI_GENERATE,
    readModel: (_arrival, match) => match[1] ?? "",
    isStream: ({ path }) => path.endsWith(":streamGenerateContent"),
    checkCredential: checkGoogleKey,
  },
  {
    path: /^\/vertex\/v1\/projects\/fake-project\/locations\/[\w-]+\/publishers\/anthropic\/models\/([^/]+):(?:rawPredict|streamRawPredict)$/,
    shape: ANTHROPIC_MESSAGES,
    readModel: (_arrival, match) => match[1] ?? "",
    isStream: ({ path }) => path.endsWith(":streamRawPredict"),
    checkCredential: (arrival) => checkIssuedBearer(isIssued)(arrival) || checkVertexMessage(arrival),
  },
  chat(
    /^\/vertex\/v1beta1\/projects\/fake-project\/locations\/[\w-]+\/endpoints\/openapi\/chat\/completions$/,
    checkIssuedBearer(isIssued),
  ),
  {
    path: /^\/api\/library\/ask$/,
    shape: AIPROXY_LIBRARY,
    readModel: bodyModel,
    isStream: bodyStream,
    checkCredential: checkBearer(FAKE_KEYS.plain),
  },
];
