/** Values by which a program reaches the gateway. */
interface Access {
  /** The gateway's address, without a trailing slash. */
  address: string;
  /** "sk-…" */
  key: string;
}

/** A request to show as programs send it. */
export interface ShownRequest {
  call: keyof typeof CALLS;
  body: Readonly<Record<string, unknown>>;
}

/** Addresses, the method of OpenAI's libraries, and what they do with the answer. */
const CALLS = {
  chat: {
    path: "/v1/chat/completions",
    method: "chat.completions.create",
    python: "print(answer.choices[0].message.content)",
    typescript: "console.log(answer.choices[0].message.content);",
  },
  image: {
    path: "/v1/images/generations",
    method: "images.generate",
    python: "print(answer.data[0])",
    typescript: "console.log(answer.data[0]);",
  },
  speech: {
    path: "/v1/audio/speech",
    method: "audio.speech.create",
    python: 'answer.write_to_file("speech.mp3")',
    typescript: `const { writeFile } = await import("node:fs/promises");
await writeFile("speech.mp3", Buffer.from(await answer.arrayBuffer()));`,
  },
  embedding: {
    path: "/v1/embeddings",
    method: "embeddings.create",
    python: "print(answer.data[0].embedding)",
    typescript: "console.log(answer.data[0].embedding);",
  },
} as const;

/** How a language writes values. */
interface Style {
  words: Readonly<Record<"true" | "false" | "null", string>>;
  name: (name: string) => string;
  /** Within braces. */
  pad: string;
}

const WORDS = { true: "true", false: "false", null: "null" } as const;
const quote = (text: string): string => JSON.stringify(text);
const JSON_STYLE: Style = { words: WORDS, name: quote, pad: "" };
const PYTHON: Style = { words: { true: "True", false: "False", null: "None" }, name: quote, pad: "" };
const TYPESCRIPT: Style = {
  words: WORDS,
  name: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quote(name)),
  pad: " ",
};

/** A value on one line. A text in JSON means the same in all three languages. */
const write = (value: unknown, style: Style): string => {
  if (Array.isArray(value)) return `[${value.map((each) => write(each, style)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([name, each]) => `${style.name(name)}: ${write(each, style)}`);
    return fields.length === 0 ? "{}" : `{${style.pad}${fields.join(", ")}${style.pad}}`;
  }
  if (typeof value === "string") return quote(value);
  return typeof value === "number" ? String(value) : style.words[String(value) as keyof Style["words"]];
};

/** The OpenAI API's base address. */
export const openAiBase = ({ address }: Pick<Access, "address">): string => `${address}/v1`;

/** The request as a command of a shell: a quote ends the quoted text, and is escaped outside of it. */
export const curlSnippet = ({ address, key }: Access, { call, body }: ShownRequest): string =>
  `curl ${address}${CALLS[call].path} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${write(body, JSON_STYLE).replaceAll("'", "'\\''")}'${call === "speech" ? " \\\n  --output speech.mp3" : ""}`;

/** The request by OpenAI's library for Python. */
export const pythonSnippet = (access: Access, { call, body }: ShownRequest): string =>
  `from openai import OpenAI

client = OpenAI(base_url="${openAiBase(access)}", api_key="${access.key}")
answer = client.${CALLS[call].method}(
${Object.entries(body)
  .map(([name, value]) => `    ${name}=${write(value, PYTHON)},`)
  .join("\n")}
)
${CALLS[call].python}`;

/** The request by OpenAI's library for TypeScript. */
export const typescriptSnippet = (access: Access, { call, body }: ShownRequest): string =>
  `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${openAiBase(access)}", apiKey: "${access.key}" });
const answer = await client.${CALLS[call].method}({
${Object.entries(body)
  .map(([name, value]) => `  ${TYPESCRIPT.name(name)}: ${write(value, TYPESCRIPT)},`)
  .join("\n")}
});
${CALLS[call].typescript}`;
