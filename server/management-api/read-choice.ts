import { Failure } from "./failure";

/**
 * One of the words that a query may say.
 * @returns undefined where it says none.
 * @throws Failure for any other word: an answer to another question would be taken for one to this.
 */
export const readMaybeChoice = <T extends string>(
  choices: readonly T[],
  text: string | undefined,
): T | undefined => {
  if (text === undefined || text === "") return undefined;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new Failure("invalid-parameter");
  return choice;
};

/** The same, of which one holds where none is said. @throws Failure for any other word. */
export const readChoice = <T extends string>(choices: readonly T[], text: string | undefined, absent: T): T =>
  readMaybeChoice(choices, text) ?? absent;
