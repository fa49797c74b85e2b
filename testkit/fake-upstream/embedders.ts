import type { AnswerShape } from "../answer-shapes/answer";
import { BAIDU } from "../answer-shapes/baidu";
import { DASHSCOPE } from "../answer-shapes/dashscope";
import { GEMINI_GENERATE } from "../answer-shapes/gemini-generate";
import { HUNYUAN } from "../answer-shapes/hunyuan";
import {
  baiduEmbeddings,
  dashscopeEmbeddings,
  type EncodeEmbeddings,
  geminiEmbeddings,
  hunyuanEmbeddings,
  vertexEmbeddings,
} from "../answer-shapes/native-embeddings";
import {
  checkBaiduToken,
  checkBearer,
  checkGoogleKey,
  checkIssuedBearer,
  checkTc3,
  takeAnybody,
} from "./check-credential";
import { FAKE_KEYS } from "./credentials";
import type { Arrival, Endpoint } from "./endpoint";

/** An endpoint for something other than a chat, in a vendor's own format. */
export interface Embedder extends Pick<Endpoint, "path" | "checkCredential"> {
  /** The format of its errors. */
  shape: AnswerShape;
  /** Recognizes its requests where the address alone does not. */
  isAsked?(arrival: Arrival): boolean;
  encode: EncodeEmbeddings;
}

/** @param isIssued whether a token is one that a vendor's service gave out here. */
export const createEmbedders = (isIssued: (token: string) => boolean): readonly Embedder[] => [
  {
    path: /^\/v1beta\/models\/([^/]+):batchEmbedContents$/,
    shape: GEMINI_GENERATE,
    checkCredential: takeAnybody,
    encode: geminiEmbeddings,
  },
  {
    path: /^\/vertex\/v1\/projects\/fake-project\/locations\/[\w-]+\/publishers\/google\/models\/([^/]+):predict$/,
    shape: GEMINI_GENERATE,
    checkCredential: checkIssuedBearer(isIssued),
    encode: vertexEmbeddings,
  },
  {
    path: /^\/vertex\/v1\/publishers\/google\/models\/([^/]+):predict$/,
    shape: GEMINI_GENERATE,
    checkCredential: checkGoogleKey,
    encode: vertexEmbeddings,
  },
  {
    path: /^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/embeddings\/([\w-]+)$/,
    shape: BAIDU,
    checkCredential: checkBaiduToken(isIssued),
    encode: baiduEmbeddings,
  },
  {
    path: /^\/api\/v1\/services\/embeddings\/text-embedding\/text-embedding$/,
    shape: DASHSCOPE,
    checkCredential: checkBearer(FAKE_KEYS.plain),
    encode: dashscopeEmbeddings,
  },
  {
    path: /^\/$/,
    shape: HUNYUAN,
    isAsked: ({ headers }) => headers["x-tc-action"] === "GetEmbedding",
    checkCredential: checkTc3,
    encode: hunyuanEmbeddings,
  },
];
