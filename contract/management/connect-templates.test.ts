import { describe, expect, it } from "vitest";
import { MAX_CONNECT_TEMPLATES, parseConnectTemplates } from "./connect-templates";

const parse = (value: unknown) => parseConnectTemplates(JSON.stringify(value));

describe("templates for connecting programs", () => {
  it("are links to the web or to known programs, and texts, in their order", () => {
    expect(
      parse({
        Studio: { link: "cherrystudio://providers/api-keys?v=1&key={key}" },
        Web: { link: "https://chat.example.com/?key={key}&url={address}" },
        Script: { text: "export KEY={key}\n\tMODEL={model}" },
      }),
    ).toEqual([
      { name: "Studio", kind: "link", template: "cherrystudio://providers/api-keys?v=1&key={key}" },
      { name: "Web", kind: "link", template: "https://chat.example.com/?key={key}&url={address}" },
      { name: "Script", kind: "text", template: "export KEY={key}\n\tMODEL={model}" },
    ]);
  });

  it.each([
    "javascript:alert(1)",
    "javascript://%0aalert(1)",
    "JavaScript://x",
    " javascript://x",
    "data:text/html,x",
    "data://text/html,x",
    "vbscript://x",
    "file:///etc/passwd",
    "vscode://x",
    "{address}/x",
    "//chat.example.com",
    "https://",
    "https://a b",
    "https://a\nb",
    "https://a\u0000b",
  ])("have no link %j", (link) => {
    expect(parse({ a: { link } })).toEqual({ fault: "a" });
  });

  it.each<[unknown, string]>([
    [[], ""],
    [{ "": { text: "a" } }, ""],
    [{ " a": { text: "a" } }, " a"],
    [{ a: "text" }, "a"],
    [{ a: { text: "" } }, "a"],
    [{ a: { text: "a\u0007" } }, "a"],
    [{ a: { text: "a".repeat(2001) } }, "a"],
    [{ a: { text: "a", link: "https://a" } }, "a"],
    [
      Object.fromEntries(
        Array.from({ length: MAX_CONNECT_TEMPLATES + 1 }, (_, n) => [`n${n}`, { text: "a" }]),
      ),
      "",
    ],
  ])("name the fault of %j", (value, fault) => {
    expect(parse(value)).toEqual({ fault });
  });
});
