import { expect, it } from "vitest";
import { forgettingExpired } from "./forget-expired";

it("forgets sessions, codes and former secrets whose time is over, in memory and in storage (S17)", async () => {
  const done: string[] = [];
  const sessions = { removeExpired: async (now: number) => void done.push(`sessions ${now}`) };
  const verifications = { removeExpired: async (now: number) => void done.push(`codes ${now}`) };
  const keys = { forgetFormer: async () => void done.push("former secrets") };
  const windows = { removeEnded: async (before: number) => void done.push(`windows before ${before}`) };
  const users = { forgetDone: async (before: number) => void done.push(`operations before ${before}`) };
  const storage = { verifications, budgetWindows: windows, users };
  await forgettingExpired(sessions, keys, storage, () => 30 * 86_400 + 7).run(() => false);
  expect(done).toEqual([
    ...["sessions 2592007", "former secrets", "codes 2592007"],
    ...["windows before 2505607", "operations before 7"],
  ]);
});
