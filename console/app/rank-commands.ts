import type { RowAction } from "../components/row-actions";

/** A target or action in the command menu. */
export interface Command {
  id: string;
  label: string;
  hint?: string;
  /** Its keyboard shortcut. */
  keys?: readonly string[];
  /** Additional search words. */
  words?: string;
  /** The server found it by the whole typed text, which need not be part of its name. */
  isFound?: boolean;
  /** Asked before it runs. */
  question?: RowAction["question"];
  /** A failure of its promise is already reported. */
  run: () => unknown;
}

export interface CommandGroup {
  label: string;
  commands: readonly Command[];
}

/** The typed words in lower case. Chinese and a number after it are two words: 禁用渠道3. */
export const wordsOf = (typed: string): readonly string[] =>
  typed
    .toLowerCase()
    .replaceAll(/(?<=[\u3400-\u9fff])(?=[\da-z#])/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");

/** Ranks of matches beside the name only, with gaps, and of server finds without a visible reason. */
const BESIDE = 3;
const GAPS = 4;
const WORST = 5;

/** Whether a Chinese word of several characters is in the name with others between: 更新余额 in 更新所有渠道余额. */
const isInOrder = (word: string, name: string): boolean => {
  if (!/^[\u3400-\u9fff]{2,}$/.test(word)) return false;
  let place = -1;
  return [...word].every((character) => {
    place = name.indexOf(character, place + 1);
    return place >= 0;
  });
};

/** Rank of a command's match, 0 the best; undefined without a match. */
const rankOf = ({ label, hint = "", words = "", isFound }: Command, typed: readonly string[]) => {
  const name = label.toLowerCase();
  const all = `${name} ${hint} ${words}`.toLowerCase();
  if (!typed.every((word) => all.includes(word))) {
    if (typed.every((word) => all.includes(word) || isInOrder(word, name))) return GAPS;
    return isFound ? WORST : undefined;
  }
  const text = typed.join(" ");
  if (name.startsWith(text)) return 0;
  const begins = wordsOf(name.replaceAll(/[“”「」·]/g, " "));
  if (typed.every((word) => begins.some((each) => each.startsWith(word)))) return 1;
  return typed.every((word) => name.includes(word)) ? 2 : BESIDE;
};

/** Matching commands, the best first, in groups, the group with the best first; unchanged without typed words. */
export const rankCommands = (groups: readonly CommandGroup[], typed: string): readonly CommandGroup[] => {
  const words = wordsOf(typed);
  return groups
    .map(({ label, commands }) => {
      const ranked = commands
        .flatMap((command) => {
          const rank = rankOf(command, words);
          return rank === undefined ? [] : [{ command, rank }];
        })
        .toSorted((a, b) => a.rank - b.rank);
      return {
        best: ranked[0]?.rank,
        group: { label, commands: ranked.map(({ command }) => command) },
      };
    })
    .filter(({ best }) => best !== undefined)
    .toSorted((a, b) => (a.best ?? WORST) - (b.best ?? WORST))
    .map(({ group }) => group);
};
