import { DatabaseRefused } from "../errors";
import { codeOf, LOCK_KEPT } from "./explain-failure";

/**
 * PostgreSQL's errors of transactions that only conflicted with another one: a deadlock, or a serialization failure.
 * Nothing of them is stored.
 */
const IN_THE_WAY = ["40P01", "40001"];

/** How often something is done again. Two that meet once hardly meet a second time. */
const REPEATS = 5;
const PAUSE_MS = 10;

/**
 * How often something that waited for a lock is done again: it may have waited for a stalled disk, or for a transaction that waited
 * for it in turn. Others use its connection meanwhile.
 */
const LOCK_REPEATS = 2;
const LOCK_PAUSE_MS = 250;

/**
 * Does something again that PostgreSQL took back for the sake of another transaction.
 * @param step one transaction, and nothing beside it: it may be done several times.
 * @throws DatabaseRefused "database-locked" where it waited several times as long as its pool lets it wait for a lock.
 */
export const repeatTransaction = async <T>(step: () => Promise<T>): Promise<T> => {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await step();
    } catch (error) {
      const code = codeOf(error);
      const isLocked = code === LOCK_KEPT;
      if (isLocked && repeat >= LOCK_REPEATS)
        throw new DatabaseRefused({ code: "database-locked" }, { cause: error });
      if (!isLocked && (repeat === REPEATS || !IN_THE_WAY.includes(code ?? ""))) throw error;
      // By chance, so that two of them do not meet again.
      const pauseMs = isLocked
        ? LOCK_PAUSE_MS * (1 + Math.random())
        : Math.random() * PAUSE_MS * (repeat + 1);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
};

type Methods = Record<string, (...parameters: never[]) => Promise<unknown>>;

/** A port each of whose methods is one transaction, done again where it has to be. */
export const repeating = <Port extends object>(port: Port): Port => {
  const groups: [string, Methods][] = Object.entries(port);
  const repeatingGroups = groups.map(([group, methods]) => [
    group,
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (...parameters: never[]) => repeatTransaction(() => method(...parameters)),
      ]),
    ),
  ]);
  // Functions by name lose their types on the way: each stands where it stood.
  return Object.fromEntries(repeatingGroups) as Port;
};
