import * as z from "zod/mini";

/** Placeholder in the built page until a server fills in an address: then config.json is read. */
const ASK_FILE = "config.json";

const configSchema = z.object({ apiBaseUrl: z.catch(z.string(), "") });

const withoutSlash = (address: string): string => address.replace(/\/+$/, "");

let baseAddress = withoutSlash(import.meta.env.VITE_API_BASE_URL ?? "");

/** The gateway's address without a trailing slash; "" means the console's own origin (specification section 7). */
export const apiBaseUrl = (): string => baseAddress;

/** The address in config.json; "" if it is missing, as on servers that answer unknown paths with the page. */
const readConfigFile = async (): Promise<string> => {
  try {
    const response = await fetch(`/${ASK_FILE}`);
    return configSchema.parse(await response.json()).apiBaseUrl;
  } catch {
    return "";
  }
};

/**
 * Finds the gateway's address: in the page if its server has filled it in, else in config.json beside the built files,
 * else in the build variable VITE_API_BASE_URL, else the console's own origin. Must run before the first call.
 */
export const readBaseAddress = async (): Promise<void> => {
  const named = document.querySelector('meta[name="api-base-url"]')?.getAttribute("content") ?? "";
  const found = withoutSlash(named === ASK_FILE ? await readConfigFile() : named);
  if (found !== "") baseAddress = found;
};
