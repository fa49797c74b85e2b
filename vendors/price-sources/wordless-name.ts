/** Name patterns of models without output tokens, in every list. */
const WORDLESS = /embed|rerank|moderation|whisper|transcribe|\btts\b|\bbge-|\bgte-/i;

/** Whether a model's name indicates that it has no output tokens, so that their price may be missing. */
export const isWordlessName = (model: string): boolean => WORDLESS.test(model);
