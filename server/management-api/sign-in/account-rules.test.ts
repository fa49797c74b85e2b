import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { describe, expect, it } from "vitest";
import { checkDisplayName, checkEmail, checkGroups, checkPassword, checkUsername } from "./account-rules";

const HUGE = 4 * 1024 * 1024;

describe("S3, S17: far too long inputs", () => {
  it.each([
    ["a name", checkUsername, "username-too-long", "x".repeat(HUGE)],
    ["a display name", checkDisplayName, "display-name-too-long", "x".repeat(HUGE)],
    ["a password", checkPassword, "password-length", "x".repeat(HUGE)],
    ["a group", checkGroups, "group-invalid", "x".repeat(HUGE)],
    // Each of them keeps the pattern busy for minutes.
    ["an address", checkEmail, "email-too-long", `a@${".".repeat(HUGE)}`],
    ["an address", checkEmail, "email-too-long", `a@${"a.".repeat(HUGE / 2)}@`],
  ] as const)("in %s is refused at once", (_what, check, key, text) => {
    const workedMs = startCpuClock();
    expect(() => check(text)).toThrow(expect.objectContaining({ key }));
    expect(workedMs()).toBeLessThan(1000);
  });
});

describe("lengths", () => {
  it("count characters, also those of two code units", () => {
    expect(() => checkUsername("😀".repeat(12))).not.toThrow();
    expect(() => checkUsername("😀".repeat(13))).toThrow();
    expect(() => checkPassword("😀".repeat(20))).not.toThrow();
    expect(() => checkPassword("😀".repeat(21))).toThrow();
    expect(() => checkPassword("😀".repeat(7))).toThrow();
    expect(() => checkEmail(`${"a".repeat(38)}@example.com`)).not.toThrow();
    expect(() => checkEmail(`${"a".repeat(39)}@example.com`)).toThrow(
      expect.objectContaining({ key: "email-too-long" }),
    );
    expect(() => checkEmail("nowhere")).toThrow(expect.objectContaining({ key: "invalid-parameter" }));
  });
});
