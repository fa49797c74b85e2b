import { createSecrets } from "@tollgate/storage/secrets";
import { describe, expect, it } from "vitest";
import { createDeviceCookie, readDeviceCookie } from "./known-device";

const secrets = createSecrets(new Uint8Array(32).fill(7));

describe("S11: the cookie of a known device", () => {
  const cookie = createDeviceCookie(secrets, 1);

  it("names the device, to the account that was signed in on it", () => {
    const deviceId = readDeviceCookie(secrets, 1, cookie);
    expect(deviceId).toMatch(/^[A-Za-z\d]{22}$/);
    expect(cookie.startsWith(`${deviceId}.`)).toBe(true);
    expect(createDeviceCookie(secrets, 1)).not.toBe(cookie);
  });

  it("is worth nothing for another account, or under another master key", () => {
    expect(readDeviceCookie(secrets, 2, cookie)).toBeUndefined();
    expect(readDeviceCookie(createSecrets(new Uint8Array(32).fill(8)), 1, cookie)).toBeUndefined();
  });

  it("is worth nothing when anything of it was changed", () => {
    for (let at = 0; at < cookie.length; at += 1) {
      const changed = `${cookie.slice(0, at)}${cookie[at] === "A" ? "B" : "A"}${cookie.slice(at + 1)}`;
      expect(readDeviceCookie(secrets, 1, changed), changed).toBeUndefined();
    }
    for (const other of [undefined, "", ".", cookie.slice(1), `${cookie}x`, "x".repeat(16_000)]) {
      expect(readDeviceCookie(secrets, 1, other)).toBeUndefined();
    }
  });
});
