import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VENDORS } from "./vendors";

/*
 * What tells one channel type from another stands in the vendors' files: nothing outside of them asks for a type's number
 * or for a vendor's name, which is that of its file. What takes code (signing, addresses that are put together otherwise, reading a balance) is
 * chosen by a name that the vendor's file declares.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SHIPPED = ["contract", "protocols", "metering", "accounts", "relay", "storage", "server", "console"];

/**
 * Where vendors' names are the subject: API shapes that are called after the vendors that made them, families of models,
 * signatures, addressings and lists of models that a vendor's file chooses by name, clients' programs with their settings, and commands for client APIs.
 */
const NAMED_AFTER_VENDORS =
  /^(?:contract\/relay|protocols|metering|relay\/auth)\/|^relay\/routing\/(?:addressing|azure-address|model-listing)\.ts$|^console\/lib\/(?:connect-guides|request-snippets)\.ts$|^console\/features\/pricing\/model-endpoints\.ts$|^contract\/values\/curl-command\.ts$/;

/** Names of API shapes, the room that holds them; hosts of clouds that have nothing to do with channels. */
const NO_VENDORS =
  /"(?:openai-chat|openai-responses|anthropic-messages|gemini-generate)"|"@tollgate\/protocols\/[^"]*"|challenges\.cloudflare\.com|"metadata\.[\w.]+"/g;

const COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

interface Source {
  path: string;
  lines: string[];
}

const sources: Source[] = SHIPPED.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .map((file) => join(room, file))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|node_modules|^console\/testing\//.test(path))
    .map((path) => ({
      path,
      lines: readFileSync(join(ROOT, path), "utf8").replace(COMMENT, "$1").split("\n"),
    })),
);

const linesWith = (pattern: RegExp, isConcerned: (path: string) => boolean = () => true): string[] =>
  sources
    .filter(({ path }) => isConcerned(path))
    .flatMap(({ path, lines }) =>
      lines
        .filter((line) => pattern.test(line.replace(NO_VENDORS, "")))
        .map((line) => `${path}: ${line.trim()}`),
    );

describe("outside vendors/", () => {
  it("finds the code that it looks through", () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.map(({ path }) => path)).toContain("relay/routing/upstream-target.ts");
  });

  it("nothing asks for the number of a channel's type", () => {
    const asks =
      /\btype\s*[!=]==?\s*[1-9]|[1-9]\s*[!=]==?\s*(?:\w+\.)*type\b|\]\.includes\((?:\w+\.)*type\)|\bfind(?:Vendor|Card)\(\d|\bVENDOR_FORMS\[\d/i;
    expect(linesWith(asks)).toEqual([]);
  });

  it("nothing knows a vendor's address", () => {
    const addresses = VENDORS.flatMap(({ baseUrl, alternatives }) => [
      baseUrl,
      ...alternatives.map((route) => route.baseUrl),
    ]);
    const hosts = new Set(addresses.flatMap((address) => /\/\/([a-z][\w.-]+\.\w+)/.exec(address)?.[1] ?? []));
    expect(hosts.size).toBeGreaterThan(30);
    const known = new RegExp([...hosts].map((host) => host.replaceAll(".", "\\.")).join("|"));
    // What Tencent's first API has signed is its own address, wherever it is asked.
    expect(linesWith(known, (path) => path !== "relay/auth/tencent-legacy.ts")).toEqual([]);
  });

  it("nothing that is not called after a vendor names one", () => {
    const names = readdirSync(join(ROOT, "vendors"))
      .filter((file) => /^(?!custom|define-|outside|vendors)[\w-]{4,}\.ts$/.test(file))
      .map((file) => file.slice(0, -".ts".length));
    expect(names.length).toBeGreaterThan(30);
    const named = new RegExp(names.join("|"), "i");
    expect(linesWith(named, (path) => !NAMED_AFTER_VENDORS.test(path))).toEqual([]);
  });
});
