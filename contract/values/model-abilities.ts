/** What a model reads and writes. */
export const MODALITIES = ["text", "image", "audio", "video"] as const;
export type Modality = (typeof MODALITIES)[number];

/** What a model can do besides, as far as clients ask for it: `files` are documents such as PDF. */
export const MODEL_FEATURES = ["tools", "structured", "reasoning", "files", "streaming"] as const;
export type ModelFeature = (typeof MODEL_FEATURES)[number];

/** The known abilities of a model. What is not known is missing, which does not mean that the model lacks it. */
export interface ModelAbilities {
  /** Everything that it reads. */
  readonly inputs?: readonly Modality[] | undefined;
  /** Everything that it writes. */
  readonly outputs?: readonly Modality[] | undefined;
  /** True for what it can do, false for what it cannot do. */
  readonly features?: Readonly<Partial<Record<ModelFeature, boolean>>> | undefined;
}
