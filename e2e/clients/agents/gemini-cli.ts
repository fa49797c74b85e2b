import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent";

const VERSION = "0.61.0";

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

/** https://geminicli.com/docs/reference/configuration */
export const GEMINI_CLI: Agent = {
  name: `Gemini CLI ${VERSION}`,
  packages: { "@google/gemini-cli": VERSION },
  prepare: ({ url, key, model, prompt, home }, packages) => {
    const settings = join(home, ".gemini");
    mkdirSync(settings);
    writeFileSync(join(settings, "settings.json"), JSON.stringify(SETTINGS));
    return {
      program: process.execPath,
      args: [
        join(packages, "@google/gemini-cli/bundle/gemini.js"),
        "--skip-trust",
        "--yolo",
        "--model",
        model,
        "--prompt",
        prompt,
      ],
      env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key, GEMINI_CLI_NO_RELAUNCH: "true" },
    };
  },
  read: (_kind, path) => ({ name: "read_file", arguments: { file_path: path } }),
  reads: ["note", "picture", "document"],
  keepsSealsOf: ["Responses", "Gemini"],
};
