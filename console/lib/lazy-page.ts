import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { loadTexts, type TextArea } from "./i18n";
import { isSiteReachable } from "./missing-code";

/** Timeout for loading a page's code (specification section 9). */
const CHUNK_TIMEOUT_MS = 120_000;

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("page code timed out")), CHUNK_TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * The router reloads the page if a file is missing, which finds a new deployment's files. If the server is unreachable,
 * that leads to the browser's own error page: such a failure must not look like a missing file.
 */
const explainFailure = async (error: unknown): Promise<never> => {
  if (await isSiteReachable()) throw error;
  throw new Error("page code is out of reach", { cause: error });
};

/** The name of a page in its module, the texts that it needs, and how the module is loaded. */
export type LazyPage<Module extends object> = [
  name: keyof Module & string,
  areas: readonly TextArea[],
  load: () => Promise<Module>,
];

/**
 * A page whose code and texts are loaded on the first visit. The declared type keeps the pages' own types, which depend
 * on the route tree's, out of the route tree's type.
 */
export const lazyPage = <Module extends object>(...[name, areas, load]: LazyPage<Module>): RouteComponent =>
  lazyRouteComponent(async () => {
    const [module] = await withTimeout(Promise.all([load(), loadTexts(areas)])).catch(explainFailure);
    return module as Record<string, RouteComponent>;
  }, name) as RouteComponent;
