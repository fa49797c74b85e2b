/// <reference types="vite/client" />
import { bindByCode, signInByCode, signInByRedirect } from "@tollgate/contract/api/sign-in";
import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "guard" in value;

/** Endpoints of a module: its exports, and those in an object of calls. */
const endpointsOf = (exported: unknown): Endpoint[] => {
  if (isEndpoint(exported)) return [exported];
  if (typeof exported !== "object" || exported === null || Array.isArray(exported)) return [];
  return Object.values(exported).flatMap((value) =>
    isEndpoint(value)
      ? [value]
      : typeof value === "object" && value !== null && "calls" in value
        ? endpointsOf(value.calls)
        : [],
  );
};

const MODULES = import.meta.glob<Record<string, unknown>>(
  ["../contract/api/*.ts", "!../contract/api/*.test.ts"],
  {
    eager: true,
  },
);

const oauthEndpoints: readonly unknown[] = SIGN_IN_METHODS.flatMap((method): unknown[] =>
  method.entry.kind === "redirect" ? [signInByRedirect(method)] : [signInByCode(method), bindByCode(method)],
);

/** All endpoints of the management API, as the contract declares them. */
export const DECLARED_ENDPOINTS: readonly Endpoint[] = [
  ...Object.values(MODULES).flatMap((exports) => Object.values(exports)),
  ...oauthEndpoints,
].flatMap(endpointsOf);

const segmentsOf = (path: string): string[] => (path.split("?")[0] ?? "").split("/").filter(Boolean);

/** The endpoint that answers a path; the one with the most literal segments where several fit. */
export const findEndpoint = (method: string, path: string): Endpoint | undefined => {
  const asked = segmentsOf(path);
  const fitting = DECLARED_ENDPOINTS.filter((endpoint) => {
    const declared = segmentsOf(endpoint.path);
    return (
      endpoint.method === method &&
      declared.length === asked.length &&
      declared.every((segment, index) => segment.startsWith(":") || segment === asked[index])
    );
  });
  const parametersOf = ({ path: declared }: Endpoint): number => declared.split(":").length;
  return fitting.sort((a, b) => parametersOf(a) - parametersOf(b))[0];
};
