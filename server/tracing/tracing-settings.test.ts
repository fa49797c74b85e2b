import { describe, expect, it } from "vitest";
import { readTracingSettings } from "./tracing-settings";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

const faultsOf = (environment: Record<string, string>): string[] => {
  const read = readTracingSettings({ ...ENDPOINT, ...environment });
  return read && "faults" in read ? read.faults : [];
};

describe("the settings of traces", () => {
  it("are none without a collector, or where OpenTelemetry is switched off", () => {
    expect(readTracingSettings({})).toBeUndefined();
    expect(readTracingSettings({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toBeUndefined();
    expect(readTracingSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined();
  });

  it("are those of OpenTelemetry's variables", () => {
    expect(
      readTracingSettings({
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20abc%3D, x-tenant = 7,nothing",
        OTEL_SERVICE_NAME: "gateway",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod,service.name=other",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.1",
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        TRACE_UPSTREAMS: "1",
      }),
    ).toEqual({
      endpoint: "http://collector:4318/v1/traces",
      headers: { Authorization: "Basic abc=", "x-tenant": "7" },
      timeoutMs: 500,
      resource: { "service.name": "gateway", "deployment.environment.name": "prod" },
      sampler: "parentbased_traceidratio",
      ratio: 0.1,
      sendsContext: true,
    });
  });

  it("take an address for traces alone as it is, and have the documented defaults", () => {
    const address = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c.example/otlp" };
    expect(readTracingSettings(address)).toEqual({
      endpoint: "https://c.example/otlp",
      headers: {},
      timeoutMs: 10_000,
      resource: { "service.name": "tollgate" },
      sampler: "parentbased_always_on",
      ratio: 1,
      sendsContext: false,
    });
  });

  it("name the unusable variable, and never its value", () => {
    expect(faultsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_PROTOCOL: only OTLP over HTTP/),
    ]);
    expect(faultsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" })).toEqual([]);
    expect(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:pa55@collector:4318" })).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT: (?!.*pa55).*without a name and a password/),
    ]);
    expect(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" })[0]).toMatch(
      /^OTEL_EXPORTER_OTLP_ENDPOINT:/,
    );
    expect(faultsOf({ OTEL_TRACES_SAMPLER: "jaeger_remote" })[0]).toMatch(/^OTEL_TRACES_SAMPLER:/);
    expect(faultsOf({ OTEL_TRACES_SAMPLER_ARG: "2" })[0]).toMatch(/^OTEL_TRACES_SAMPLER_ARG:/);
    const [fault] = faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: "a=secret%0d%0ab: c" });
    expect(fault).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS:/);
    expect(fault).not.toContain("secret");
  });
});
