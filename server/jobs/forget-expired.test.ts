import { expect, it } from "vitest";
import { forgettingExpired } from "./forget-expired";

it("forgets sessions, codes and former secrets whose time is over, in memory and in storage (S17)", async () => {
  const done: string[] = [];
  const sessions = { removeExpired: async (now: number) => void done.push(`sessions ${now}`) };
  const verifications = { removeExpired: async (now: number) => void done.push(`codes ${now}`) };
  const keys = { forgetFormer: async () => void done.push("former secrets") };
  await forgettingExpired(sessions, keys, verifications, () => 77).run(() => false);
  expect(done).toEqual(["sessions 77", "former secrets", "codes 77"]);
});
