import type { Options } from "./options";

/**
 * Whether the site keeps the content of requests and answers. Without a log of consumption it keeps none either: they
 * could not be found.
 */
export const storesBodies = (options: Pick<Options, "isOn">): boolean =>
  options.isOn("BodyLogEnabled") && options.isOn("LogConsumeEnabled");
