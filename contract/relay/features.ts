/*
 * Features: everything that a chat request may ask for besides its conversation, by one name for all protocols. Each
 * client protocol's table of fields says which field asks for which feature, each upstream protocol which it carries.
 */

/**
 * The weight of a feature, for upstreams that do not carry it. A "hint" changes nothing in the answer and is left out. A
 * "wish" changes the answer: the key's owner decides whether it is left out or refused. A "demand" is about safety, the
 * place of processing or the sources of the answer, and is always refused.
 */
export type FeatureWeight = "hint" | "wish" | "demand";

/** The order is that of the reference (docs/reference/clients.md). */
export const FEATURES = {
  outputLimit: "wish",
  temperature: "wish",
  topP: "wish",
  topK: "wish",
  minP: "wish",
  seed: "wish",
  presencePenalty: "wish",
  frequencyPenalty: "wish",
  logitBias: "wish",
  logprobs: "wish",
  stop: "wish",
  prediction: "hint",
  reasoning: "wish",
  reasoningShown: "wish",
  taskBudget: "wish",
  verbosity: "wish",
  format: "wish",
  formatName: "hint",
  formatDescription: "wish",
  strictFormat: "wish",
  toolChoice: "wish",
  singleToolCall: "wish",
  strictTools: "wish",
  toolExamples: "wish",
  toolResponses: "wish",
  toolCallers: "wish",
  toolStreaming: "hint",
  deferredTools: "hint",
  imageGeneration: "wish",
  hostedToolSearch: "hint",
  webSearch: "wish",
  storedSearch: "wish",
  searchContext: "wish",
  searchLocation: "wish",
  searchCoordinates: "wish",
  searchLimit: "wish",
  searchDomains: "demand",
  blockedDomains: "demand",
  searchDates: "demand",
  searchKinds: "demand",
  speakerName: "wish",
  imageDetail: "wish",
  imageChanges: "wish",
  videoDetails: "wish",
  citations: "wish",
  spokenHistory: "wish",
  spokenAnswer: "wish",
  pictureAnswer: "wish",
  cacheMark: "hint",
  automaticCache: "hint",
  cacheKey: "hint",
  cacheRetention: "hint",
  serviceTier: "hint",
  vendorTier: "hint",
  speed: "hint",
  place: "demand",
  moderation: "demand",
  strictSafety: "demand",
  looseSafety: "hint",
  noStorage: "hint",
  storage: "hint",
  metadata: "hint",
  labels: "hint",
  endUser: "hint",
  included: "hint",
  obfuscation: "hint",
  diagnostics: "hint",
  history: "hint",
  truncation: "wish",
  contextManagement: "wish",
  routing: "wish",
  unknown: "wish",
} as const satisfies Readonly<Record<string, FeatureWeight>>;

export type Feature = keyof typeof FEATURES;

/**
 * Where an upstream's request holds a feature: a path such as `tools[].strict`, several with "|" between them; or how
 * the gateway does without a field, in brackets: `(instructions)`. A feature is carried only where its field is in the
 * body, because a model's own rules may leave it out.
 */
export type FeatureCarriers = Readonly<Partial<Record<Feature, string>>>;

/** Feature that a client's field asks for. */
export interface FieldNode {
  /** Absent for a field that readers and builders of all protocols carry or refuse themselves. */
  readonly feature?: Feature;
  /** The feature by the value; undefined for a value that asks for nothing. It goes before `feature`. */
  featureOf?(value: unknown): Feature | undefined;
  /** The fields of the object, or of each object in the list. Unlisted ones are unknown, unless `isOpen`. */
  readonly fields?: FieldTable;
  /** An empty object asks for it as well. */
  readonly isSwitch?: boolean;
  /** Other fields may stand there, which ask for nothing. */
  readonly isOpen?: boolean;
}

export type FieldTable = Readonly<Record<string, FieldNode>>;

/** A field of a request that asks for something. */
export interface AskedField {
  readonly feature: Feature;
  /** Its path in the client's own spelling: `tools[0].strict`. */
  readonly path: string;
  /** The feature that it only refines: where that is left out, this one is left out with it. */
  readonly within: Feature | undefined;
}
