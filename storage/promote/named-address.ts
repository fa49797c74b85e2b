import { DatabaseRefused } from "../errors";

/** An address whose connections are told from those of nodes. @throws DatabaseRefused for what is no address. */
export const namedAddress = (address: string): string => {
  if (!URL.canParse(address)) throw new DatabaseRefused({ code: "database-address-invalid" });
  const url = new URL(address);
  url.searchParams.set("application_name", "tollgate promote");
  return url.href;
};
