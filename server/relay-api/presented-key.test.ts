import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { presentedKey } from "./presented-key";

const of = (headers: IncomingHttpHeaders, parameter?: string, query = ""): string | undefined =>
  presentedKey({ headers } as IncomingMessage, parameter, query);

describe("C18: a presented key", () => {
  it.each([
    "Bearer sk-KEY",
    "bearer sk-KEY",
    "BEARER sk-KEY",
    "bEaReR   sk-KEY",
    "Bearer\tsk-KEY ",
    "sk-KEY",
    "  sk-KEY",
  ])("is read from Authorization: %j", (authorization) => {
    expect(of({ authorization })).toBe("sk-KEY");
  });

  it.each(["x-api-key", "x-goog-api-key", "api-key"])("is read from %s", (name) => {
    expect(of({ [name]: "sk-KEY" })).toBe("sk-KEY");
    expect(of({ [name]: "bearer sk-KEY" })).toBe("sk-KEY");
  });

  it.each(["", " ", "Bearer", "Bearer ", "bearer  ", "Basic dXNlcjpwYXNz", "Digest a=b"])(
    "is read from x-api-key beside an Authorization without a key: %j",
    (authorization) => {
      expect(of({ authorization, "x-api-key": "sk-KEY" })).toBe("sk-KEY");
      expect(of({ authorization, "x-api-key": "", "api-key": "sk-KEY" })).toBe("sk-KEY");
      expect(of({ authorization }, "key", "key=sk-KEY")).toBe("sk-KEY");
      // An invalid key is told from a missing one.
      expect(of({ authorization })).toBe(authorization);
    },
  );

  it("is missing where a request presents none", () => {
    expect(of({})).toBeUndefined();
    expect(of({ "x-api-key": "" }, "key", "other=1")).toBeUndefined();
    expect(of({}, undefined, "key=sk-KEY")).toBeUndefined();
  });

  /** From the first that counts. */
  const ORDER = ["authorization", "api-key", "x-api-key", "x-goog-api-key"] as const;

  it.each(seeds(300))("is the first of the order among several different ones (%i)", (seed) => {
    const random = createRandom(seed);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const headers: Record<string, string> = {};
    let expected: string | undefined;
    for (const name of ORDER) {
      const key = pick([undefined, "", " ", `sk-${name}`]);
      if (key === undefined) continue;
      const isNone = key.trim() === "";
      const scheme = pick(["", "Bearer ", "bearer ", "BeArEr  "]);
      headers[name] = isNone ? pick([key, name === "authorization" ? "Basic dTpw" : key]) : scheme + key;
      if (!isNone) expected ??= key;
    }
    const inAddress = pick([undefined, "sk-address"]);
    const query = inAddress === undefined ? "" : `alt=sse&key=${inAddress}`;
    const none = headers.authorization;
    expect(of(headers, "key", query), JSON.stringify(headers)).toBe(expected ?? inAddress ?? none);
  });
});
