import { createSecrets } from "@tollgate/storage/secrets";
import { expect, it } from "vitest";
import { confirmsPresence, createPresenceCookie, PRESENCE_SECONDS } from "./presence";

const secrets = createSecrets(new Uint8Array(32).fill(1));
const others = createSecrets(new Uint8Array(32).fill(2));
const SESSION = "s".repeat(43);
const NOW = 1_800_000_000;

it("confirms the presence of one session's owner for a quarter of an hour", () => {
  const cookie = createPresenceCookie(secrets, SESSION, NOW);
  const [expires = "", signature = ""] = cookie.split(".");
  const confirms = (text: string | undefined, session = SESSION, now = NOW) =>
    confirmsPresence(secrets, session, text, now);
  expect(confirms(cookie)).toBe(true);
  expect(confirms(cookie, SESSION, NOW + PRESENCE_SECONDS - 1)).toBe(true);
  expect(confirms(cookie, SESSION, NOW + PRESENCE_SECONDS)).toBe(false);
  expect(confirms(cookie, "t".repeat(43))).toBe(false);
  expect(confirms(`${Number(expires) + 900}.${signature}`)).toBe(false);
  expect(confirmsPresence(others, SESSION, cookie, NOW)).toBe(false);
  for (const text of [
    undefined,
    "",
    ".",
    expires,
    `${expires}.`,
    `${cookie}x`,
    `x${cookie}`,
    "9".repeat(5000),
  ])
    expect(confirms(text)).toBe(false);
});
