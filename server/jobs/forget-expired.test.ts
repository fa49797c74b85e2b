import { expect, it } from "vitest";
import { forgetExpired } from "./forget-expired";

it("forgets sessions and codes whose time is over, in memory and in storage (S17)", async () => {
  const done: string[] = [];
  const write = {
    sessions: { removeExpired: async (now: number) => void done.push(`stored sessions ${now}`) },
    verifications: { removeExpired: async (now: number) => void done.push(`codes ${now}`) },
  };
  const directory = { removeExpiredSessions: (now: number) => void done.push(`sessions ${now}`) };
  await forgetExpired({ write }, directory, 77);
  expect(done).toEqual(["sessions 77", "stored sessions 77", "codes 77"]);
});
