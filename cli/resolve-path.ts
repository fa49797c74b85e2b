import { resolve } from "node:path";

/** A path that a person typed: npm runs a script in its package's folder, and says where the person is. */
export const resolvePath = (environment: NodeJS.ProcessEnv, path: string): string =>
  resolve(environment.INIT_CWD ?? process.cwd(), path);
