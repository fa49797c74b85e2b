import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { createConcealer } from "./conceal-secrets";

const KEY_CHARACTERS = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) =>
  String.fromCharCode(0x21 + index),
);
const WORD_CHARACTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const percent = (text: string): string =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`).replaceAll("/", "&sol;");

/** How an upstream may write what it was sent, and how a reader gets it back. */
const WRITINGS: Record<string, (key: string) => string> = {
  "as it is": (key) => key,
  "in upper case": (key) => key.toUpperCase(),
  "in lower case": (key) => key.toLowerCase(),
  "for an address": encodeURIComponent,
  "for an address, every character": percent,
  "for an address, twice": (key) => encodeURIComponent(encodeURIComponent(key)),
  "in JSON": json,
  "in JSON in JSON": (key) => json(json(key)),
  "in JSON with slashes escaped": (key) => json(key).replaceAll("/", "\\/"),
  "in JSON, every character": unicode,
  "in HTML": html,
  "in base64": base64,
  "in base64 for addresses": (key) => Buffer.from(key).toString("base64url"),
  "in base64 behind a name": (key) => base64(`user:${key}`),
  "in base64 behind Bearer": (key) => base64(`Bearer ${key}`),
  "in base64, for an address": (key) => encodeURIComponent(base64(`x${key}yz`)),
  "in hexadecimal": (key) => Buffer.from(key).toString("hex"),
  "in upper-case hexadecimal": (key) => Buffer.from(key).toString("hex").toUpperCase(),
};

const PLACES: Record<string, (written: string) => string> = {
  alone: (written) => written,
  "in a sentence": (written) => `Incorrect API key provided: ${written}. You can find yours elsewhere.`,
  "behind Bearer": (written) => `authorization: Bearer ${written}\r\nhost: a`,
  "in nested JSON": (written) => `{"a":[{"headers":{"x-api-key":"${written}"}}]}`,
  "in HTML": (written) => `<p title="${written}">no ${written}</p>`,
  "in an address": (written) => `GET /v1?key=${written}&alt=sse refused`,
  "glued to words": (written) => `key${written}key`,
};

describe("S13: a channel's own key", () => {
  it.each(seeds(3))("is found however and wherever an upstream writes it (seed %i)", (seed) => {
    const random = createRandom(seed);
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
    for (let round = 0; round < 12; round += 1) {
      const length = 12 + Math.floor(random() * 90);
      const characters = round % 2 === 0 ? KEY_CHARACTERS : WORD_CHARACTERS;
      const key = Array.from({ length }, () => pick(characters)).join("");
      const conceal = createConcealer([key]);
      for (const [writing, write] of Object.entries(WRITINGS)) {
        const written = write(key);
        for (const [place, put] of Object.entries(PLACES)) {
          const told = conceal(put(written));
          // Not one piece of it is left that could be used.
          let isLeft = !told.includes("[key]");
          for (let at = 0; at + 16 <= written.length; at += 1)
            isLeft ||= told.includes(written.slice(at, at + 16));
          if (isLeft) expect.fail(`${JSON.stringify(key)} ${writing}, ${place}: ${told}`);
        }
      }
    }
  });

  it("is taken out alone: the words around it stay", () => {
    const conceal = createConcealer(["Zx81-secret/value+1"]);
    expect(conceal('bad key "Zx81-secret/value+1" for model m')).toBe('bad key "[key]" for model m');
    expect(conceal("bad key Zx81-secret%2Fvalue%2B1 for 100%25 of %41")).toBe(
      "bad key [key] for 100%25 of %41",
    );
  });

  it("is found where it was cut, and left where it is masked", () => {
    const conceal = createConcealer(["abcdefghijklmnopqrstuvwx"]);
    expect(conceal("key abcdefghijklmnop…")).toBe("key [key]…");
    expect(conceal("key abcd************uvwx")).toBe("key abcd************uvwx");
  });

  it("leaves regions and short words alone, and finds a proxy's password beside the key", () => {
    const conceal = createConcealer(["us-east-1", "k", "europe-west4", "secret-password"]);
    expect(conceal("no k in us-east-1 or europe-west4: secret-password")).toBe(
      "no k in us-east-1 or europe-west4: [key]",
    );
  });

  it("costs little in a text of any size", () => {
    const conceal = createConcealer(["k".repeat(2000)]);
    const workedMs = startCpuClock();
    expect(conceal("k".repeat(1_000_000)).length).toBeLessThan(20_000);
    expect(conceal("%2525".repeat(200_000)).length).toBeLessThan(20_000);
    expect(workedMs()).toBeLessThan(500);
  });
});
