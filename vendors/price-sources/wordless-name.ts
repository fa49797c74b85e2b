/** What models are called that answer with no tokens of their own, in every list. */
const WORDLESS = /embed|rerank|moderation|whisper|transcribe|\btts\b|\bbge-|\bgte-/i;

/** Whether a model's name says that it writes nothing, so that a price for what it writes may be missing. */
export const isWordlessName = (model: string): boolean => WORDLESS.test(model);
