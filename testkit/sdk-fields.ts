import { readFileSync } from "node:fs";

/*
 * The fields of requests as the vendors' own SDKs declare them. They are generated from the APIs' specifications, so that
 * a new version shows new fields.
 */

const FILES = {
  "openai-chat": "openai/resources/chat/completions/completions.d.ts",
  "openai-responses": "openai/resources/responses/responses.d.ts",
  "openai-shared": "openai/resources/shared.d.ts",
  "anthropic-messages": "@anthropic-ai/sdk/resources/messages/messages.d.ts",
  "anthropic-beta": "@anthropic-ai/sdk/resources/beta/messages/messages.d.ts",
  "gemini-generate": "@google/genai/dist/genai.d.ts",
} as const;

export type SdkFile = keyof typeof FILES;

const sources = new Map<SdkFile, string>();

/** A declaration file without its comments. */
const sourceOf = (file: SdkFile): string => {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`../node_modules/${FILES[file]}`, import.meta.url), "utf8");
  const source = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  sources.set(file, source);
  return source;
};

/** The names of a declaration's fields; "Custom.Grammar" is Grammar inside the namespace Custom. */
export const sdkFields = (file: SdkFile, declaration: string): string[] => {
  const names = declaration.split(".");
  let scope = sourceOf(file);
  for (const outer of names.slice(0, -1)) {
    const start = scope.search(new RegExp(`^ *(?:export )?(?:declare )?namespace ${outer} \\{`, "m"));
    if (start === -1) throw new Error(`${file} declares no namespace ${outer}`);
    scope = scope.slice(start);
  }
  const found = new RegExp(
    `^( *)(?:export )?(?:declare )?(?:interface|class) ${names.at(-1)}\\b[^{]*\\{`,
    "m",
  ).exec(scope);
  if (!found) throw new Error(`${file} declares no ${declaration}`);
  const indent = found[1] ?? "";
  const rest = scope.slice(found.index);
  const body = rest.slice(0, rest.indexOf(`\n${indent}}`));
  return [...body.matchAll(new RegExp(`^${indent} {4}(\\w+)\\??: `, "gm"))].map(([, name = ""]) => name);
};
