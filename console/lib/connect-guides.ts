import {
  curlSnippet,
  openAiBase,
  pythonSnippet,
  type ShownRequest,
  typescriptSnippet,
} from "./request-snippets";

/** Values for a guide's placeholders. */
export interface Connection {
  /** The gateway's address, without a trailing slash. */
  address: string;
  /** "sk-…" */
  key: string;
  model: string;
}

/** A text to copy as a whole. */
export interface Snippet {
  /** The file for it; absent for a terminal. */
  file?: string;
  text: string;
}

/** The program's name of a setting, and its value. */
export type Setting = readonly [label: string, value: string];

/** Instructions to connect one program to the gateway. */
export interface ConnectGuide {
  id: string;
  /** The program's own name. */
  title: string;
  /** For programs configured by files and variables, in the order of use. */
  snippets?: (connection: Connection) => readonly Snippet[];
  /** For programs with a settings page. */
  settings?: { at: string; fields: (connection: Connection) => readonly Setting[] };
}

/** The first request that a guide shows. */
const hello = ({ model }: Connection): ShownRequest => ({
  call: "chat",
  body: { model, messages: [{ role: "user", content: "Hello" }] },
});

/** Settings of programs that accept any server of OpenAI's API. */
const openAiSettings = (connection: Connection): readonly Setting[] => [
  ["Base URL", openAiBase(connection)],
  ["API Key", connection.key],
  ["Model", connection.model],
];

const CURL: ConnectGuide = {
  id: "curl",
  title: "curl",
  snippets: (connection) => [{ text: curlSnippet(connection, hello(connection)) }],
};

const PYTHON: ConnectGuide = {
  id: "python",
  title: "Python",
  snippets: (connection) => [
    { text: "pip install openai" },
    {
      file: "hello.py",
      text: pythonSnippet(connection, hello(connection)),
    },
  ],
};

const TYPESCRIPT: ConnectGuide = {
  id: "typescript",
  title: "TypeScript",
  snippets: (connection) => [
    { text: "npm install openai" },
    {
      file: "hello.mjs",
      text: typescriptSnippet(connection, hello(connection)),
    },
  ],
};

/** @see https://docs.claude.com/en/docs/claude-code/llm-gateway */
const CLAUDE_CODE: ConnectGuide = {
  id: "claude-code",
  title: "Claude Code",
  snippets: ({ address, key, model }) => [
    {
      text: `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_AUTH_TOKEN="${key}"
export ANTHROPIC_MODEL="${model}"
claude`,
    },
  ],
};

/** @see https://github.com/openai/codex/blob/main/docs/config.md */
const CODEX: ConnectGuide = {
  id: "codex",
  title: "Codex",
  snippets: (connection) => [
    {
      file: "~/.codex/config.toml",
      text: `model = "${connection.model}"
model_provider = "gateway"

[model_providers.gateway]
name = "Gateway"
base_url = "${openAiBase(connection)}"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"`,
    },
    {
      text: `export GATEWAY_API_KEY="${connection.key}"
codex`,
    },
  ],
};

/** @see https://github.com/google-gemini/gemini-cli/blob/main/docs/get-started/configuration.md */
const GEMINI_CLI: ConnectGuide = {
  id: "gemini-cli",
  title: "Gemini CLI",
  snippets: ({ address, key, model }) => [
    {
      text: `export GOOGLE_GEMINI_BASE_URL="${address}"
export GEMINI_API_KEY="${key}"
gemini --model "${model}"`,
    },
  ],
};

const CHERRY_STUDIO: ConnectGuide = {
  id: "cherry-studio",
  title: "Cherry Studio",
  settings: {
    at: "Settings → Model Provider → Add → OpenAI",
    fields: ({ address, key, model }) => [
      ["API Key", key],
      // The program adds /v1 itself.
      ["API Host", address],
      ["Model ID", model],
    ],
  },
};

const CURSOR: ConnectGuide = {
  id: "cursor",
  title: "Cursor",
  settings: {
    at: "Settings → Models → API Keys",
    fields: (connection) => [
      ["OpenAI API Key", connection.key],
      ["Override OpenAI Base URL", openAiBase(connection)],
      ["Add model", connection.model],
    ],
  },
};

const CLINE: ConnectGuide = {
  id: "cline",
  title: "Cline",
  settings: { at: "API Provider: OpenAI Compatible", fields: openAiSettings },
};

const NEXT_CHAT: ConnectGuide = {
  id: "next-chat",
  title: "NextChat",
  settings: {
    at: "Settings → Custom Endpoint",
    fields: ({ address, key, model }) => [
      ["OpenAI Endpoint", address],
      ["OpenAI API Key", key],
      ["Custom Models", model],
    ],
  },
};

/** The programs with a guide, in display order. */
export const CONNECT_GUIDES: readonly ConnectGuide[] = [
  CURL,
  PYTHON,
  TYPESCRIPT,
  CLAUDE_CODE,
  CODEX,
  GEMINI_CLI,
  CHERRY_STUDIO,
  CURSOR,
  CLINE,
  NEXT_CHAT,
];
