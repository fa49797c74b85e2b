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
