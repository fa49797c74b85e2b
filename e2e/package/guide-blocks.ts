import { readdirSync, readFileSync } from "node:fs";

/** A code block of a guide. */
export interface GuideBlock {
  /** Path in the checkout. */
  guide: string;
  line: number;
  /** The word behind its fence; "" without one. */
  language: string;
  code: string;
}

/** Guides for people who change the product are followed step by step (guides.test.ts). */
const isForOperators = (file: string): boolean => file.endsWith(".md") && !file.startsWith("add-a");

const BLOCK = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

const readBlocks = (guide: string): GuideBlock[] => {
  const text = readFileSync(guide, "utf8");
  return [...text.matchAll(BLOCK)].map(([, indent = "", language = "", code = ""], index, all) => ({
    guide,
    line: text.slice(0, all[index]?.index).split("\n").length,
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
};

/** All code blocks of the guides for operators and of the READMEs. */
export const readOperatorBlocks = (): GuideBlock[] => {
  const guides = readdirSync("docs/guides").filter(isForOperators).sort();
  return ["README.md", "README.zh-CN.md", ...guides.map((file) => `docs/guides/${file}`)].flatMap(readBlocks);
};
