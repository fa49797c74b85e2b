import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A code block of a guide, and the instruction in front of it that says where it goes. */
export interface Step {
  kind: "file" | "after" | "in place of" | "into" | "run";
  /** Path in the checkout; the command of "run" has none. */
  path: string;
  /** Begin of the line behind which, or in whose place, the block goes. */
  anchor: string;
  code: string;
}

/**
 * An instruction, and the block behind it with its indentation: `<!-- file: path -->`, `<!-- after "line" in path -->`,
 * `<!-- in place of "line" in path -->`, `<!-- into path -->` of JSON that is merged with what is there, `<!-- run -->`.
 * A `*` in a path stands for each folder.
 */
const INSTRUCTION =
  /^( *)<!-- (?:(file): (\S+)|(after|in place of) "([^"]+)" in (\S+)|(into) (\S+)|(run)) -->\n\1```\w*\n([\s\S]*?)\n\1```$/gm;

/** Reads the steps of a guide that can be followed by a program, in their order. */
export const readSteps = (guide: string): Step[] =>
  [...guide.matchAll(INSTRUCTION)].map(
    ([, indent = "", file, filePath, after, anchor, afterPath, into, intoPath, , code = ""]) => ({
      kind: file ? "file" : after === "after" || after === "in place of" ? after : into ? "into" : "run",
      path: filePath ?? afterPath ?? intoPath ?? "",
      anchor: anchor ?? "",
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );

/**
 * Copies the checkout as it is committed and changed, without what was built. Packages are linked, those of the checkout to the copy.
 * @returns the folder of the copy.
 */
export const copyCheckout = (): string => {
  const copy = mkdtempSync(join(tmpdir(), "tollgate-guide-"));
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const path of listed.split("\n")) {
    if (path === "" || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  const modules = join(copy, "node_modules");
  mkdirSync(join(modules, "@tollgate"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "@tollgate" && name !== ".cache")
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(ROOT, "node_modules", "@tollgate")))
    symlinkSync(join(copy, name), join(modules, "@tollgate", name));
  return copy;
};

const insertAt = (text: string, { kind, anchor, code, path }: Step): string => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.startsWith(anchor));
  if (at < 0) throw new Error(`${path} has no line that begins with ${anchor}`);
  return [...lines.slice(0, kind === "after" ? at + 1 : at), code, ...lines.slice(at + 1)].join("\n");
};

const filesOf = (copy: string, path: string): string[] => {
  const [before = "", after] = path.split("*");
  if (after === undefined) return [path];
  const folders = readdirSync(join(copy, before)).map((name) => `${before}${name}${after}`);
  return folders.filter((file) => existsSync(join(copy, file)));
};

interface Json {
  [name: string]: Json | string;
}

const mergeJson = (known: Json, added: Json): Json => {
  const merged = { ...known };
  for (const [name, value] of Object.entries(added)) {
    const before = merged[name];
    const isObject = typeof value === "object" && typeof before === "object";
    merged[name] = isObject ? mergeJson(before, value) : value;
  }
  return merged;
};

/**
 * Does one step in a copy of the checkout.
 * @returns status and output of a command; status 0 for a file that was written.
 */
export const doStep = (copy: string, step: Step): { status: number; output: string } => {
  const { kind, path, code } = step;
  if (kind === "file") writeFileSync(join(copy, path), `${code}\n`, { flag: "wx" });
  if (kind === "after" || kind === "in place of")
    writeFileSync(join(copy, path), insertAt(readFileSync(join(copy, path), "utf8"), step));
  if (kind === "into")
    for (const file of filesOf(copy, path)) {
      const known = JSON.parse(readFileSync(join(copy, file), "utf8")) as Json;
      writeFileSync(join(copy, file), JSON.stringify(mergeJson(known, JSON.parse(code) as Json), null, 2));
    }
  if (kind !== "run") return { status: 0, output: "" };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", code], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, CI: "true", VITEST: undefined, NODE_ENV: undefined, NODE_OPTIONS: undefined },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status: status ?? 1, output: `${stdout}\n${stderr}` };
};
