import { readChannels } from "@tollgate/contract/management/channel";
import { callApi } from "../../../lib/api-client";
import { searchList } from "../../../lib/growing-list";
import { CHANNEL_LIST } from "./list-channels";

/** GET /api/channel/search?keyword= */
export const foundChannels = (keyword: string) =>
  searchList(CHANNEL_LIST, keyword, async (text, signal) =>
    readChannels((await callApi("GET", "/api/channel/search", { query: { keyword: text }, signal })).data),
  );
