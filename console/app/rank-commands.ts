/** Something that the command menu leads to or does. */
export interface Command {
  id: string;
  label: string;
  hint?: string;
  /** The keys that do the same. */
  keys?: readonly string[];
  /** Further words that it is found by. */
  words?: string;
  /** The server found it by the whole text that was typed, which need not be a part of its name. */
  isFound?: boolean;
  run: () => void;
}

export interface CommandGroup {
  label: string;
  commands: readonly Command[];
}

/** The words of what was typed, in lower case. Chinese and the number behind it are two of them: 禁用渠道3. */
export const wordsOf = (typed: string): readonly string[] =>
  typed
    .toLowerCase()
    .replaceAll(/(?<=[\u3400-\u9fff])(?=[\da-z#])/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "");

/** Words that stand beside the name only, and what nothing on the page shows the reason for. */
const BESIDE = 3;
const WORST = 4;

/** How well a command fits, 0 the best; undefined where it does not. */
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

/** What fits what was typed, the best first, and the group with the best first; as it stands where nothing was typed. */
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
