import { expect, it } from "vitest";
import { createSecrets } from "./secrets";
import { MASTER_KEY } from "./testing/sample-records";

it("sealed text cannot be opened with another master key, nor after a change", () => {
  const sealed = createSecrets(MASTER_KEY).seal("text");
  expect(createSecrets(MASTER_KEY).open(sealed)).toBe("text");
  expect(() => createSecrets(new Uint8Array(32).fill(8)).open(sealed)).toThrow();
  const altered = Buffer.from(sealed, "base64url");
  altered[altered.length - 1]! ^= 1;
  expect(() => createSecrets(MASTER_KEY).open(altered.toString("base64url"))).toThrow();
});

it("text sealed for a file is the same each time, and nothing else opens as it", () => {
  const secrets = createSecrets(MASTER_KEY);
  const sealed = secrets.sealForFile("text", "one use");
  expect(secrets.sealForFile("text", "one use")).toBe(sealed);
  expect(secrets.sealForFile("text ", "one use")).not.toBe(sealed);
  expect(secrets.openFromFile(sealed, "one use")).toBe("text");
  expect(() => secrets.open(sealed)).toThrow();
  expect(() => secrets.openFromFile(secrets.seal("text"), "one use")).toThrow();
  expect(() => secrets.openFromFile(secrets.seal("text"), "")).toThrow();
  expect(() => createSecrets(new Uint8Array(32).fill(8)).openFromFile(sealed, "one use")).toThrow();
});

it("text sealed for one use opens for no other, and shares no bytes with the same text of another one", () => {
  const secrets = createSecrets(MASTER_KEY);
  const [one, other] = ["one", "other"].map((use) => secrets.sealForFile("a text of some length", use));
  expect(() => secrets.openFromFile(one!, "other")).toThrow();
  expect(() => secrets.openFromFile(one!, "")).toThrow();
  // Neither the number that it is sealed with, which no two may share, nor what follows.
  expect(one!.slice(4, 20)).not.toBe(other!.slice(4, 20));
  expect(one!.slice(-8)).not.toBe(other!.slice(-8));
});
