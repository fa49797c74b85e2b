/**
 * USD for a thousand calls of tools that vendors run, the dearest where vendors differ (docs/reference/prices.md says of
 * each which page it is from, and what it leaves out). Known to hold in November 2026.
 */
export const DEFAULT_TOOL_PRICES: Readonly<Record<string, number>> = {
  // Anthropic, OpenAI (xAI asks 5): https://platform.claude.com/docs/en/about-claude/pricing,
  // https://developers.openai.com/api/docs/pricing
  web_search: 10,
  // OpenAI's older tool with models that do not reason.
  web_search_preview: 25,
  // OpenAI's Chat Completions with models that search, at most.
  web_search_options: 25,
  file_search: 2.5,
  // Anthropic: an hour of a container for each call (0.05 USD).
  code_execution: 50,
  // https://ai.google.dev/gemini-api/docs/pricing: a search of Gemini 3, a prompt with searches of older ones, at most.
  google_search: 14,
  google_search_prompt: 35,
  google_maps: 25,
};
