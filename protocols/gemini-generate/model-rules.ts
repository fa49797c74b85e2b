import type { ReasoningEffort } from "@tollgate/contract/relay/request";

/** The fields that a family of models accepts on generateContent. */
export interface ModelRule {
  match: RegExp;
  thinking:
    | { kind: "none" }
    /** A number of tokens. `least` is the closest to zero. */
    | { kind: "budget"; least: number; min: number; max: number }
    /** A level, from the least to the most. */
    | { kind: "level"; levels: readonly ReasoningEffort[] };
  /** A call in the history must carry the seal that it came with. */
  sealsCalls: boolean;
  /** A response format and tools may be combined. */
  formatsBesideTools: boolean;
  /** `systemInstruction` is known. */
  hasInstruction: boolean;
}

const PLAIN = {
  thinking: { kind: "none" },
  sealsCalls: false,
  formatsBesideTools: false,
  hasInstruction: true,
} as const;
const NEWEST = { sealsCalls: true, formatsBesideTools: true, hasInstruction: true } as const;

/**
 * The first match applies; the name is in lower case and starts at "gemini-" or "gemma-". Sources:
 * https://ai.google.dev/gemini-api/docs/thinking, https://ai.google.dev/gemini-api/docs/thought-signatures and
 * https://ai.google.dev/gemini-api/docs/structured-output.
 */
const MODEL_RULES: readonly ModelRule[] = [
  { match: /-(?:image|tts|embedding|live|audio)/, ...PLAIN },
  { match: /^gemma-[1-3]/, ...PLAIN, hasInstruction: false },
  { match: /^(?:gemma|gemini-(?:pro|1|2\.0))/, ...PLAIN },
  {
    match: /^gemini-2\.5-pro/,
    ...PLAIN,
    thinking: { kind: "budget", least: 128, min: 128, max: 32_768 },
  },
  {
    match: /^gemini-2\.5-flash-lite/,
    ...PLAIN,
    thinking: { kind: "budget", least: 0, min: 512, max: 24_576 },
  },
  { match: /^gemini-2\.5/, ...PLAIN, thinking: { kind: "budget", least: 0, min: 1, max: 24_576 } },
  { match: /^gemini-3-pro/, ...NEWEST, thinking: { kind: "level", levels: ["low", "high"] } },
  {
    match: /^gemini-.*flash/,
    ...NEWEST,
    thinking: { kind: "level", levels: ["minimal", "low", "medium", "high"] },
  },
  { match: /^gemini-/, ...NEWEST, thinking: { kind: "level", levels: ["low", "medium", "high"] } },
];

/** All other models of this protocol: no fields that could be refused. */
const OTHERS: ModelRule = { match: /^/, ...PLAIN };

/** The rule of a model, by its name alone. */
export const findModelRule = (model: string): ModelRule => {
  const name = model.toLowerCase();
  const start = name.search(/gemini-|gemma-/);
  return start === -1 ? OTHERS : (MODEL_RULES.find(({ match }) => match.test(name.slice(start))) ?? OTHERS);
};

/** https://ai.google.dev/api/caching#FunctionDeclaration. Models before Gemini 3 accept 64 characters. */
export const acceptedToolNames = (model: string): RegExp =>
  findModelRule(model).sealsCalls ? /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/ : /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
