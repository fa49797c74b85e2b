import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TOLLGATE = fileURLToPath(new URL("../../dist/server/tollgate.js", import.meta.url));

/** A program that a block called: its words, and the variables that the block set for it. */
export interface ProgramCall {
  words: string[];
  variables: string[];
}

/** Writes its words and its variables into a file, and prints a word that commands may take for a secret. */
const RECORD = `{ printf '%s\\0' "\${0##*/}" "$@"; printf '\\1'; compgen -e | tr '\\n' '\\0'; printf '\\2'; } >> "$CALLS"
echo printed
cat > /dev/null
`;

/** Runs the built command; \`start\` ends once it takes requests, as no block after it would ever run. */
const RUN = `tollgate() {
  if [ "\${1:-start}" != start ]; then exec "$NODE" "$TOLLGATE" "$@"; fi
  "$NODE" "$TOLLGATE" start > "$SCRATCH/started" 2>&1 &
  started=$!
  until grep -q 'ready at' "$SCRATCH/started"; do
    if ! kill -0 $started 2> /dev/null; then cat "$SCRATCH/started"; exit 1; fi
    sleep 0.1
  done
  kill -TERM $started
  wait $started
}
`;

const PROGRAMS_OF_THE_PACKAGE = {
  tollgate: `${RUN}tollgate "$@"\n`,
  npx: `${RUN}[ "$1" = --yes ] && shift\nshift\ntollgate "$@"\n`,
  npm: `${RUN}[ "$1" = run ] && shift\nname=$1\nshift\n[ "$1" = -- ] && shift\n[ "$name" = tollgate ] || set -- "$name" "$@"\ntollgate "$@"\n`,
};

/** The programs that a shell finds by itself, and those that blocks use for nothing but texts and files. */
const REAL = ["mkdir", "cat", "rm", "tr", "grep", "sed", "sleep", "bash"];

/** A shell for blocks of guides, in which the programs are ours. */
export interface GuideShell {
  /** Runs a block in a folder of its guide, with the calls of all its programs written down instead of made. */
  record(guide: string, code: string): Promise<{ status: number; output: string; calls: ProgramCall[] }>;
  /** Runs a block with the built product. Programs besides it are those of this machine. */
  run(code: string, env: Record<string, string>): Promise<{ status: number; output: string }>;
}

const writeProgram = (path: string, body: string): void => {
  writeFileSync(path, `#!/bin/bash\n${body}`);
  chmodSync(path, 0o755);
};

const readCalls = (file: string, known: ReadonlySet<string>): ProgramCall[] => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\u0002")
    .slice(0, -1)
    .map((call) => {
      const [words = "", variables = ""] = call.split("\u0001");
      return {
        words: words.split("\0").slice(0, -1),
        variables: variables.split("\0").filter((name) => name !== "" && !known.has(name)),
      };
    });
};

/**
 * @param scratch an empty folder
 * @param programs the names of all programs that blocks may call
 */
export const createGuideShell = (scratch: string, programs: readonly string[]): GuideShell => {
  const [recorded, real] = [join(scratch, "recorded"), join(scratch, "real")];
  for (const folder of [recorded, real]) mkdirSync(folder);
  for (const name of programs) writeProgram(join(recorded, name), RECORD);
  for (const name of REAL) writeProgram(join(recorded, name), `PATH=/usr/bin:/bin exec ${name} "$@"\n`);
  for (const [name, body] of Object.entries(PROGRAMS_OF_THE_PACKAGE)) writeProgram(join(real, name), body);
  const calls = join(scratch, "calls");
  const start = (code: string, cwd: string, env: Record<string, string>) =>
    new Promise<{ status: number; output: string }>((resolve) => {
      const child = spawn("/bin/bash", ["-e", "-o", "pipefail", "-c", code], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
      child.on("close", (status) => resolve({ status: status ?? 1, output }));
    });
  return {
    async record(guide, code) {
      const home = join(scratch, "homes", guide);
      rmSync(calls, { force: true });
      mkdirSync(home, { recursive: true });
      const env = { PATH: recorded, CALLS: calls, HOME: home };
      const known = new Set([...Object.keys(env), "PWD", "SHLVL", "OLDPWD", "_"]);
      const { status, output } = await start(code, home, env);
      return { status, output, calls: readCalls(calls, known) };
    },
    run: (code, env) =>
      start(code, scratch, {
        LANG: "C",
        NODE: process.execPath,
        TOLLGATE,
        SCRATCH: scratch,
        ...env,
        PATH: `${real}:/usr/bin:/bin`,
      }),
  };
};
