import type { Asked, ClientApi, Endpoint } from "@tollgate/contract/relay/client-api";
import createFinder, { type HTTPMethod } from "find-my-way";

/** The endpoint at an address, and its API. */
export interface Found {
  readonly api: ClientApi;
  readonly asked: Asked;
}

/** Finds an address's endpoint; undefined for an unknown address. @param query the part after the "?". */
export type Router = (method: string, path: string, query: string) => Found | undefined;

interface Declared {
  readonly api: ClientApi;
  readonly path: string;
  readonly asked: Endpoint["asked"];
}

/**
 * Stands in the table for every method that no endpoint declares, so that an endpoint of any method is not kept for each
 * of the 34 methods of HTTP.
 */
const OTHER_METHOD = "OPTIONS";

/** Names of models are as long as bodies allow them to be. */
const LONGEST_PART = 1_000_000;

/** Fixed addresses by method: they are almost all requests, and a tree would be slower. */
class FixedAddresses {
  private readonly byMethod = new Map<string, Map<string, Found>>();

  add(method: string, path: string, found: Found): void {
    const known = this.byMethod.get(method) ?? new Map<string, Found>();
    this.byMethod.set(method, known.set(path, found));
  }

  find(method: string, path: string): Found | undefined {
    return this.byMethod.get(method)?.get(path);
  }
}

/**
 * The one table of all addresses of all APIs. A fixed segment takes precedence over a name, and a name over "*"; two
 * endpoints at one address are an error.
 */
export const createRouter = (apis: readonly ClientApi[]): Router => {
  const finder = createFinder({ maxParamLength: LONGEST_PART });
  const fixed = new FixedAddresses();
  const noHandler = (): void => {};
  const all = apis.flatMap((api) => api.endpoints.map((endpoint) => ({ api, endpoint })));
  const taken = new Set(all.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`));
  const declared = new Set<string>(
    all.map(({ endpoint }) => endpoint.method).filter((method) => method !== "any"),
  );
  const kept = [...declared, OTHER_METHOD];
  for (const { api, endpoint } of all) {
    const { method, path, asked } = endpoint;
    const methods = method === "any" ? kept.filter((other) => !taken.has(`${other} ${path}`)) : [method];
    finder.on(methods as HTTPMethod[], path, noHandler, { api, path, asked });
    if (typeof asked === "function" || path.includes("*")) continue;
    const found: Found = { api, asked };
    for (const one of methods) fixed.add(one, path, found);
  }
  return (sentMethod, path, query) => {
    const method = declared.has(sentMethod) ? sentMethod : OTHER_METHOD;
    const known = fixed.find(method, path);
    if (known) return known;
    // Paths count as they are written: escapes are not undone, so that an escaped slash is a part of a name.
    const route = finder.find(method as HTTPMethod, path.replace(/[%#]/g, encodeURIComponent));
    if (!route) return undefined;
    const { api, path: pattern, asked } = route.store as Declared;
    // No name begins with a slash: one was written twice.
    if (pattern.endsWith("/*") && route.params["*"]?.startsWith("/")) return undefined;
    const answered = typeof asked === "function" ? asked(route.params, query) : asked;
    return answered && { api, asked: answered };
  };
};
