import { expect, it } from "vitest";
import { forgettingExpired } from "./forget-expired";

it("forgets sessions, codes and former secrets whose time is over, in memory and in storage (S17)", async () => {
  const done: string[] = [];
  const sessions = { removeExpired: async (now: number) => void done.push(`sessions ${now}`) };
  const verifications = { removeExpired: async (now: number) => void done.push(`codes ${now}`) };
  const keys = { forgetFormer: async () => void done.push("former secrets") };
  const windows = { removeEnded: async (before: number) => void done.push(`windows before ${before}`) };
  await forgettingExpired(sessions, keys, verifications, windows, () => 86_477).run(() => false);
  expect(done).toEqual(["sessions 86477", "former secrets", "codes 86477", "windows before 77"]);
});
