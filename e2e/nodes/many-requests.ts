import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type Account, readUsage } from "../api/relay/stage";
import { type Ask, type Outcome, send } from "./client-book";
import type { Site } from "./site";

/* Many requests at the same time, and what tests of limits expect of them. */

/** A request with the times of its sending and of its answer. */
export interface Timed {
  sentAt: number;
  answeredAt: number;
  outcome: Outcome;
}

/**
 * Refusals after which a client repeats its request: slightly more is held of a balance than a request costs, and the
 * database of a busy machine answers late.
 */
const PASSING = new Set(["user_quota_held", "token_quota_held", "database_silent"]);

const sendUntilDecided = async (url: string, ask: Ask): Promise<Timed> => {
  for (;;) {
    const sentAt = performance.now();
    const outcome = await send(url, ask);
    if (outcome.kind !== "refused" || !PASSING.has(outcome.code))
      return { sentAt, answeredAt: performance.now(), outcome };
    await wait(100);
  }
};

/** Returns the gateway's count of the prompt that `send` sends, from an answer without usage. */
export const countPrompt = async (
  { balancer, root, upstream }: Site,
  { key, username }: Account,
  output: number,
): Promise<number> => {
  upstream.script({ fault: "no-usage" });
  await send(balancer.url, { key, input: 13, output });
  return (await readUsage(root, `username=${username}`))[0]?.prompt_tokens ?? 0;
};

interface Many {
  count: number;
  atOnce: number;
  ask: Ask;
  /** The address for the n-th request. */
  at(index: number): string;
}

export const sendAll = async ({ count, atOnce, ask, at }: Many): Promise<Timed[]> => {
  const all: Timed[] = [];
  let index = 0;
  const client = async (): Promise<void> => {
    while (index < count) {
      const url = at(index);
      index += 1;
      all.push(await sendUntilDecided(url, ask));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return all;
};

export const codesOf = (all: readonly Timed[]): Set<string> =>
  new Set(all.map(({ outcome }) => (outcome.kind === "refused" ? outcome.code : outcome.kind)));

export const wholeOf = (all: readonly Timed[]): Timed[] =>
  all.filter(({ outcome }) => outcome.kind === "whole");

/** Late in a minute the next one would begin meanwhile. */
export const earlyInMinute = () =>
  expect.poll(() => new Date().getSeconds(), { interval: 200 }).toBeLessThan(45);

/** A client whose budget affords so many of its requests. */
export interface BudgetUser {
  site: Site;
  times: number;
  ask: Ask;
}

/** So few requests fit into this time that they use up less than half of a budget of ten. */
export const SOON = { timeout: 12_000, interval: 3000 };

const isUsedUp = (outcome: Outcome): boolean =>
  outcome.kind === "refused" && /^(?:daily|window)_budget_exhausted$/.test(outcome.code);

/** Uses up a budget on the first node, and expects the others to refuse requests within `patience`. */
export const expectSharedBudget = async (
  { site, times, ask }: BudgetUser,
  patience: typeof SOON,
): Promise<void> => {
  const [first = "", ...others] = site.nodes.map(({ url }) => url);
  for (let i = 0; i < times; i += 1) expect((await send(first, ask)).kind).toBe("whole");
  expect(isUsedUp(await send(first, ask))).toBe(true);
  for (const url of others)
    await expect.poll(async () => isUsedUp(await send(url, ask)), patience).toBe(true);
};
