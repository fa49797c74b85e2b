import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { loadTexts, type TextArea } from "./i18n";
import { isSiteReachable } from "./missing-code";

/** How long a page's code may take to arrive (specification section 9). */
const CHUNK_TIMEOUT_MS = 120_000;

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("page code timed out")), CHUNK_TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * The router loads the page again when a file is gone, which finds a new deployment's files. Where nothing answers it
 * would only trade the console for the browser's own error page: there the failure must not look like a missing file.
 */
const explainFailure = async (error: unknown): Promise<never> => {
  if (await isSiteReachable()) throw error;
  throw new Error("page code is out of reach", { cause: error });
};

/**
 * A page whose code and texts are fetched when it is first visited. The declared type keeps the pages' own types out
 * of the route tree's, which they in turn depend on.
 */
export const lazyPage = <Module extends object>(
  load: () => Promise<Module>,
  name: keyof Module & string,
  ...areas: TextArea[]
): RouteComponent =>
  lazyRouteComponent(async () => {
    const [module] = await withTimeout(Promise.all([load(), loadTexts(areas)])).catch(explainFailure);
    return module as Record<string, RouteComponent>;
  }, name) as RouteComponent;
