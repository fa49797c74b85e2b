import { approximateTokens } from "@tollgate/metering/estimate";
import {
  countTokens as countCl100k,
  clearMergeCache as forgetCl100k,
} from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k, clearMergeCache as forgetO200k } from "gpt-tokenizer/encoding/o200k_base";
import { cutRuns } from "./cut-runs";

/** The older models' encoding is the contract's (section 2.4); everything else is counted with the newest. */
const encodingOf = (model: string) => (/^gpt-(?:3\.5|4(?:-|$))/.test(model) ? countCl100k : countO200k);

/** Special tokens in a user's text are text. */
const OPTIONS = { disallowedSpecial: new Set<string>() };

/**
 * The tokenizer remembers 100,000 words. With one more, each new word costs a search for the oldest, which takes longer than
 * counting does: so it forgets all before, as no word is shorter than a character.
 */
const MAX_REMEMBERED_CHARACTERS = 100_000;
let rememberedCharacters = 0;

const bound = (piece: string): void => {
  rememberedCharacters += piece.length;
  if (rememberedCharacters <= MAX_REMEMBERED_CHARACTERS) return;
  rememberedCharacters = piece.length;
  forgetCl100k();
  forgetO200k();
};

/**
 * The tokens of a text, as the model's tokenizer would count them.
 * @param isTimeUp called before each piece; once it returns true, the rest is estimated. A charge has no such limit: it
 * must not depend on the machine's load.
 */
export const countText = (model: string, text: string, isTimeUp: () => boolean): number => {
  const countTokens = encodingOf(model);
  let tokens = 0;
  let restBytes = 0;
  for (const piece of cutRuns(text)) {
    if (restBytes > 0 || isTimeUp()) restBytes += Buffer.byteLength(piece);
    else {
      bound(piece);
      tokens += countTokens(piece, OPTIONS);
    }
  }
  return tokens + approximateTokens(restBytes);
};
