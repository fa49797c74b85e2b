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
  run: () => void;
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

/** Ranks of matches beside the name only, and of server finds without a visible reason. */
const BESIDE = 3;
const WORST = 4;

/** Rank of a command's match, 0 the best; undefined without a match. */
const rankOf = ({ label, hint = "", words = "", isFound }: Command, typed: readonly string[]) => {
  const name = label.toLowerCase();
  const all = `${name} ${hint} ${words}`.toLowerCase();
  if (!typed.every((word) => all.includes(word))) return isFound ? WORST : undefined;
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
