/** One stage of a Dockerfile: what it begins with, and what is done to that, in order. */
export interface Stage {
  image: string;
  /** What other stages call it; undefined for the last one. */
  name: string | undefined;
  steps: Step[];
}

export type Step =
  | { does: "workdir"; folder: string }
  | { does: "env"; variables: Record<string, string> }
  | { does: "copy"; from: string | undefined; sources: string[]; target: string }
  /** `caches` are folders that outlive the build and are not part of what it makes. */
  | { does: "run"; command: string; caches: string[] }
  | { does: "user"; user: string }
  | { does: "volume"; folder: string }
  | { does: "expose"; port: number }
  | { does: "healthcheck"; command: string[] }
  | { does: "entrypoint"; command: string[] }
  | { does: "cmd"; command: string[] };

/** Lines that go on in the next one are one, comments are none. */
const joinLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The flags (`--name=value`) before what an instruction is given, and the rest. */
const splitFlags = (text: string): { flags: [string, string][]; rest: string } => {
  const flags: [string, string][] = [];
  let rest = text;
  for (;;) {
    const flag = /^--([a-z-]+)=(\S+)\s+/.exec(rest);
    if (!flag) return { flags, rest };
    flags.push([flag[1] ?? "", flag[2] ?? ""]);
    rest = rest.slice(flag[0].length);
  }
};

/** Which flags an instruction may have here: others would have to be carried out, too. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  FROM: ["platform"],
  COPY: ["from"],
  RUN: ["mount"],
  HEALTHCHECK: ["interval", "timeout", "start-period", "retries"],
};

const readList = (text: string): string[] => {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error(`is no list: ${text}`);
  return list.map(String);
};

const readCache = (mount: string): string => {
  const target = /^type=cache,target=([^,]+)$/.exec(mount)?.[1];
  if (target === undefined) throw new Error(`a mount that is no cache: ${mount}`);
  return target;
};

const readStep = (instruction: string, flags: readonly [string, string][], rest: string): Step => {
  switch (instruction) {
    case "WORKDIR":
      return { does: "workdir", folder: rest };
    case "ENV":
      return {
        does: "env",
        variables: Object.fromEntries(
          rest.split(/\s+/).map((pair) => {
            const [name = "", ...value] = pair.split("=");
            return [name, value.join("=")];
          }),
        ),
      };
    case "COPY": {
      const names = rest.split(/\s+/);
      const target = names.pop() ?? "";
      return { does: "copy", from: flags[0]?.[1], sources: names, target };
    }
    case "RUN":
      return { does: "run", command: rest, caches: flags.map(([, mount]) => readCache(mount)) };
    case "USER":
      return { does: "user", user: rest };
    case "VOLUME":
      return { does: "volume", folder: rest };
    case "EXPOSE":
      return { does: "expose", port: Number(rest) };
    case "HEALTHCHECK":
      return { does: "healthcheck", command: readList(rest.replace(/^CMD\s+/, "")) };
    case "ENTRYPOINT":
      return { does: "entrypoint", command: readList(rest) };
    case "CMD":
      return { does: "cmd", command: readList(rest) };
    default:
      throw new Error(`unknown instruction ${instruction}`);
  }
};

/**
 * Reads as much of the Dockerfile format as the product's uses.
 * @throws Error for anything else, which a test would have to carry out as well.
 */
export const readDockerfile = (text: string): Stage[] => {
  const stages: Stage[] = [];
  for (const line of joinLines(text)) {
    const [instruction = ""] = line.split(/\s/, 1);
    const { flags, rest } = splitFlags(line.slice(instruction.length).trimStart());
    const strange = flags.find(([name]) => !FLAGS[instruction]?.includes(name));
    if (strange) throw new Error(`${instruction} with --${strange[0]}`);
    if (instruction === "FROM") {
      const [image = "", , name] = rest.split(/\s+/);
      stages.push({ image, name, steps: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`${instruction} before FROM`);
      stage.steps.push(readStep(instruction, flags, rest));
    }
  }
  return stages;
};

/**
 * Which files of a folder a build may see.
 * @param text of a .dockerignore: names, and `**` before a name for every depth.
 * @returns whether a path (with slashes, relative to the folder) is left out.
 * @throws Error for patterns with anything more in them.
 */
export const readIgnored = (text: string): ((path: string) => boolean) => {
  const patterns = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const expressions = patterns.map((pattern) => {
    if (!/^(\*\*\/)?[\w.*-]+$/.test(pattern)) throw new Error(`unknown pattern ${pattern}`);
    const name = pattern.replace(/^\*\*\//, "");
    const expression = name.replaceAll(".", "[.]").replaceAll("*", "[^/]*");
    return new RegExp(pattern === name ? `^${expression}(/|$)` : `(^|/)${expression}(/|$)`);
  });
  return (path) => expressions.some((expression) => expression.test(path));
};
