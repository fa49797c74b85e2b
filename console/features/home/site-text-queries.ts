import { queryOptions } from "@tanstack/react-query";
import { getAbout, getHomeContent, getNotice } from "@tollgate/contract/api/site-texts";
import { callEndpoint } from "../../lib/call-endpoint";
import { endpointQuery } from "../../lib/endpoint-query";
import { readStored, writeStored } from "../../lib/local-store";

export const noticeQuery = endpointQuery(getNotice, {});

/** A site text; the stored one is shown until the server has answered. */
const storedText = (endpoint: typeof getHomeContent | typeof getAbout, key: string) =>
  queryOptions({
    ...endpointQuery(endpoint, {}),
    queryFn: async ({ signal }) => {
      const content = await callEndpoint(endpoint, {}, signal);
      writeStored(key, content);
      return content;
    },
    placeholderData: () => readStored(key),
  });

export const homeContentQuery = storedText(getHomeContent, "home_page_content");

export const aboutQuery = storedText(getAbout, "about");
