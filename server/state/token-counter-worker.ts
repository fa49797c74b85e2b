import { parentPort } from "node:worker_threads";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";

/** Tokenizers take time in the square of an unbroken run of letters, so longer ones are cut. */
const MAX_RUN = 400;
const LONG_RUN = new RegExp(`[^\\s]{${MAX_RUN}}`, "gu");

/** The older models' encoding is the contract's (section 2.4); everything else is counted with the newest. */
const encodingOf = (model: string) => (/^gpt-(?:3\.5|4(?:-|$))/.test(model) ? countCl100k : countO200k);

const count = (model: string, text: string): number => {
  const countTokens = encodingOf(model);
  // Special tokens in a user's text are text.
  const options = { disallowedSpecial: new Set<string>() };
  let tokens = 0;
  for (const piece of text.replace(LONG_RUN, "$&\u0000").split("\u0000"))
    tokens += countTokens(piece, options);
  return tokens;
};

parentPort?.on("message", ({ id, model, text }: { id: number; model: string; text: string }) => {
  parentPort?.postMessage({ id, tokens: count(model, text) });
});
