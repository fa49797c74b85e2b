import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import {
  getStatus,
  type ListExtra,
  type OfferedProvider,
  readStatus,
  type Status,
} from "@tollgate/contract/api/status";
import { PRODUCT_NAME } from "@tollgate/contract/version";
import { apiBaseUrl } from "./base-address";
import { callEndpoint } from "./call-endpoint";
import { readStored, readStoredJson, writeStored } from "./local-store";
import { readNow } from "./query-client";

/** The site's public settings. The start-up reports a failure once. */
export const statusQuery = queryOptions({
  queryKey: [getStatus.reads],
  queryFn: ({ signal }) => callEndpoint(getStatus, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
  retryOnMount: false,
  meta: { silent: true },
});

/** The server's status; before it answers, the stored one; undefined on a first visit until then. */
export const useStatus = (): Status | undefined => {
  const { data } = useQuery(statusQuery);
  if (data) return data;
  const stored = readStoredJson("status");
  return stored === undefined ? undefined : readStatus(stored);
};

/** Stores the status in local storage, under the specification's keys. */
export const storeStatus = (status: Status): void => {
  writeStored("status", JSON.stringify(status));
  writeStored("system_name", status.system_name || PRODUCT_NAME);
  writeStored("logo", status.logo || DEFAULT_LOGO);
  writeStored("footer_html", status.footer_html);
  writeStored("quota_per_unit", String(status.quota_per_unit));
  writeStored("display_in_currency", String(status.display_in_currency));
  const { display_currency, display_symbol, display_rate } = status;
  writeStored(
    "display_currency",
    display_currency && [display_currency, display_symbol, display_rate].join(" "),
  );
  writeStored("chat_link", status.chat_link || undefined);
};

const DEFAULT_LOGO = "/logo.png";

export const systemName = (): string => readStored("system_name") || PRODUCT_NAME;
export const siteLogo = (): string => readStored("logo") || DEFAULT_LOGO;
export const chatLink = (): string => readStored("chat_link") ?? "";

/** Whether the site offers plans, by the stored status. */
export const offersPlans = (): boolean => {
  const stored = readStoredJson("status");
  return stored !== undefined && readStatus(stored).plans === true;
};

/** Whether users can apply for invoices, by the stored status. */
export const offersInvoices = (): boolean => {
  const stored = readStoredJson("status");
  return stored !== undefined && readStatus(stored).invoices === true;
};

/** Whether users can open tickets, by the stored status. */
export const offersTickets = (): boolean => {
  const stored = readStoredJson("status");
  return stored !== undefined && readStatus(stored).tickets === true;
};

/** Whether users can try models by their session, by the stored status. */
export const offersPlayground = (): boolean => {
  const stored = readStoredJson("status");
  return stored !== undefined && readStatus(stored).playground === true;
};

/** Whether this browser has a stored status. Before, nothing is known of what the server offers. */
export const knowsStatus = (): boolean => readStored("status") !== undefined;

/** Whether the server sorts lists itself, by the stored status. */
export const queriesLists = (): boolean => {
  const stored = readStoredJson("status");
  return stored !== undefined && readStatus(stored).list_queries === true;
};

/** Whether the server's lists have a later ability, by the stored status. Other servers ignore what they do not know. */
export const hasListExtra = (extra: ListExtra): boolean => {
  const stored = readStoredJson("status");
  return stored !== undefined && (readStatus(stored).list_extras ?? "").split(" ").includes(extra);
};

/** The OpenID Connect providers that the server offers, by the stored status. Other servers have none. */
export const offeredProviders = (): readonly OfferedProvider[] => {
  const stored = readStoredJson("status");
  return stored === undefined ? [] : (readStatus(stored).sign_in_providers ?? []);
};

const isLocal = (address: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(address);

/** The gateway's address for programs. An unset address arrives as localhost, which is useless on other machines. */
export const serverAddress = (status: Status | undefined): string => {
  const configured = (status?.server_address ?? "").replace(/\/+$/, "");
  if (configured !== "" && !isLocal(configured)) return configured;
  return apiBaseUrl() || window.location.origin;
};

/** Shows the site's name and icon in the browser tab. */
export const showSite = (): void => {
  document.title = systemName();
  const icon = document.getElementById("site-icon");
  const logo = siteLogo();
  // A browser fetches the icon again even for the same address.
  if (icon?.getAttribute("href") !== logo) icon?.setAttribute("href", logo);
};

/** Reads the status again and updates local storage and the page. */
export const refreshStatus = async (queryClient: QueryClient): Promise<Status> => {
  const status = await readNow(queryClient, statusQuery);
  storeStatus(status);
  showSite();
  return status;
};
