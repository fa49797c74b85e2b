import { readFileSync } from "node:fs";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import { describe, expect, it } from "vitest";
import { ADDRESSES, isMeantForClientApi, plainTarget } from "./address-book";
import { isOfClientApi } from "./client-terms";

/** Every declared address with names filled in, and its endpoint. */
const DECLARED = CLIENT_APIS.flatMap(({ endpoints }) =>
  endpoints.flatMap(({ method, path }) => {
    const call = { POST: "m:generateContent", any: "m:predict", GET: "x", DELETE: "x" }[method];
    const whole = path
      .replace(/:\w+/, "gpt-4")
      .replace(/[mM]odels\/\*$/, (models) => models.replace("*", call));
    return [
      { method: method === "any" ? "PATCH" : method, path: whole.replace("/*", "/x").replace("*", "") },
    ];
  }),
);

/** Mistyped forms of an address. */
const SLIPS: Readonly<Record<string, (path: string) => string>> = {
  "a slash at the end": (path) => `${path}/`,
  "slashes at the end": (path) => `${path}///`,
  "two slashes before it": (path) => `/${path}`,
  "two slashes behind the base": (path) => path.replace(/^(\/\w+)\//, "$1//"),
  "two slashes before its end": (path) => path.replace(/\/([^/]*)$/, "//$1"),
  "two slashes everywhere": (path) => path.replaceAll("/", "//"),
  "its base twice": (path) => path.replace(/^\/\w+/, "$&$&"),
  "its base three times": (path) => path.replace(/^\/\w+/, "$&$&$&"),
  "v1 before it": (path) => `/v1${path}`,
  "v1beta before it": (path) => `/v1beta${path}`,
  "no base": (path) => path.replace(/^\/(?:v1beta|v1|openai)\//, "/"),
  "OpenAI's base of Azure": (path) => path.replace(/^(?:\/openai)?/, "/openai"),
  "an escaped colon": (path) => path.replaceAll(":", "%3A"),
  "an escaped colon in lower case": (path) => path.replaceAll(":", "%3a"),
  "escaped letters": (path) =>
    path.replace(/^\/(v1|openai)/, (base) => base.replace("v", "%76").replace("o", "%6F")),
  "a blank behind it": (path) => `${path}%20`,
};

/** Slips that are not served: the answer names the address. */
const NAMED: Readonly<Record<string, (path: string) => string>> = {
  "/api before it": (path) => `/api${path}`,
  "another word before it": (path) => `/llm${path}`,
  capitals: (path) => path.replace(/^\/\w+/, (base) => base.toUpperCase()),
};

const askedAt = (method: string, target: string) => {
  const [path = ""] = plainTarget(target).split("?");
  return ADDRESSES.resolve(method, path, "");
};

/** The method and the path of an address that was named. */
const parted = (meant: string): [method: string, path: string] => {
  const [method = "", path = ""] = meant.split(" ");
  return [method, path];
};

/** Kind and fields of an endpoint, comparable. */
const plain = (asked: object | undefined): unknown => JSON.parse(JSON.stringify(asked ?? null));

describe("C21: a mistyped address", () => {
  it("covers every declared address", () => {
    expect(DECLARED.length).toBeGreaterThan(50);
    for (const { method, path } of DECLARED) expect(askedAt(method, path).found, path).toBeDefined();
  });

  it.each(Object.entries(SLIPS))("is served as the right one: %s", (_, slip) => {
    for (const { method, path } of DECLARED) {
      const right = askedAt(method, path);
      const wrong = slip(path);
      const { found, meant } = askedAt(method, wrong);
      // A repeated beginning of the console's pages is not served: the answer names the address.
      const named = path.startsWith("/dashboard") && meant ? askedAt(...parted(meant)) : undefined;
      const served = found ?? named?.found;
      expect(plain(served?.asked), `${method} ${wrong}`).toEqual(plain(right.found?.asked));
      const target = plainTarget(wrong);
      expect(isOfClientApi(target) || isMeantForClientApi(method, target), wrong).toBe(true);
    }
  });

  it.each(Object.entries(NAMED))("is refused with the right one: %s", (_, slip) => {
    for (const { method, path } of DECLARED) {
      const right = askedAt(method, path);
      if (right.found?.asked.kind === "refusal") continue;
      const wrong = slip(path);
      const { found, meant = "" } = askedAt(method, wrong);
      expect(found, wrong).toBeUndefined();
      expect(parted(meant)[0], wrong).toBe(method);
      expect(plain(askedAt(...parted(meant)).found?.asked), wrong).toEqual(plain(right.found?.asked));
    }
  });

  it("is refused with the right method", () => {
    expect(askedAt("GET", "/v1/chat/completions")).toMatchObject({ meant: "POST /v1/chat/completions" });
    expect(askedAt("GET", "/chat/completions")).toMatchObject({ meant: "POST /v1/chat/completions" });
    expect(askedAt("PUT", "/v1/embeddings")).toMatchObject({ meant: "POST /v1/embeddings" });
    expect(askedAt("POST", "/v1/models")).toMatchObject({ meant: "GET /v1/models" });
  });

  it.each(["/v1", "/v1/", "/v1/v1", "/v1beta", "/openai"])(
    "is refused with the first address: GET %s",
    (path) => {
      expect(askedAt("GET", path)).toMatchObject({ found: undefined, meant: "GET /v1/models" });
    },
  );

  it.each([
    "/v1/chat/completions/chat/completions",
    "/v1/chat/completions/v1/chat/completions",
    "/v1/chat/completions/x/y",
    "/proxy/openai/v1/chat/completions",
  ])("is refused with the address that it holds: %s", (path) => {
    expect(askedAt("POST", path)).toMatchObject({ found: undefined, meant: "POST /v1/chat/completions" });
  });

  it("keeps the names of models that are written with slashes and escapes", () => {
    expect(askedAt("GET", "/v1/v1/models/org%2Fname").found?.asked).toEqual({
      kind: "model",
      id: "org/name",
    });
    expect(askedAt("POST", "/v1beta//models/org/a%3Ab%3AgenerateContent").found?.asked).toMatchObject({
      address: { model: "org/a:b" },
    });
    expect(askedAt("GET", "/v1/models/openai/v1").found?.asked).toEqual({ kind: "model", id: "openai/v1" });
  });

  it("answers HEAD as GET", () => {
    expect(askedAt("HEAD", "/v1/models").found?.asked).toEqual({ kind: "models" });
    expect(askedAt("HEAD", "//models/").found?.asked).toEqual({ kind: "models" });
  });

  it("leaves the pages of the console alone", () => {
    const router = readFileSync(new URL("../../console/app/router.tsx", import.meta.url), "utf8");
    const pages = [...router.matchAll(/"(\/[^"]*)"/g)].map(([, path = ""]) => path.replace(/\$\w+/g, "12"));
    expect(pages.length).toBeGreaterThan(40);
    for (const page of [...pages, "/", "/index.html", "/logo.png", "/assets/index-1.js", "/config.json"])
      for (const path of [page, `${page}/`, `${page}?models=/v1/models`])
        for (const method of ["GET", "HEAD", "OPTIONS"])
          expect(isMeantForClientApi(method, path) || isOfClientApi(path), path).toBe(false);
    expect(isMeantForClientApi("OPTIONS", "/chat/completions")).toBe(true);
  });

  it.each([
    ["//api/user/self", "/api/user/self"],
    ["////api/user", "/api/user"],
    ["http://gateway.example/api/user?x=//y", "/api/user?x=//y"],
    ["HTTPS://gateway.example//v1/models", "/v1/models"],
    ["/login?next=//x", "/login?next=//x"],
    ["*", "*"],
  ])("begins with one slash for every rule: %s", (target, expected) => {
    expect(plainTarget(target)).toBe(expected);
  });

  it("is not found, however long it is", () => {
    for (const path of ["/a".repeat(8000), "/v1".repeat(5000), "/".repeat(16_000), `/${"%3A".repeat(5000)}`])
      expect(askedAt("GET", path).found).toBeUndefined();
  });
});
