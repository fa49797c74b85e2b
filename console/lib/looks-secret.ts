/** Prefixes of keys that could be shorter, or contain spaces. */
const KEY_START = /^(?:sk-|\{|-----BEGIN|Bearer )/i;

/** Names are rarely this long; the shortest vendor keys have 20 characters. */
const KEY_LENGTH = 20;

/**
 * Whether a text may be a key: one word of letters and digits, longer than names are. Prefers false positives: callers
 * only treat such texts with more care. E-mail addresses do not count.
 */
export const looksSecret = (text: string): boolean =>
  KEY_START.test(text) ||
  (text.length >= KEY_LENGTH && !/[\s@]/.test(text) && /\d/.test(text) && /[a-z]/i.test(text));
