import type { CodeExchange } from "../exchange-code";

/** Where people are sent back to in tests of exchanges. */
export const BACK = "https://gate.example.com/oauth/method";

/**
 * Runs an exchange with the code "c/1 &" on services that answer one after another.
 * @param answers undefined stands for whatever is no good answer. @returns what it found, and what it asked for.
 */
export const runExchange = async (
  exchange: CodeExchange,
  options: Readonly<Record<string, string>>,
  answers: readonly unknown[],
) => {
  const asked: { url: string; method?: string; headers?: Record<string, string>; body?: string }[] = [];
  const found = await exchange.identify({
    code: "c/1 &",
    option: (key) => options[key] ?? "",
    address: (name) => exchange.addresses[name] ?? "",
    back: BACK,
    encodeBase64: (text) => `base64(${text})`,
    ask: async (url, request) => {
      asked.push({ url, ...request });
      return answers[asked.length - 1];
    },
  });
  return { found, asked };
};
