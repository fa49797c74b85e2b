import * as z from "zod/mini";

/** What the built page says before a server has filled in an address: the file beside it knows. */
const ASK_FILE = "config.json";

const configSchema = z.object({ apiBaseUrl: z.catch(z.string(), "") });

const withoutSlash = (address: string): string => address.replace(/\/+$/, "");

let baseAddress = withoutSlash(import.meta.env.VITE_API_BASE_URL ?? "");

/** The gateway's address without a trailing slash; "" means the console's own origin (specification section 7). */
export const apiBaseUrl = (): string => baseAddress;

/** What config.json says; "" where there is none, as on servers that answer unknown paths with the page. */
const readConfigFile = async (): Promise<string> => {
  try {
    const response = await fetch(`/${ASK_FILE}`);
    return configSchema.parse(await response.json()).apiBaseUrl;
  } catch {
    return "";
  }
};

/**
 * Learns where the gateway is: from the page, where its server has filled it in, else from config.json beside the built
 * files, else from the build variable VITE_API_BASE_URL, else the console's own origin. Must come before the first call.
 */
export const readBaseAddress = async (): Promise<void> => {
  const named = document.querySelector('meta[name="api-base-url"]')?.getAttribute("content") ?? "";
  const found = withoutSlash(named === ASK_FILE ? await readConfigFile() : named);
  if (found !== "") baseAddress = found;
};
