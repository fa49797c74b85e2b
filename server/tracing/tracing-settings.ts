import { stripEnd } from "@tollgate/contract/values/strip-end";
import { z } from "zod/mini";
import { SAMPLERS, type SamplerName } from "./sampler";

/** Destination and selection of spans. */
export interface TracingSettings {
  /** The collector's address for traces. */
  endpoint: string;
  /** Sent with every batch; may hold a secret. */
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Attributes that identify this process, including `service.name`. */
  resource: Readonly<Record<string, string>>;
  sampler: SamplerName;
  ratio: number;
  /** Upstreams receive the trace context. */
  sendsContext: boolean;
}

/** With a name and a password in it nothing could be sent, and the error would repeat them. */
const hasNoPassword = (text: string): boolean => {
  const { username, password } = URL.canParse(text) ? new URL(text) : { username: "", password: "" };
  return username === "" && password === "";
};

const address = z.optional(
  z.url({ protocol: /^https?$/, error: "must be an address with http:// or https://" }).check(
    z.refine(hasNoPassword, {
      error:
        "must be without a name and a password: set OTEL_EXPORTER_OTLP_HEADERS to Authorization=Basic%20…",
    }),
  ),
);

const SCHEMA = z.object({
  OTEL_SDK_DISABLED: z._default(z.string(), "false"),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.optional(
    z.enum(["http/json", "http/protobuf"], {
      error:
        "only OTLP over HTTP is spoken, as JSON: set http/json, and the collector's address for it (port 4318)",
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: z._default(z.string(), ""),
  OTEL_EXPORTER_OTLP_TIMEOUT: z._default(
    z.coerce.number().check(z.int(), z.positive(), z.lte(600_000)),
    10_000,
  ),
  OTEL_SERVICE_NAME: z.optional(z.string()),
  OTEL_RESOURCE_ATTRIBUTES: z._default(z.string(), ""),
  OTEL_TRACES_SAMPLER: z._default(z.enum(SAMPLERS), "parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z._default(z.coerce.number().check(z.gte(0), z.lte(1)), 1),
  TRACE_UPSTREAMS: z._default(z.enum(["0", "1"]), "0"),
});

/** `a=1,b=2`, percent-encoded (https://www.w3.org/TR/baggage/#header-content); invalid pairs are omitted. */
const readPairs = (text: string): Record<string, string> => {
  const pairs: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const at = pair.indexOf("=");
    if (at < 1) continue;
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    try {
      pairs[decodeURIComponent(name)] = decodeURIComponent(value);
    } catch {
      pairs[name] = value;
    }
  }
  return pairs;
};

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Reads OpenTelemetry's own variables, as far as they concern traces.
 * @returns undefined where no collector is named; or one line for each variable that cannot be used. No line repeats a value.
 */
export const readTracingSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): TracingSettings | { faults: string[] } | undefined => {
  const isNamed =
    environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined;
  if (!isNamed || environment.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  const parsed = SCHEMA.safeParse(environment);
  if (!parsed.success)
    return { faults: parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) };
  const env = parsed.data;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${stripEnd(base ?? "", "/")}/v1/traces`;
  const headers = readPairs(env.OTEL_EXPORTER_OTLP_HEADERS);
  const isSendable = Object.entries(headers).every(
    ([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value),
  );
  if (!isSendable)
    return {
      faults: [
        "OTEL_EXPORTER_OTLP_HEADERS: must be name=value pairs with commas between, of printable characters",
      ],
    };
  const resource = readPairs(env.OTEL_RESOURCE_ATTRIBUTES);
  return {
    endpoint,
    headers,
    timeoutMs: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: {
      ...resource,
      "service.name": env.OTEL_SERVICE_NAME ?? resource["service.name"] ?? "tollgate",
    },
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    sendsContext: env.TRACE_UPSTREAMS === "1",
  };
};
