import { describe, expect, it } from "vitest";
import { curlSnippet, pythonSnippet, typescriptSnippet } from "./request-snippets";

const ACCESS = { address: "https://gateway.example.com", key: "sk-YOUR-KEY" };
const HELLO = {
  call: "chat",
  body: { model: "m", messages: [{ role: "user", content: "Hello" }] },
} as const;

describe("a request as a program sends it", () => {
  it("is the guides' first request", () => {
    expect(curlSnippet(ACCESS, HELLO)).toBe(`curl https://gateway.example.com/v1/chat/completions \\
  -H "Authorization: Bearer sk-YOUR-KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "m", "messages": [{"role": "user", "content": "Hello"}]}'`);
    expect(pythonSnippet(ACCESS, HELLO)).toContain(`answer = client.chat.completions.create(
    model="m",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`);
    expect(typescriptSnippet(ACCESS, HELLO)).toContain(`await client.chat.completions.create({
  model: "m",
  messages: [{ role: "user", content: "Hello" }],
});
console.log(answer.choices[0].message.content);`);
  });

  it("keeps quotes, line ends and words of each language", () => {
    const request = {
      call: "embedding",
      body: { model: 'it\'s "m"\n$(x)', flag: true, nothing: null, "odd-name": [0.5, {}] },
    } as const;
    expect(curlSnippet(ACCESS, request)).toContain(`'{"model": "it'\\''s \\"m\\"\\n$(x)", "flag": true,`);
    expect(pythonSnippet(ACCESS, request)).toContain(
      'model="it\'s \\"m\\"\\n$(x)",\n    flag=True,\n    nothing=None,',
    );
    expect(typescriptSnippet(ACCESS, request)).toContain('"odd-name": [0.5, {}],');
  });
});
