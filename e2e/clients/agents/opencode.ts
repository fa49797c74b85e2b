import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent";

const VERSION = "1.18.33";

/** https://opencode.ai/docs/config and …/providers */
const opencode = (protocol: string, npm: string, path: string, keepsSealsOf: readonly string[]): Agent => ({
  name: `opencode ${VERSION} (${protocol})`,
  packages: { "opencode-linux-x64": VERSION },
  prepare: ({ url, key, model, prompt, home }, packages) => {
    const settings = join(home, ".config/opencode");
    mkdirSync(settings, { recursive: true });
    const config = {
      autoupdate: false,
      share: "disabled",
      enabled_providers: ["gateway"],
      permission: "allow",
      provider: {
        gateway: {
          npm,
          options: { baseURL: url + path, apiKey: key },
          models: {
            [model]: {
              attachment: true,
              reasoning: true,
              tool_call: true,
              limit: { context: 200_000, output: 8000 },
              modalities: { input: ["text", "image", "pdf"], output: ["text"] },
            },
          },
        },
      },
    };
    writeFileSync(join(settings, "opencode.json"), JSON.stringify(config));
    return {
      program: join(packages, "opencode-linux-x64/bin/opencode"),
      args: ["run", "--model", `gateway/${model}`, prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
    };
  },
  read: (_kind, path) => ({ name: "read", arguments: { filePath: path } }),
  reads: ["note", "picture", "document"],
  keepsSealsOf,
});

/** Each with the AI SDK's provider for one protocol. */
export const OPENCODE: readonly Agent[] = [
  opencode("Chat Completions", "@ai-sdk/openai-compatible", "/v1", []),
  opencode("Responses", "@ai-sdk/openai", "/v1", ["Responses", "Messages", "Gemini"]),
  opencode("Messages", "@ai-sdk/anthropic", "/v1", ["Responses", "Messages", "Gemini"]),
  opencode("Gemini", "@ai-sdk/google", "/v1beta", ["Responses", "Gemini"]),
];
