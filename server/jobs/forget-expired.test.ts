import { expect, it } from "vitest";
import { forgettingExpired } from "./forget-expired";

it("forgets sessions and codes whose time is over, in memory and in storage (S17)", async () => {
  const done: string[] = [];
  const sessions = { removeExpired: async (now: number) => void done.push(`sessions ${now}`) };
  const verifications = { removeExpired: async (now: number) => void done.push(`codes ${now}`) };
  await forgettingExpired(sessions, verifications, () => 77).run(() => false);
  expect(done).toEqual(["sessions 77", "codes 77"]);
});
