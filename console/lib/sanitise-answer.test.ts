// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { toAnswerParts } from "./sanitise-answer";

const htmlOf = (source: string): string =>
  toAnswerParts(source)
    .map((part) => (part.kind === "html" ? part.html : ""))
    .join("");

describe("a model's answer", () => {
  it("is split into text and code", () => {
    const parts = toAnswerParts("**a**\n\n```js\nlet x;\n```\n\nb");
    expect(parts.map(({ kind }) => kind)).toEqual(["html", "code", "html"]);
    expect(parts[0]).toMatchObject({ html: expect.stringContaining("<strong>a</strong>") });
    expect(parts[1]).toEqual({ kind: "code", text: "let x;", language: "js" });
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a <b onclick=alert(1)>b</b>",
    "<style>*{display:none}</style>",
    "<form action=https://evil.example><input></form>",
    "<svg><a href='javascript:alert(1)'>x</a></svg>",
  ])("shows HTML as text: %s", (source) => {
    const shown = document.createElement("div");
    shown.innerHTML = htmlOf(source);
    expect(shown.querySelector("script, img, b, style, form, input, svg, [onclick], [onerror]")).toBeNull();
    expect(shown.textContent).toContain(source.slice(0, 5));
  });

  it("has links of web and mail alone, and no picture", () => {
    const html = htmlOf(
      "[a](javascript:alert(1)) [b](data:text/html,x) [c](https://x.example) ![pixel](https://t.example/p.png)",
    );
    expect(html).not.toMatch(/javascript:|data:|<img/);
    expect(html).toContain('href="https://x.example"');
    expect(html).toContain(">pixel</a>");
  });

  it("does not stand still for hostile nesting", () => {
    const begun = performance.now();
    for (const source of [">".repeat(3000), "[".repeat(5000), "*a ".repeat(5000), "- ".repeat(2000)]) {
      try {
        toAnswerParts(source);
      } catch {
        // The page shows such a text as it is.
      }
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
