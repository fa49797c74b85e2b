/** How keys begin that could be shorter, or hold blanks. */
const KEY_START = /^(?:sk-|\{|-----BEGIN|Bearer )/i;

/** Names are rarely so long; the shortest keys of vendors are of 20 characters. */
const KEY_LENGTH = 20;

/**
 * Whether a text may be a person's key: one word of letters and digits, longer than names are. Rather too often than too
 * seldom: whoever asks only treats it with more care. E-mail addresses are none.
 */
export const looksSecret = (text: string): boolean =>
  KEY_START.test(text) ||
  (text.length >= KEY_LENGTH && !/[\s@]/.test(text) && /\d/.test(text) && /[a-z]/i.test(text));
