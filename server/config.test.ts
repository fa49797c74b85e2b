import { describe, expect, it } from "vitest";
import { readConfig } from "./config";

describe("INITIAL_ROOT_PASSWORD", () => {
  it.each(["12345678", "correct horse batter", "密码密码密码密码", "😀😀😀😀😀😀😀😀", "😀".repeat(20)])(
    "may be %j",
    (password) => {
      expect(readConfig({ INITIAL_ROOT_PASSWORD: password }).initialRootPassword).toBe(password);
    },
  );

  it("counts as unset when it is empty", () => {
    expect(readConfig({ INITIAL_ROOT_PASSWORD: "" }).initialRootPassword).toBeUndefined();
  });

  it.each(["1234567", "x".repeat(21), "😀".repeat(7), "x".repeat(100_000)])(
    "of another length is refused in words (%#)",
    (password) => {
      expect(() => readConfig({ INITIAL_ROOT_PASSWORD: password })).toThrow(
        "INITIAL_ROOT_PASSWORD: must have 8 to 20 characters",
      );
    },
  );

  it.each([
    "password1\n",
    " password1",
    "password1 ",
    "          ",
    "pass\tword1",
    "pass\u0000word1",
    "\ufeffpassword1",
    "password1\r\n",
  ])("that cannot be typed into the sign-in is refused with a sentence: %j", (password) => {
    expect(() => readConfig({ INITIAL_ROOT_PASSWORD: password })).toThrow(
      "INITIAL_ROOT_PASSWORD: must not begin or end with a blank",
    );
  });
});

describe("DATABASE_URL", () => {
  const database = { DATABASE_URL: "postgres://user:very-secret@host/database" };

  it("needs a master key that is the same on all nodes", () => {
    expect(() => readConfig(database)).toThrow("MASTER_KEY: must be set where DATABASE_URL is");
    expect(readConfig({ ...database, MASTER_KEY: "key" }).database).toEqual({
      address: database.DATABASE_URL,
      readAddress: undefined,
    });
  });

  it("is required by the addresses of its copies", () => {
    expect(() => readConfig({ DATABASE_READ_URL: database.DATABASE_URL })).toThrow(
      "DATABASE_READ_URL: names a copy of the database that DATABASE_URL names, which is not set",
    );
    expect(() => readConfig({ DATABASE_LISTEN_URL: database.DATABASE_URL })).toThrow(
      "DATABASE_LISTEN_URL: names the database that DATABASE_URL names, which is not set",
    );
  });

  it("does not appear in errors about the environment", () => {
    for (const more of [{}, { MASTER_KEY: "key", PORT: "none" }]) {
      const read = () => readConfig({ ...database, DATABASE_READ_URL: database.DATABASE_URL, ...more });
      expect(read).toThrow(/^(?!.*very-secret)/s);
    }
  });
});

describe("REDIS_URL", () => {
  it("is no address of anything where it is unset or blank", () => {
    expect(readConfig({}).redis).toBeUndefined();
    expect(readConfig({ REDIS_URL: "" }).redis).toBeUndefined();
  });

  it("is read in its parts", () => {
    const { redis } = readConfig({ REDIS_URL: "rediss://me:pass%40word@cache:6380/2" });
    expect(redis).toEqual({
      host: "cache",
      port: 6380,
      username: "me",
      password: "pass@word",
      db: 2,
      tls: {},
    });
  });

  it("that is no address is refused in words, without its password", () => {
    const read = () => readConfig({ REDIS_URL: "redis://me:secret#word@cache" });
    expect(read).toThrow("REDIS_URL: must be redis://user:password@host:port/number");
    expect(read).not.toThrow("secret");
  });
});

describe("LEAVE_DELAY_MS", () => {
  it("gives a balancer time to notice the departure of one of several nodes, and delays no single node", () => {
    const database = { DATABASE_URL: "postgres://host/database", MASTER_KEY: "key" };
    expect(readConfig({}).leaveDelayMs).toBe(0);
    expect(readConfig(database).leaveDelayMs).toBe(2000);
    expect(readConfig({ ...database, LEAVE_DELAY_MS: "0" }).leaveDelayMs).toBe(0);
    expect(readConfig({ LEAVE_DELAY_MS: "500" }).leaveDelayMs).toBe(500);
  });
});
