import { aiLs } from "./ai-ls";
import { aigc2d } from "./aigc2d";
import { aiproxy } from "./aiproxy";
import { aiproxyLibrary } from "./aiproxy-library";
import { alibaba } from "./alibaba";
import { anthropic } from "./anthropic";
import { api2d } from "./api2d";
import { api2gpt } from "./api2gpt";
import { azure } from "./azure";
import { baidu } from "./baidu";
import { bedrock } from "./bedrock";
import { closeai } from "./closeai";
import { cloudflare } from "./cloudflare";
import { cohere } from "./cohere";
import { custom } from "./custom";
import { deepseek } from "./deepseek";
import type { Vendor } from "./define-vendor";
import { fastgpt } from "./fastgpt";
import { gemini } from "./gemini";
import { groq } from "./groq";
import { iflytek } from "./iflytek";
import { minimax } from "./minimax";
import { mistral } from "./mistral";
import { moonshot } from "./moonshot";
import { ohmygpt } from "./ohmygpt";
import { ollama } from "./ollama";
import { openai } from "./openai";
import { openaiMax } from "./openai-max";
import { openaiSb } from "./openai-sb";
import { openrouter } from "./openrouter";
import { palm } from "./palm";
import { siliconflow } from "./siliconflow";
import { stepfun } from "./stepfun";
import { tencent } from "./tencent";
import { vertexAi } from "./vertex-ai";
import { volcengine } from "./volcengine";
import { xai } from "./xai";
import { zhinao } from "./zhinao";
import { zhipu } from "./zhipu";

/** Every channel type in the console's order: those of the specification, then newer ones. */
export const VENDORS: readonly Vendor[] = [
  openai,
  anthropic,
  azure,
  palm,
  baidu,
  alibaba,
  iflytek,
  zhipu,
  zhinao,
  tencent,
  custom,
  fastgpt,
  aiproxyLibrary,
  gemini,
  vertexAi,
  deepseek,
  moonshot,
  minimax,
  volcengine,
  siliconflow,
  mistral,
  groq,
  xai,
  cohere,
  cloudflare,
  ollama,
  stepfun,
  bedrock,
  openrouter,
  api2d,
  openaiSb,
  ohmygpt,
  aiproxy,
  closeai,
  openaiMax,
  aiLs,
  api2gpt,
  aigc2d,
];

const byType = new Map(VENDORS.map((vendor) => [vendor.type, vendor]));

/** The vendor of a channel type; undefined for a number that no vendor has. */
export const findVendor = (type: number): Vendor | undefined => byType.get(type);

const anyOf = (patterns: readonly (RegExp | undefined)[]): RegExp =>
  new RegExp(patterns.flatMap((pattern) => (pattern ? [`(?:${pattern.source})`] : [])).join("|"));

const COMPLETION_LIMIT_ORIGINS = anyOf(VENDORS.map(({ completionLimitOrigins }) => completionLimitOrigins));

/** A cache, because every request queries it for the same few upstreams. */
const knownOrigins = new Map<string, boolean>();
const MAX_KNOWN_ORIGINS = 10_000;

/**
 * Whether an upstream supports every limit of the Chat Completions API; an upstream whose vendor does not document it
 * may support only `max_tokens`. @param origin "https://host:port".
 */
export const readsEveryLimit = (origin: string): boolean => {
  let reads = knownOrigins.get(origin);
  if (reads === undefined) {
    reads = COMPLETION_LIMIT_ORIGINS.test(origin);
    if (knownOrigins.size >= MAX_KNOWN_ORIGINS) knownOrigins.clear();
    knownOrigins.set(origin, reads);
  }
  return reads;
};

/** The end of a base address that names an API version, or an equivalent. */
const VERSIONED = anyOf([/\/v\d+(?:beta)?$/, ...VENDORS.map(({ versionedAddresses }) => versionedAddresses)]);

/** Whether a base address already names an API version, so that a leading "/v1" of a path must be removed. */
export const namesVersion = (baseUrl: string): boolean => VERSIONED.test(baseUrl);
