import { join } from "node:path";
import type { Agent } from "../agent";

const VERSION = "2.1.330";

/** https://code.claude.com/docs/en/settings and …/llm-gateway */
export const CLAUDE_CODE: Agent = {
  name: `Claude Code ${VERSION}`,
  packages: { "@anthropic-ai/claude-code-linux-x64": VERSION },
  prepare: ({ url, key, model, prompt }, packages) => ({
    program: join(packages, "@anthropic-ai/claude-code-linux-x64/claude"),
    args: ["-p", prompt, "--allowed-tools", "Read"],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  }),
  read: (_kind, path) => ({ name: "Read", arguments: { file_path: path } }),
  reads: ["note", "picture", "document"],
  keepsSealsOf: ["Responses", "Messages", "Gemini"],
};
