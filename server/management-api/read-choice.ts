import { Failure } from "./failure";

/**
 * Reads a query parameter with fixed values.
 * @returns undefined when it is absent or empty.
 * @throws Failure for any other value: the caller would mistake the answer for one to their query.
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

/** The same with a default. @throws Failure for any other value. */
export const readChoice = <T extends string>(choices: readonly T[], text: string | undefined, absent: T): T =>
  readMaybeChoice(choices, text) ?? absent;
