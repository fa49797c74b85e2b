/** Longest message that is passed on: enough for any vendor's sentence, too short for a dumped prompt. */
const MAX_MESSAGE_UNITS = 1000;

/** Maximum searched length, so that a huge message costs little. */
const MAX_SEARCHED_UNITS = 4000;

/** Ends of host names that occur in messages; a bare "a.b" would also hit version numbers and field paths. */
const TOP_LEVEL =
  "com|net|org|io|ai|cn|dev|app|cloud|co|me|xyz|top|info|site|tech|online|internal|local|localhost|lan|corp|intranet|svc";

/** In this order: an address may contain a key, and a mail address a host. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:https?|wss?):\/\/[^\s"'<>)\]}，。]+/gi, "[address]"],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "[email]"],
  [/\bBearer\s+[^\s"',;]+/gi, "Bearer [key]"],
  // OpenAI, Anthropic and most relays; upstreams often repeat the key partly masked by stars.
  [/\bsk-[\w*.…-]*[\w*]/g, "[key]"],
  [/\bAIza[\w*-]{6,}/g, "[key]"],
  [/\bAQ\.[\w*-]{10,}/g, "[key]"],
  // Baidu's access tokens.
  [/\b2[45]\.[\da-f]{32}(?:\.[\d-]+)*/g, "[key]"],
  [/\bya29\.[\w-]+/g, "[key]"],
  [/\bprojects\/[\w.:-]*\w/g, "projects/[account]"],
  [/\bAK(?:ID|IA)[A-Za-z0-9*]{6,}/g, "[key]"],
  [/\bLTAI[A-Za-z0-9*]{6,}/g, "[key]"],
  [/\b(?:gsk|xai|pplx|nvapi|hf|r8)[-_][\w*-]{10,}/g, "[key]"],
  [/\beyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]+)?/g, "[key]"],
  [/\b(?:org|proj|acct)[-_][A-Za-z0-9*]{6,}/g, "[account]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, "[address]"],
  [/\[[0-9a-f:]*::?[0-9a-f:]+\](?::\d{1,5})?/gi, "[address]"],
  [/\b(lookup|ENOTFOUND) [^\s:]+/g, "$1 [address]"],
  [/\blocalhost(?::\d{1,5})?\b/gi, "[address]"],
  [
    new RegExp(`\\b(?:[a-z0-9](?:[a-z0-9-]{0,62})\\.)+(?:${TOP_LEVEL})(?::\\d{1,5})?(?![\\w-])`, "gi"),
    "[address]",
  ],
];

/**
 * Makes an upstream's message fit to be shown to a client: keys, account ids, mail addresses, addresses and hosts are
 * replaced, and it is cut to a readable length. Never throws.
 */
export const scrubMessage = (message: string): string => {
  let text = message;
  if (text.length > MAX_SEARCHED_UNITS) {
    // Cut at a space, so that no half of a key escapes the patterns.
    const cut = text.lastIndexOf(" ", MAX_SEARCHED_UNITS);
    text = text.slice(0, cut === -1 ? MAX_MESSAGE_UNITS : cut);
  }
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement);
  text = text.trim();
  return text.length > MAX_MESSAGE_UNITS ? `${text.slice(0, MAX_MESSAGE_UNITS)}…` : text;
};
