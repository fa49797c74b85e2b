import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { renderTemplate } from "./testing/render-template";

const CHART = "deploy/helm/tollgate";

type Fields = { [name: string]: Fields };

const read = (file: string): string => readFileSync(join(CHART, file), "utf8");
const readYaml = (text: string): Fields => parse(text) as Fields;
const chart = readYaml(read("Chart.yaml"));
const validate = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(read("values.schema.json")) as object,
);

/** As helm lays the values that a person gives over those of the chart. */
const mergeValues = (base: Fields, more: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(more)])].map((name) => {
      const [one, other] = [base[name], more[name]];
      const isMerged = [one, other].every((each) => typeof each === "object" && !Array.isArray(each));
      return [name, isMerged ? mergeValues(one as Fields, other as Fields) : ((other ?? one) as Fields)];
    }),
  );

const valuesOf = (given: object): Fields => mergeValues(readYaml(read("values.yaml")), given as Fields);

/** @returns what the chart makes of these values, by kind. */
const render = (given: object): Record<string, Fields> => {
  const values = valuesOf(given);
  expect(validate(values), JSON.stringify(validate.errors)).toBe(true);
  const data = {
    Values: values,
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
    Release: { Name: "gate", Namespace: "here", Service: "Helm" },
  };
  const documents = readdirSync(join(CHART, "templates"))
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => readYaml(renderTemplate(read(`templates/${file}`), data)))
    .filter((document) => document !== null);
  return Object.fromEntries(documents.map((document) => [String(document.kind), document]));
};

const podOf = (made: Record<string, Fields>): Fields => made.Deployment!.spec!.template!.spec!;
const containerOf = (made: Record<string, Fields>): Fields => podOf(made).containers![0]!;
const SEVERAL = { database: { enabled: true }, replicas: 3, secretName: "keys" };

describe("the chart", () => {
  it("is of the product's version, and knows its variables", () => {
    expect(chart.appVersion).toBe(PRODUCT_VERSION);
    const config = readFileSync("server/config.ts", "utf8");
    const { env } = containerOf(render(SEVERAL)) as unknown as { env: { name: string }[] };
    expect(env.map(({ name }) => name).filter((name) => !config.includes(`  ${name}:`))).toEqual([]);
  });

  it("gives one gateway a volume, and never two of them", () => {
    const made = render({});
    expect(Object.keys(made).sort()).toEqual(["Deployment", "PersistentVolumeClaim", "Service"]);
    expect(made.Deployment!.spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
    expect(made.PersistentVolumeClaim!.spec!.resources).toEqual({ requests: { storage: "10Gi" } });
    expect(podOf(made).volumes).toContainEqual({
      name: "data",
      persistentVolumeClaim: { claimName: "gate" },
    });
    expect(containerOf(made).image).toBe(`tollgate:${PRODUCT_VERSION}`);
    expect(containerOf(made)).not.toHaveProperty("envFrom");
  });

  it("takes a claim that is there", () => {
    const made = render({ persistence: { existingClaim: "old" } });
    expect(made).not.toHaveProperty("PersistentVolumeClaim");
    expect(podOf(made).volumes).toContainEqual({ name: "data", persistentVolumeClaim: { claimName: "old" } });
  });

  it("has several nodes on a database, with their secrets by reference", () => {
    const made = render({ ...SEVERAL, env: { TRUSTED_PROXIES: "10.0.0.0/8" } });
    expect(Object.keys(made).sort()).toEqual(["Deployment", "Service"]);
    expect(made.Deployment!.spec).toMatchObject({ replicas: 3, strategy: { type: "RollingUpdate" } });
    expect(containerOf(made).envFrom).toEqual([{ secretRef: { name: "keys" } }]);
    expect(containerOf(made).env).toContainEqual({ name: "TRUSTED_PROXIES", value: "10.0.0.0/8" });
    expect(podOf(made).volumes).toContainEqual({ name: "data", emptyDir: {} });
  });

  it("leads its service and its ingress to the port of the pods", () => {
    const ingress = { enabled: true, host: "gate.example.com", tlsSecretName: "cert", className: "nginx" };
    const made = render({ ingress: { ...ingress, annotations: { a: "b" } }, service: { port: 80 } });
    const labels = made.Deployment!.spec!.template!.metadata!.labels!;
    expect(made.Deployment!.spec!.selector!.matchLabels).toEqual(labels);
    expect(made.Service!.spec).toMatchObject({ selector: labels, ports: [{ port: 80, targetPort: "http" }] });
    expect(containerOf(made).ports).toEqual([{ name: "http", containerPort: 3000 }]);
    expect(made.Ingress!.metadata!.annotations).toEqual({ a: "b" });
    expect(made.Ingress!.spec).toMatchObject({
      ingressClassName: "nginx",
      tls: [{ hosts: ["gate.example.com"], secretName: "cert" }],
      rules: [{ host: "gate.example.com", http: { paths: [{ backend: { service: { name: "gate" } } }] } }],
    });
  });

  it.each([
    ["one gateway", {}],
    ["several", SEVERAL],
  ])("is let in where pods are restricted: %s", (_, values) => {
    // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
    const made = render(values);
    expect(podOf(made).securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(podOf(made).automountServiceAccountToken).toBe(false);
    expect(containerOf(made).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    for (const volume of podOf(made).volumes as unknown as object[])
      expect(Object.keys(volume).filter((key) => key !== "name")[0]).toMatch(
        /^(emptyDir|persistentVolumeClaim)$/,
      );
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
      expect(containerOf(made)[probe]).toMatchObject({ httpGet: { port: "http" } });
  });

  it.each([
    ["two gateways on one folder", { replicas: 2 }],
    ["a database without its secret", { database: { enabled: true } }],
    ["a secret as a value", { env: { MASTER_KEY: "abc" } }],
    ["a password in an address", { env: { DATABASE_URL: "postgres://x:y@z/w" } }],
    ["a number, which YAML may write otherwise", { env: { BODY_LIMIT_BYTES: 1_073_741_824 } }],
    ["an ingress for every host", { ingress: { enabled: true } }],
    ["a value that it does not have", { replica: 1 }],
  ])("refuses %s", (_, values) => {
    expect(validate(valuesOf(values))).toBe(false);
  });
});
