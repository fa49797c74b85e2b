import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";

/** What a program that the product comes with is told in its environment: variables that it does not have would do nothing. */
const CONFIG = readFileSync("server/config.ts", "utf8");
const isVariable = (name: string): boolean => CONFIG.includes(`  ${name}:`);

interface Service {
  image: string;
  build?: string;
  environment?: Record<string, string>;
  networks?: string[] | Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  depends_on?: string[] | Record<string, unknown>;
  healthcheck?: { test: string[] };
}

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
}

const namesOf = (list: string[] | Record<string, unknown> = []): string[] =>
  Array.isArray(list) ? list : Object.keys(list);

describe.each(["compose.yaml", "compose.nodes.yaml"])("%s", (file) => {
  const { services, volumes, networks } = parse(readFileSync(file, "utf8"), { merge: true }) as ComposeFile;
  const gateways = Object.values(services).filter(({ build }) => build === ".");

  it("sets variables that the gateway knows, and keeps its data in a volume", () => {
    expect(gateways.length).toBe(file === "compose.yaml" ? 1 : 3);
    for (const { environment = {}, volumes: mounts = [] } of gateways) {
      expect(Object.keys(environment).filter((name) => !isVariable(name))).toEqual([]);
      expect(mounts.filter((mount) => mount.endsWith(":/data"))).toHaveLength(1);
    }
  });

  it("names services, volumes and networks that are there", () => {
    for (const service of Object.values(services)) {
      expect(namesOf(service.depends_on).filter((name) => !(name in services))).toEqual([]);
      expect(namesOf(service.networks).filter((name) => !(name in networks))).toEqual([]);
      expect((service.volumes ?? []).filter((mount) => !((mount.split(":")[0] ?? "") in volumes))).toEqual(
        [],
      );
    }
  });

  it("lets in this machine alone, and gives no secret a value", () => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127[.]0[.]0[.]1:/);
    for (const name of ["MASTER_KEY", "INITIAL_ROOT_PASSWORD", "POSTGRES_PASSWORD"])
      for (const { environment = {} } of Object.values(services))
        if (environment[name] !== undefined) expect(environment[name]).toMatch(/^\$\{/);
  });
});

describe("Caddy's settings", () => {
  const compose = parse(readFileSync("compose.nodes.yaml", "utf8")) as {
    configs: { caddyfile: { content: string } };
  };
  const ofGuide = (guide: string): string =>
    /## Caddy\n.*?```\n(.*?)```/s.exec(readFileSync(`docs/guides/${guide}.md`, "utf8"))?.[1] ?? "";

  // Caddy leaves out Authorization alone: clients send their keys as x-api-key, x-goog-api-key and ?key= as well.
  it.each([
    ["compose.nodes.yaml", compose.configs.caddyfile.content],
    ["behind-a-proxy.md", ofGuide("behind-a-proxy")],
    ["several-nodes.md", ofGuide("several-nodes")],
  ])("in %s keep clients' keys out of its whole log", (_, settings) => {
    const globalBlock = settings.replace(/^#.*\n/, "").split(/^}$/m)[0] ?? "";
    expect(globalBlock).toMatch(/^[{]\n/);
    expect(globalBlock).toMatch(/log [{]\s+format filter [{]/);
    expect(globalBlock).toContain("request>headers delete");
    expect(globalBlock).toContain('request>uri regexp "[?].*" ""');
  });
});

describe.each(["release", "checks", "nightly"])("the workflow of %s", (name) => {
  const text = readFileSync(`.github/workflows/${name}.yaml`, "utf8");
  const workflow = parse(text) as {
    permissions: Record<string, string>;
    jobs: Record<string, { permissions?: unknown; if?: string; steps: { uses?: string; run?: string }[] }>;
  };
  /** The one job that may write, and only once everything else has passed for a tag. */
  const { publish, ...others } = workflow.jobs;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it("runs actions by commit, may read alone, and knows no secret, but where it publishes a tag", () => {
    for (const { uses } of steps)
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    expect(workflow.permissions).toEqual({ contents: "read" });
    for (const job of Object.values(others)) expect(job).not.toHaveProperty("permissions");
    expect(JSON.stringify(others)).not.toMatch(/secrets[.]|npm publish|docker push|skopeo copy|helm push/);
    if (publish === undefined) return;
    expect(publish.if).toBe("github.ref_type == 'tag'");
    expect(publish).toMatchObject({ needs: Object.keys(others) });
  });

  it("runs scripts that there are", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
    const named = steps.flatMap(({ run = "" }) =>
      [...run.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(named).toContain("test");
    const ofNpm = new Set(["install", "pkg", "publish", "sbom"]);
    expect(named.filter((name = "") => !(name in scripts) && !ofNpm.has(name))).toEqual([]);
  });
});

describe("the workflow of a release", () => {
  interface Step {
    name?: string;
    run?: string;
  }
  const { jobs } = parse(readFileSync(".github/workflows/release.yaml", "utf8")) as {
    jobs: Record<string, { needs?: string | string[]; strategy?: { matrix: object }; steps: Step[] }>;
  };
  const runOf = (job: string, name: string): string =>
    jobs[job]?.steps.find((step) => step.name?.includes(name))?.run ?? "";
  const DIGEST = `sha256:${"a1".repeat(32)}`;

  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-release-"));
    copyFileSync("Dockerfile", join(folder, "Dockerfile"));
    // Prints what the commands print that the steps read, and notes how it was called.
    const docker = `#!/bin/sh
echo "$*" >> calls.txt
case "$*" in
  *inspect*) printf 'Name: docker.io/library/x\\nDigest:    ${DIGEST}\\n\\nManifests:\\n  Digest: none\\n' ;;
  *dest=*/exported*) mkdir -p exported; touch exported/sbom.spdx.json exported/provenance.json ;;
esac
`;
    writeFileSync(join(folder, "docker"), docker, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs steps as the runner does. @returns how they called docker. */
  const runSteps = (...scripts: string[]): string[] => {
    for (const script of scripts)
      execFileSync(
        "bash",
        ["-e", "-c", script.replaceAll(/[$][{]{2} matrix[.]architecture [}]{2}/g, "amd64")],
        {
          cwd: folder,
          env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, RUNNER_TEMP: folder },
        },
      );
    return readFileSync(join(folder, "calls.txt"), "utf8").trim().split("\n");
  };

  it("tests the product on each supported version of Node", () => {
    expect(jobs.test?.strategy?.matrix).toEqual({ node: ["20", "22", "24"] });
  });

  it("builds each image on bases by digest, with a bill of materials and full provenance", () => {
    const bases = [...readFileSync("Dockerfile", "utf8").matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(
      ([, tag]) => tag,
    );
    const calls = runSteps(runOf("bases", "digests"), runOf("image", "attestations"));
    const built = calls.filter((call) => call.startsWith("buildx build"));
    expect(built).toHaveLength(3);
    for (const call of built)
      for (const tag of bases)
        expect(call).toContain(`--build-context ${tag}=docker-image://${tag}@${DIGEST} `);
    for (const call of built.filter((one) => !one.includes("--load")))
      expect(call).toContain("--sbom=true --provenance=mode=max --output ");
    for (const kind of ["spdx", "provenance"])
      expect(existsSync(join(folder, `tollgate-image-amd64.${kind}.json`)), kind).toBe(true);
  });

  it("stops when a base has no digest", () => {
    writeFileSync(join(folder, "docker"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(() => runSteps(runOf("bases", "digests"))).toThrow();
  });

  it("publishes the package with provenance, and its bill of materials beside it", () => {
    expect(runOf("publish", "The package")).toContain("--provenance");
    expect(runOf("package", "bill of materials")).toContain("npm sbom");
  });
});

describe("the service of systemd", () => {
  const unit = readFileSync("deploy/systemd/tollgate.service", "utf8");
  const settings = unit
    .split("\n")
    .filter((line) => /^\w+=/.test(line))
    .map((line): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
  const settingsOf = (name: string): string[] =>
    settings.flatMap(([key, value]) => (key === name ? [value] : []));

  it("keeps its data in the folder that is its own, and waits for answers under way", () => {
    const [folder] = settingsOf("StateDirectory");
    expect(settingsOf("WorkingDirectory")).toEqual([`/var/lib/${folder}`]);
    expect(settingsOf("Environment").join(" ")).toContain(`DATA_DIR=/var/lib/${folder}`);
    expect(settingsOf("StateDirectoryMode")).toEqual(["0700"]);
    const variables = settingsOf("Environment").flatMap((value) =>
      value.split(" ").map((pair) => pair.split("=")[0]),
    );
    expect(variables.filter((name = "") => name !== "NODE_ENV" && !isVariable(name))).toEqual([]);
    expect(Number(settingsOf("TimeoutStopSec")[0])).toBeGreaterThan(30);
  });

  it("may do little", () => {
    for (const name of ["NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "DynamicUser"])
      expect(settingsOf(name), name).toEqual(["yes"]);
    expect(settingsOf("ProtectSystem")).toEqual(["strict"]);
    expect(settingsOf("CapabilityBoundingSet")).toEqual([""]);
    // V8 writes machine code, and the start lists the machine's addresses.
    expect(settingsOf("MemoryDenyWriteExecute")).toEqual([]);
    expect(settingsOf("RestrictAddressFamilies")[0]).toContain("AF_NETLINK");
  });
});

describe("the guide to upgrade", () => {
  it("stops a gateway before files are replaced under it, which it may load late", () => {
    const rows = readFileSync("docs/guides/upgrade.md", "utf8")
      .split("\n")
      .filter((line) => /^\|.*(?:npm install|git pull)/.test(line));
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/stop.*(?:npm install|git pull).*start/);
  });
});
