import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent, FileKind } from "../agent";

const VERSION = "3.0.65";

/** Of files of other kinds it says itself that it reads text and pictures alone. */
const READS: readonly FileKind[] = ["note", "picture"];

interface Way {
  protocol: string;
  provider: string;
  /** What stands behind the gateway's address. */
  path: string;
  keepsSealsOf: readonly string[];
  worksWith?: readonly string[];
}

/** https://docs.cline.bot/cline-cli/configuration */
const cline = ({ protocol, provider, path, ...rest }: Way): Agent => ({
  name: `Cline ${VERSION} (${protocol})`,
  packages: { "@cline/cli-linux-x64": VERSION },
  prepare: ({ url, key, model, prompt, home }, packages) => {
    const folder = join(home, ".cline/data/settings");
    mkdirSync(folder, { recursive: true });
    const settings = { provider, apiKey: key, model, baseUrl: url + path };
    const entry = { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" };
    const file = { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: entry } };
    writeFileSync(join(folder, "providers.json"), JSON.stringify(file));
    return {
      program: join(packages, "@cline/cli-linux-x64/bin/cline"),
      args: ["--provider", provider, "--model", model, "--auto-approve", "true", prompt],
      env: { CLINE_LOG_ENABLED: "0", DO_NOT_TRACK: "1" },
    };
  },
  read: (_kind, path) => ({ name: "read_files", arguments: { files: [{ path }] } }),
  reads: READS,
  ...rest,
});

export const CLINE: readonly Agent[] = [
  cline({ protocol: "Chat Completions", provider: "openai-compatible", path: "/v1", keepsSealsOf: [] }),
  cline({ protocol: "Responses", provider: "openai-native", path: "/v1", keepsSealsOf: [] }),
  cline({ protocol: "Messages", provider: "anthropic", path: "/v1", keepsSealsOf: [] }),
  // To models that are not called as Google's are, it offers no tool.
  cline({
    protocol: "Gemini",
    provider: "gemini",
    path: "/v1beta",
    keepsSealsOf: ["Gemini"],
    worksWith: ["Gemini"],
  }),
];
