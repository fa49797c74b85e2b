import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLIENT_APIS } from "./client-apis";
import { UPSTREAM_PROTOCOLS } from "./protocols";

/*
 * What tells one protocol from another stands in protocols/: nothing outside asks which one it is, or knows an address of a
 * client API. What differs is declared (`contract/relay/client-api.ts`, `contract/relay/protocol.ts`). Vendors name the
 * protocols that their channels speak, and the contract lists the names; both are data, and are not looked at here.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ROOMS = ["metering", "relay", "storage", "server"];

/** The name that Tencent's signature has for the service is that of the protocol, too. */
const NO_PROTOCOL: Readonly<Record<string, string>> = {
  "relay/auth/tencent-tc3.ts": 'const SERVICE = "hunyuan";',
};

/** How an upstream is authorised is named after its header, by the vendors' files. */
const SIGNATURES = "relay/auth/";

const names = Object.keys(UPSTREAM_PROTOCOLS);
const LITERAL = new RegExp(`["'\`](?:${names.join("|")})["'\`]`);
const KINDS =
  /\bis(?:Anthropic|Openai|OpenAI|Gemini|Google|Responses|Messages)\b|["'`](?:anthropic|openai|gemini)["'`]/;
/** Changes of API keys are announced by this name, too. */
const NO_MARK = "api-key";
const HEADERS = new RegExp(
  CLIENT_APIS.flatMap(({ recognizedBy, keyHeader }) => [recognizedBy?.header, keyHeader])
    .filter((header) => header !== undefined && header !== NO_MARK)
    .map((header) => `["'\`]${header}["'\`]`)
    .join("|"),
);
const ADDRESS = /["'`/^]\\?\/v1(?:beta)?\\?\/(?:chat|messages|responses|models|engines|embeddings|files)/;

const COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The lines of a source that ask for a protocol. */
const asksFor = (path: string, source: string): string[] => {
  const patterns = path.startsWith(SIGNATURES)
    ? [LITERAL, KINDS, ADDRESS]
    : [LITERAL, KINDS, ADDRESS, HEADERS];
  return source
    .replace(COMMENT, "$1")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => patterns.some((pattern) => pattern.test(line)))
    .filter((line) => NO_PROTOCOL[path] !== line)
    .map((line) => `${path}: ${line}`);
};

const paths = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .map((file) => join(room, file))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("node_modules")),
);

describe("outside protocols/", () => {
  it("finds the code that it looks through", () => {
    expect(paths.length).toBeGreaterThan(200);
    expect(paths).toContain("relay/pipeline/chat-task.ts");
    expect(paths).toContain("server/relay-api/gateway.ts");
  });

  it("no code asks which protocol it is", () => {
    expect(paths.flatMap((path) => asksFor(path, readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
  });

  it.each([
    'if (client.name === "anthropic-messages") {',
    "const client = CLIENT_PROTOCOLS['openai-chat'];",
    'case "gemini-generate":',
    'const list: "openai" | "custom" = x;',
    "limitHeaders(standings, isAnthropic)",
    'if (request.headers["x-goog-api-key"] !== undefined) return;',
    'const ROUTES = { "/v1/chat/completions": 1 };',
    "const MESSAGES = /^\\/v1\\/messages(?:\\/|$)/;",
    'const path = "/v1/models/" + id;',
  ])("would find %s", (line) => {
    expect(asksFor("relay/relay.ts", line)).toEqual([`relay/relay.ts: ${line}`]);
  });

  it("takes no comment for code", () => {
    expect(asksFor("relay/relay.ts", '/* "openai-chat" */ // "anthropic-messages"')).toEqual([]);
  });
});
