import type { Options } from "./options";

/**
 * Whether the site keeps what requests and answers say. A site that writes no log of what was used keeps no bodies
 * either: they could not be found.
 */
export const storesBodies = (options: Pick<Options, "isOn">): boolean =>
  options.isOn("BodyLogEnabled") && options.isOn("LogConsumeEnabled");
