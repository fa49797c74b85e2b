import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
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
