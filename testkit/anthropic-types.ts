import { readFileSync } from "node:fs";

const SHARED = new URL("../node_modules/@anthropic-ai/sdk/resources/shared.d.ts", import.meta.url);

/** The types of errors that Anthropic's own SDK declares. */
export const errorTypes = (): string[] => {
  const [, union = ""] = /export type ErrorType = ([^;]*);/.exec(readFileSync(SHARED, "utf8")) ?? [];
  return [...union.matchAll(/'([^']+)'/g)].map(([, type = ""]) => type);
};
