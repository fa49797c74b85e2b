import { type ChildProcess, execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { type Product, startProduct } from "@tollgate/demo/start-product";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { someOf, TRIES_ALL } from "@tollgate/testkit/seeds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildStage, type CleanRoot, removeRoots } from "./clean-root";
import { readDockerfile, readIgnored } from "./dockerfile";
import { installNodes, NODE_MAJORS } from "./install-nodes";
import { runNpm } from "./npm";
import { tryGateway } from "./try-gateway";

/*
 * What people get who have no checkout: the package, installed from its tarball, on each Node; and the image, by what its Dockerfile
 * does. Both are made once.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const children = new Set<ChildProcess>();

/** Everything that this file writes; it goes at the end. */
const folder = mkdtempSync(join(tmpdir(), "tollgate-package-"));
/** An empty folder that a person installs the package in. */
const home = join(folder, "home");
const installed = join(home, "node_modules/tollgate");
const bin = join(installed, "dist/server/tollgate.js");

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;

/** The oldest, unless all cases are tried. */
const MAJORS = someOf(NODE_MAJORS);

let tarball: string;
let nodes: ReadonlyMap<string, string>;
let upstream: FakeUpstream;

/** The program of a Node that was installed. */
const nodeOf = (major: string): string => {
  const node = nodes.get(major);
  if (node === undefined) throw new Error(`Node ${major} is not installed`);
  return node;
};

const makeFolder = (...names: string[]): string => {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  return path;
};

beforeAll(async () => {
  makeFolder("home");
  writeFileSync(join(home, "package.json"), '{"private":true}');
  const pack = async (): Promise<void> => {
    await run(process.execPath, [join(ROOT, "tools/package.mjs"), "--out", join(folder, "packed")]);
    tarball = join(folder, "packed", readdirSync(join(folder, "packed"))[0] ?? "");
    await runNpm(home, "install", tarball);
  };
  [nodes, upstream] = await Promise.all([installNodes(MAJORS), startFakeUpstream(), pack()]);
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await upstream?.close();
  removeRoots();
  rmSync(folder, { recursive: true, force: true });
  // Thousands of files, on a disk that others keep busy.
});

const start = (command: readonly [string, ...string[]], env: Record<string, string>): Promise<Product> =>
  startProduct(command, { HOST: "127.0.0.1", ...env }, (child) => children.add(child));

const stop = async (product: Product): Promise<void> => {
  product.child.kill("SIGTERM");
  expect(await product.ended, product.stderr).toBe(0);
};

describe("the package", () => {
  it("asks for exact versions of few packages, none of which runs a script", () => {
    const { dependencies, version, ...manifest } = readJson(join(installed, "package.json"));
    expect(version).toBe(PRODUCT_VERSION);
    expect(manifest).not.toHaveProperty("workspaces");
    expect(manifest).not.toHaveProperty("devDependencies");
    expect(manifest).not.toHaveProperty("scripts");
    expect(Object.keys(dependencies as object).sort()).toEqual([
      "@node-rs/argon2",
      "@node-rs/bcrypt",
      "libsql",
    ]);
    for (const wanted of Object.values(dependencies as object)) expect(wanted).toMatch(/^\d+[.]\d+[.]\d+$/);
    const { packages } = readJson(join(home, "node_modules/.package-lock.json"));
    expect(
      Object.entries(packages as Record<string, object>).filter(([, each]) => "hasInstallScript" in each),
    ).toEqual([]);
  });

  it("names its licences and its contents", () => {
    const licences = readFileSync(join(installed, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const name of ["fastify", "pino", "pg", "react", "zod"])
      expect(licences).toMatch(
        new RegExp(`^${name} \\d[^\\n]*\\n\\n.*?(MIT|Permission is hereby granted)`, "ms"),
      );
    for (const file of ["LICENSE", "README.md", "README.zh-CN.md", "CHANGELOG.md", "docs/guides/install.md"])
      expect(existsSync(join(installed, file)), file).toBe(true);
  });

  it("takes no more room than its budget (e2e/package/package-budget.json)", () => {
    const budget = readJson(fileURLToPath(new URL("package-budget.json", import.meta.url))) as {
      installed: { maxMib: number; maxFiles: number };
      tarball: { maxMib: number };
    };
    const files = readdirSync(join(home, "node_modules"), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    const mib = (count: number): number => Math.ceil(count / 1024 ** 2);
    const found = { mib: mib(bytes), files: files.length, tarballMib: mib(statSync(tarball).size) };
    expect(found.mib, JSON.stringify(found)).toBeLessThanOrEqual(budget.installed.maxMib);
    expect(found.files, JSON.stringify(found)).toBeLessThanOrEqual(budget.installed.maxFiles);
    expect(found.tarballMib, JSON.stringify(found)).toBeLessThanOrEqual(budget.tarball.maxMib);
  });

  it("has its command where npx finds it", async () => {
    expect((await runNpm(home, "exec", "--no", "tollgate", "--", "--version")).trim()).toBe(PRODUCT_VERSION);
  });
});

describe("the package on a Node, in an empty folder, without a compiler", () => {
  it.concurrent.each(MAJORS)("serves, relays and has its books in order on Node %s", async (major) => {
    const here = makeFolder(`on-${major}`);
    const node = nodeOf(major);
    // Nothing else is on the path: no npm, no compiler.
    const env = { PATH: dirname(node), PORT: "0" };
    const inHere = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', here, node, bin] as const;
    const product = await start([...inHere, "start"], env);
    try {
      await tryGateway(product, upstream);
      const [program, ...args] = inHere;
      const doctor = await run(program, [...args, "doctor"], { env });
      expect(doctor.stdout).toContain("Every balance is what was granted less what was settled");
    } finally {
      await stop(product);
    }
    expect(readdirSync(here)).toEqual(["data"]);
  });
});

const canMount = process.platform === "linux" && process.getuid?.() === 0;

// Builds the product a second time, from a separate installation.
describe.runIf(canMount && TRIES_ALL)(
  "the image, built from the Dockerfile step by step in a clean root",
  () => {
    let image: CleanRoot;
    let packed: string[];

    beforeAll(async () => {
      const npm = dirname(dirname(process.env.npm_execpath ?? realpathSync(await whereIs("npm"))));
      const stages = readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
      const earlier = new Map<string, CleanRoot>();
      for (const stage of stages) {
        image = await buildStage(
          stage,
          {
            context: ROOT,
            isIgnored: readIgnored(readFileSync(join(ROOT, ".dockerignore"), "utf8")),
            nodeOf: (major) => ({ node: nodeOf(major), npm }),
          },
          earlier,
        );
        if (stage.name !== undefined) earlier.set(stage.name, image);
      }
      const made = earlier.get("package")?.pathOf("/package") ?? "";
      packed = readdirSync(made).map((file) => join(made, file));
    });

    const whereIs = async (program: string): Promise<string> =>
      (await run("/bin/sh", ["-c", `command -v ${program}`])).stdout.trim();

    it("has the same files in its package as this checkout makes", async () => {
      const list = async (path: string): Promise<string[]> =>
        (await run("tar", ["tzf", path])).stdout
          .split("\n")
          // The hashes in names differ with the folder that they were built in.
          .map((file) => file.replace(/-[\w-]{8}[.]js/, ".js"))
          .sort();
      expect(packed).toHaveLength(1);
      expect(await list(packed[0] ?? "")).toEqual(await list(tarball));
    });

    it("runs as a user other than root, listens to its network, and keeps its data in a volume", () => {
      expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(image.env).toMatchObject({ HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data" });
      expect(image.ports).toEqual([3000]);
      expect(image.volumes).toEqual(["/data"]);
      expect(statSync(image.pathOf("/data")).mode & 0o777).toBe(0o700);
    });

    it("starts, relays, is healthy, and has its books in order", async () => {
      const port = await freePort();
      const env = { HOST: "127.0.0.1", PORT: String(port) };
      const product = await start(image.commandLine([...image.entrypoint, ...image.cmd], env), {});
      try {
        await tryGateway(product, upstream);
        for (const command of [[...image.healthcheck], [...image.entrypoint, "doctor"]]) {
          const [program, ...args] = image.commandLine(command, env);
          await run(program, args);
        }
        const owner = statSync(image.pathOf("/data/tollgate.db")).uid;
        expect(image.user).toMatch(new RegExp(`^${owner}:`));
      } finally {
        await stop(product);
      }
      const [program, ...args] = image.commandLine([...image.healthcheck], env);
      await expect(run(program, args)).rejects.toMatchObject({ code: 1 });
    });

    it("has neither npm nor build-only files", () => {
      expect(existsSync(image.pathOf("/usr/local/bin/npm"))).toBe(false);
      expect(existsSync(image.pathOf("/usr/local/lib/node_modules/npm"))).toBe(false);
      expect(existsSync(image.pathOf("/source"))).toBe(false);
    });

    /** A free port of this machine. */
    const freePort = async (): Promise<number> => {
      const server = createServer();
      const port = Number(new URL(await listenOnLoopback(server)).port);
      await new Promise((resolve) => server.close(resolve));
      return port;
    };
  },
);
