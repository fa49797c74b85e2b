import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../agent";

const VERSION = "0.169.0";

const CONFIG = (url: string) => `
model_provider = "gateway"
check_for_update_on_startup = false

[model_providers.gateway]
name = "Gateway"
base_url = "${url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"

[analytics]
enabled = false
`;

/** https://developers.openai.com/codex/config-reference */
export const CODEX: Agent = {
  name: `Codex ${VERSION}`,
  packages: { "@openai/codex-linux-x64": `npm:@openai/codex@${VERSION}-linux-x64` },
  prepare: ({ url, key, model, prompt, home }, packages) => {
    const settings = join(home, ".codex");
    mkdirSync(settings);
    writeFileSync(join(settings, "config.toml"), CONFIG(url));
    const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--model", model];
    return {
      program: join(packages, "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),
      args: ["exec", ...options, prompt],
      env: { GATEWAY_KEY: key },
    };
  },
  read: (kind, path) =>
    kind === "picture"
      ? { name: "view_image", arguments: { path } }
      : { name: "exec_command", arguments: { cmd: `cat ${path}` } },
  reads: ["note", "picture"],
  keepsSealsOf: ["Responses", "Messages", "Gemini"],
};
