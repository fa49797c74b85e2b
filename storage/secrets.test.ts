import { expect, it } from "vitest";
import { createSecrets } from "./secrets";
import { MASTER_KEY } from "./testing/sample-records";

it("what is sealed cannot be opened with another master key, nor after a change", () => {
  const sealed = createSecrets(MASTER_KEY).seal("text");
  expect(createSecrets(MASTER_KEY).open(sealed)).toBe("text");
  expect(() => createSecrets(new Uint8Array(32).fill(8)).open(sealed)).toThrow();
  const altered = Buffer.from(sealed, "base64url");
  altered[altered.length - 1]! ^= 1;
  expect(() => createSecrets(MASTER_KEY).open(altered.toString("base64url"))).toThrow();
});

it("what is sealed for a file is the same each time, and nothing else opens as it", () => {
  const secrets = createSecrets(MASTER_KEY);
  const sealed = secrets.sealForFile("text");
  expect(secrets.sealForFile("text")).toBe(sealed);
  expect(secrets.sealForFile("text ")).not.toBe(sealed);
  expect(secrets.openFromFile(sealed)).toBe("text");
  expect(() => secrets.open(sealed)).toThrow();
  expect(() => secrets.openFromFile(secrets.seal("text"))).toThrow();
  expect(() => createSecrets(new Uint8Array(32).fill(8)).openFromFile(sealed)).toThrow();
});
