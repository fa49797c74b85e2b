import { type Decimal, divideDown, ONE, parseDecimal } from "@tollgate/contract/values/decimal";
import type { Series } from "./origin";

/** Price of a completion token in the source's own code, in prompt tokens. */
export interface CodedRatio {
  ratio: Decimal;
  /** It overrides the option (new-api, names without "/"). */
  isLocked: boolean;
}

const PLACES = 12;
const of = (value: number): Decimal => parseDecimal(value) ?? ONE;
const share = (a: number, b: number): Decimal => divideDown(of(a), of(b), PLACES);

const FOUR_THIRDS = share(4, 3);

const gpt35 = (name: string): Decimal => {
  if (name === "gpt-3.5-turbo" || name.endsWith("0125")) return of(3);
  return name.endsWith("1106") ? of(2) : FOUR_THIRDS;
};

/** Names that both series know whole. */
const NAMED: ReadonlyMap<string, Decimal> = new Map([
  ["llama2-70b-4096", share(0.8, 0.64)],
  ["llama3-8b-8192", of(2)],
  ["llama3-70b-8192", share(0.79, 0.59)],
]);

/** `GetCompletionRatio` of one-api 0.6 (`relay/billing/ratio/model.go`), which no option beats but one that names the model. */
const ONE_API_NAMED: ReadonlyMap<string, Decimal> = new Map([
  ...NAMED,
  ["whisper-1", of(0)],
  ["tts-1", of(0)],
  ["tts-1-hd", of(0)],
  ["deepseek-chat", share(0.28, 0.14)],
  ["deepseek-reasoner", share(2.19, 0.55)],
  ["command", of(2)],
  ["command-light", of(2)],
  ["command-nightly", of(2)],
  ["command-light-nightly", of(2)],
  ["command-r", of(3)],
  ["command-r-plus", of(5)],
  ["grok-beta", of(3)],
]);

const oneApi06 = (name: string): Decimal => {
  const named = ONE_API_NAMED.get(name);
  if (named) return named;
  if (name.startsWith("gpt-3.5")) return gpt35(name);
  if (name.startsWith("gpt-4o")) return of(name === "gpt-4o-2024-05-13" ? 3 : 4);
  if (name.startsWith("gpt-4")) return of(name.startsWith("gpt-4-turbo") || name.endsWith("preview") ? 3 : 2);
  if (name.startsWith("o1")) return of(4);
  if (name === "chatgpt-4o-latest") return of(3);
  if (name.startsWith("claude-3")) return of(5);
  if (/^(?:claude-|mistral-|gemini-)/.test(name)) return of(3);
  return name.startsWith("deepseek-") ? of(2) : ONE;
};

/** `GetCompletionRatio` of one-api 0.5.9 (docs/reference/contract.md, section 3.5). */
const oneApi05 = (name: string): Decimal => {
  if (name.startsWith("gpt-3.5")) {
    if (name.endsWith("1106")) return of(2);
    return name === "gpt-3.5-turbo" || name === "gpt-3.5-turbo-16k" ? of(2) : FOUR_THIRDS;
  }
  if (name.startsWith("gpt-4")) return of(name.endsWith("preview") ? 3 : 2);
  if (name.startsWith("claude-instant-1")) return of(3.38);
  return name.startsWith("claude-2") ? of(2.965_517) : ONE;
};

const locked = (ratio: Decimal): CodedRatio => ({ ratio, isLocked: true });
const usual = (ratio: Decimal): CodedRatio => ({ ratio, isLocked: false });

const newApiGpt = (name: string): CodedRatio => {
  if (name.startsWith("gpt-4o")) {
    if (name === "gpt-4o-2024-05-13") return locked(of(3));
    return usual(of(name.startsWith("gpt-4o-mini-tts") ? 20 : 4));
  }
  if (name.startsWith("gpt-5.4")) return locked(of(name.startsWith("gpt-5.4-nano") ? 6.25 : 6));
  // From 5.5 on the option decides.
  if (/^gpt-5\.[56]/.test(name)) return usual(of(6));
  if (name.startsWith("gpt-5")) return locked(of(8));
  if (name.startsWith("gpt-4.5-preview")) return locked(of(2));
  if (name.startsWith("gpt-4-turbo") || /gpt-4-110[56]$/.test(name)) return locked(of(3));
  return usual(of(2));
};

const newApiGemini = (name: string): CodedRatio => {
  if (/^gemini-(?:1\.5|2\.0)/.test(name)) return locked(of(4));
  if (name.startsWith("gemini-2.5-pro")) return usual(of(8));
  if (name.startsWith("gemini-2.5-flash-preview"))
    return usual(name.endsWith("-nothinking") ? of(4) : share(3.5, 0.15));
  if (name.startsWith("gemini-2.5-flash-lite")) return usual(of(4));
  if (/^gemini-(?:2\.5-flash|robotics-er-1\.5)/.test(name)) return usual(share(2.5, 0.3));
  if (name.startsWith("gemini-3-pro-image")) return usual(of(60));
  return usual(of(name.startsWith("gemini-3-pro") ? 6 : 4));
};

const COHERE: ReadonlyMap<string, Decimal> = new Map([
  ["command-r", of(3)],
  ["command-r-plus", of(5)],
  ["command-r-08-2024", of(4)],
  ["command-r-plus-08-2024", of(4)],
]);

/** `getHardcodedCompletionModelRatio` of new-api (`setting/ratio_setting/model_ratio.go`). */
const newApi = (name: string): CodedRatio => {
  if (name.endsWith("-all") || name.endsWith("-gizmo-*")) return usual(of(2));
  if (name.startsWith("gpt-")) return newApiGpt(name);
  if (name.startsWith("o1") || name.startsWith("o3")) return locked(of(4));
  if (name === "chatgpt-4o-latest") return locked(of(3));
  if (/claude-(?:3|(?:sonnet|opus|haiku)-4)/.test(name)) return locked(of(5));
  if (/claude-(?:instant-1|2)/.test(name)) return locked(of(3));
  if (name.startsWith("mistral-")) return locked(of(3));
  if (name.startsWith("gemini-")) return newApiGemini(name);
  const cohere = COHERE.get(name);
  if (cohere) return locked(cohere);
  if (name.startsWith("command")) return usual(of(4));
  if (/^ERNIE-(?:Speed-|Lite-|Character|Functions)/.test(name)) return locked(of(2));
  const named = NAMED.get(name);
  return named ? locked(named) : usual(ONE);
};

/**
 * Returns the completion ratio of a model in the source's code, where the options name none, or where it overrides
 * them. Versions of new-api differ in a few names; the lines of its log, priced again, show it.
 */
export const codedCompletionRatio = (series: Series, name: string): CodedRatio => {
  if (series === "one-api-0.5") return usual(oneApi05(name));
  if (series === "one-api-0.6") {
    const isOnline = name.startsWith("qwen-") && name.endsWith("-internet");
    return usual(oneApi06(isOnline ? name.slice(0, -"-internet".length) : name));
  }
  return newApi(name);
};
