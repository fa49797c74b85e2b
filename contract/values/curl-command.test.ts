import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { curlCommand } from "./curl-command";

/** What a shell would give to curl. */
const argumentsOf = (command: string): string[] => {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }; API_KEY=k; ${command}`;
  return execFileSync("sh", ["-c", script]).toString().split("\0").slice(0, -1);
};

const HOSTILE = `{"a":"it's $(touch /tmp/x) \`id\` \\" ; $API_KEY\n\t'"}`;

describe("a request as a command", () => {
  it.each([
    ["/v1/chat/completions", ["-H", "Authorization: Bearer k"]],
    ["/v1/messages", ["-H", "x-api-key: k", "-H", "anthropic-version: 2023-06-01"]],
    ["/v1beta/models/a'b:streamGenerateContent?alt=sse", ["-H", "x-goog-api-key: k"]],
  ])("gives curl the body of %s unchanged, and no key but the variable's", (path, auth) => {
    const command = curlCommand("https://gateway.example", path, HOSTILE) ?? "";
    expect(argumentsOf(command)).toEqual([
      "--globoff",
      `https://gateway.example${path}`,
      ...auth,
      ...["-H", "Content-Type: application/json", "--data-raw", HOSTILE],
    ]);
  });

  it("takes a long body from a file", () => {
    const command = curlCommand("https://g", "/v1/responses", "x".repeat(200_000));
    expect(command).toMatch(/--data-binary @request\.json$/);
  });

  it("is none for text that a terminal may obey", () => {
    expect(curlCommand("https://g", "/v1/responses", "\u001b]0;x\u0007")).toBeUndefined();
  });
});
