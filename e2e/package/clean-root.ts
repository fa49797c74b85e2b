import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import type { Stage, Step } from "./dockerfile";

/*
 * Carries out the stages of a Dockerfile where there is no container engine: each in a root folder of its own, with this
 * machine's Debian, read-only, in place of the image's (unshare, mount, chroot). It needs Linux and root.
 */

/** What this machine may have and a small image has not: a package that would compile something must not find it. */
const HIDDEN = ["node", "nodejs", "npm", "npx", "gcc", "g++", "cc", "c++", "make", "python3"];

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What reaching the package registry may need, as `docker build` passes on the variables of a proxy. */
const PASSED = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_registry)$/i;

const folders = new Set<string>();

/** Takes away all roots; what runs in one must have ended. */
export const removeRoots = (): void => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
};

/** What the build begins with. */
export interface BuildInput {
  /** The folder that COPY takes from, and what of it is left out. */
  context: string;
  isIgnored: (path: string) => boolean;
  /** Node and the folder of npm that an image `node:<major>-…` has. */
  nodeOf: (major: string) => { node: string; npm: string };
}

/** A stage that was carried out: what it left, and how a container of it starts. */
export interface CleanRoot {
  env: Readonly<Record<string, string>>;
  user: string;
  entrypoint: readonly string[];
  cmd: readonly string[];
  healthcheck: readonly string[];
  ports: readonly number[];
  volumes: readonly string[];
  /** Where a path of the stage stands on this machine. */
  pathOf(path: string): string;
  /** What starts a program in the stage as its user, on this machine: one process, which it becomes. */
  commandLine(command: readonly string[], env?: Record<string, string>): [string, ...string[]];
}

/** Mounts what the stage sees ("from>to" each), and becomes the program. */
const ENTER = `
set -e
root=$1 local=$2 user=$3 workdir=$4 mounts=$5
shift 5
mount --rbind /usr "$root/usr"
mount -o remount,bind,ro "$root/usr"
mount --bind "$local" "$root/usr/local"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
for name in ${HIDDEN.join(" ")}; do
  if [ -e "$root/usr/bin/$name" ]; then mount --bind /dev/null "$root/usr/bin/$name"; fi
done
printf '%s\\n' "$mounts" | while IFS='>' read -r from to; do
  if [ -n "$from" ]; then mount --bind "$from" "$root$to"; fi
done
exec chroot --userspec="$user" "$root" /usr/bin/env -i -C "$workdir" "$@"
`;

const passedVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      PASSED.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

const runToEnd = ([program, ...args]: [string, ...string[]]): Promise<{ status: number; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });

/** The empty root of an image: the folders that a Debian has, and Node with npm where the image is Node's. */
const layOut = (image: string, { nodeOf }: BuildInput) => {
  const root = mkdtempSync(join(tmpdir(), "tollgate-root-"));
  folders.add(root);
  // A process that is not root has to be able to enter it.
  chmodSync(root, 0o755);
  for (const folder of ["usr", "proc", "dev", "etc/ssl", "root", "var/tmp", "tmp"])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  for (const folder of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${folder}`, join(root, folder));
  for (const file of ["resolv.conf", "hosts", "nsswitch.conf"])
    if (existsSync(`/etc/${file}`)) cpSync(`/etc/${file}`, join(root, "etc", file), { dereference: true });
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\n");
  const local = `${root}.local`;
  folders.add(local);
  for (const folder of ["bin", "lib/node_modules"]) mkdirSync(join(local, folder), { recursive: true });
  chmodSync(local, 0o755);
  const mounts: [string, string][] = [["/etc/ssl", "/etc/ssl"]];
  const major = /^node:(\d+)-/.exec(image)?.[1];
  if (major !== undefined) {
    const { node, npm } = nodeOf(major);
    cpSync(node, join(local, "bin/node"));
    mkdirSync(join(local, "lib/node_modules/npm"));
    mounts.push([npm, "/usr/local/lib/node_modules/npm"]);
    for (const name of ["npm", "npx"])
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  }
  return { root, local, mounts };
};

const npmCache = (): string => {
  const folder = process.env.npm_config_cache ?? join(homedir(), ".npm");
  mkdirSync(folder, { recursive: true });
  return folder;
};

/**
 * Carries out one stage.
 * @param earlier what stages before it left, by name
 * @throws Error with what a step printed that failed.
 */
export const buildStage = async (
  stage: Stage,
  input: BuildInput,
  earlier: ReadonlyMap<string, CleanRoot>,
): Promise<CleanRoot> => {
  const { root, local, mounts } = layOut(stage.image, input);
  const made = {
    env: { PATH } as Record<string, string>,
    user: "0:0",
    workdir: "/",
    entrypoint: [] as string[],
    cmd: [] as string[],
    healthcheck: [] as string[],
    ports: [] as number[],
    volumes: [] as string[],
  };

  const pathOf = (path: string): string =>
    path.startsWith("/usr/local/") ? join(local, path.slice("/usr/local/".length)) : join(root, path);

  const commandLine = (
    command: readonly string[],
    env: Record<string, string> = {},
    more: readonly [string, string][] = [],
  ): [string, ...string[]] => {
    const lines = [...mounts, ...more].map(([from, to]) => `${from}>${to}`).join("\n");
    const variables = Object.entries({ ...made.env, ...env }).map(([name, value]) => `${name}=${value}`);
    const place = [root, local, made.user, made.workdir, lines];
    return ["unshare", "--mount", "sh", "-c", ENTER, "sh", ...place, ...variables, ...command];
  };

  const copy = ({ from, sources, target }: Extract<Step, { does: "copy" }>): void => {
    const isAbsolute = target.startsWith("/");
    const to = pathOf(isAbsolute ? target : join(made.workdir, target));
    const other = from === undefined ? undefined : earlier.get(from);
    if (from !== undefined && !other) throw new Error(`COPY from a stage ${from} that is not there`);
    for (const source of sources) {
      const path = other ? other.pathOf(source) : join(input.context, source);
      const isFolder = statSync(path).isDirectory();
      const isInto = !isFolder && target.endsWith("/");
      cpSync(path, isInto ? join(to, basename(path)) : to, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => other !== undefined || !input.isIgnored(relative(input.context, file)),
      });
    }
  };

  const run = async ({ command, caches }: Extract<Step, { does: "run" }>): Promise<void> => {
    // Of caches there is npm's alone, and this machine has one already.
    const more = caches.map((folder): [string, string] => {
      mkdirSync(pathOf(folder), { recursive: true });
      return [npmCache(), folder];
    });
    const env = { HOME: "/root", npm_config_prefer_offline: "true", ...passedVariables() };
    const { status, output } = await runToEnd(commandLine(["/bin/sh", "-c", command], env, more));
    if (status !== 0) throw new Error(`RUN ${command}\nended with ${status}:\n${output}`);
  };

  for (const step of stage.steps) {
    if (step.does === "workdir") {
      made.workdir = step.folder;
      mkdirSync(pathOf(step.folder), { recursive: true });
    } else if (step.does === "env") Object.assign(made.env, step.variables);
    else if (step.does === "copy") copy(step);
    else if (step.does === "run") await run(step);
    else if (step.does === "user") made.user = step.user;
    else if (step.does === "volume") made.volumes.push(step.folder);
    else if (step.does === "expose") made.ports.push(step.port);
    else made[step.does] = step.command;
  }
  const { env, user, entrypoint, cmd, healthcheck, ports, volumes } = made;
  return { env, user, entrypoint, cmd, healthcheck, ports, volumes, pathOf, commandLine };
};
