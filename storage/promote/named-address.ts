import { DatabaseRefused } from "../errors";

/**
 * Returns an address whose connections differ by name from those of nodes. @throws DatabaseRefused for an invalid
 * address.
 */
export const namedAddress = (address: string): string => {
  if (!URL.canParse(address)) throw new DatabaseRefused({ code: "database-address-invalid" });
  const url = new URL(address);
  url.searchParams.set("application_name", "tollgate promote");
  return url.href;
};
