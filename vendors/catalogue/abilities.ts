import type { ModelAbilities } from "@tollgate/contract/values/model-abilities";

/*
 * Abilities that models of several vendors share. A vendor's page of its models is the source; a feature is declared only
 * where that page, or its documentation of the feature, names the model.
 */

type Features = NonNullable<ModelAbilities["features"]>;

/** A model that reads and writes text only. */
export const textOnly = (features: Features): ModelAbilities => ({
  inputs: ["text"],
  outputs: ["text"],
  features,
});

/** A model that reads text and images, and writes text. */
export const seeing = (features: Features): ModelAbilities => ({
  inputs: ["text", "image"],
  outputs: ["text"],
  features,
});

/** Tools of its client's, schemas for its answers, and reasoning. */
export const THINKS = { tools: true, structured: true, reasoning: true } as const;

/** Tools and schemas, but no reasoning. */
export const TALKS = { tools: true, structured: true, reasoning: false } as const;

/** Tools and reasoning; whether it follows schemas is not known. */
export const ACTS = { tools: true, reasoning: true } as const;
