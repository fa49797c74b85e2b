import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { readStored, writeStored } from "../../../lib/local-store";

const readText = async (path: string, signal: AbortSignal): Promise<string> => {
  const { data } = await callApi("GET", path, { signal });
  return typeof data === "string" ? data : "";
};

/** GET /api/notice */
export const noticeQuery = queryOptions({
  queryKey: ["notice"],
  queryFn: ({ signal }) => readText("/api/notice", signal),
});

/** GET /api/home_page_content; what it said last time stands there until it has answered. */
export const homeContentQuery = queryOptions({
  queryKey: ["home-content"],
  queryFn: async ({ signal }) => {
    const content = await readText("/api/home_page_content", signal);
    writeStored("home_page_content", content);
    return content;
  },
  placeholderData: () => readStored("home_page_content"),
});

/** GET /api/about; likewise. */
export const aboutQuery = queryOptions({
  queryKey: ["about"],
  queryFn: async ({ signal }) => {
    const content = await readText("/api/about", signal);
    writeStored("about", content);
    return content;
  },
  placeholderData: () => readStored("about"),
});
